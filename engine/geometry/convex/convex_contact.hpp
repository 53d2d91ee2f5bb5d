// Where two convex solids touch, in double and in the frame of the first: any kind against any kind.
#pragma once

#include "engine/geometry/convex/contact_point.hpp"
#include "engine/geometry/convex/convex_solid.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

/// What holds a pair apart: nothing known, a direction, a face of one of the two, or two edges.
enum class ContactAxis : std::uint8_t { unknown, direction, face_of_a, face_of_b, edges };

/// Where edges cross, faces behind them that look along the normal within this cosine (18 degrees) give
/// points too. Their gaps are taken along the normal at a fixed place, so that what moves along it stops
/// short by the share 1 - cosine^2 of the gap, a tenth at most, until contacts are made again.
inline constexpr double face_behind_edges = 0.95;

struct ContactPatch {
  glm::dvec3 normal{0.0, 1.0, 0.0};  ///< unit, from b to a; of the last call: where to look first
  ContactAxis axis = ContactAxis::unknown;
  int count = 0;  ///< of points, at most four
  ContactPointOf<double> points[4];
};

/// Where the solids are nearer than `reach` m, as collide() in contact/bodies/manifold.hpp has it. `b_in_a`
/// places b in the frame of a; `patch` comes in with what the last call found.
void convex_contact(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                    double reach, ContactPatch& patch);

/// The points between a face that looks along patch.normal (unit, from b to a) within 18 degrees and what
/// faces it, if they are nearer than `reach` m. False without such a face: then `patch` is as it was.
bool contact_along(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                   double reach, ContactPatch& patch);

/// A solid, placed in the frame of a half space, against it. The normal is the half space's.
void plane_contact(const ConvexSolid<double>& a, const Placement& a_at, const HalfSpace& plane, double reach,
                   ContactPatch& patch);

}  // namespace limber
