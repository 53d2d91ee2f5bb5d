// Contact of two convex solids of any kinds, in double and in the frame of the first.
#pragma once

#include "engine/geometry/convex/contact_point.hpp"
#include "engine/geometry/convex/convex_solid.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

/// Source of a pair's normal: unknown, a direction, a face of one of the two solids, or two edges.
enum class ContactAxis : std::uint8_t { unknown, direction, face_of_a, face_of_b, edges };

/// If two edges cross, the faces behind them give contact points too if the cosine between their normal and
/// the contact normal is at least this (18 degrees). The gaps of such points are measured along the contact
/// normal, so a solid that moves along it stops short by the share 1 - cosine^2 of the gap, at most a tenth,
/// until contacts are made again.
inline constexpr double face_behind_edges = 0.95;

struct ContactPatch {
  /// Unit, from b to a; on entry the last one, with which the search starts
  glm::dvec3 normal{0.0, 1.0, 0.0};
  ContactAxis axis = ContactAxis::unknown;
  int count = 0;  ///< number of points, at most four
  ContactPointOf<double> points[4];
};

/// Finds the contact points of solids nearer than `reach` m, as collide() in contact/bodies/manifold.hpp
/// does. `b_in_a` places b in the frame of a; `patch` holds the result of the last call on entry.
void convex_contact(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                    double reach, ContactPatch& patch);

/// Finds the points nearer than `reach` m between a face that looks along patch.normal (unit, from b to a)
/// within 18 degrees and the opposing feature. Returns false, with `patch` unchanged, if there is no such
/// face.
bool contact_along(const ConvexSolid<double>& a, const ConvexSolid<double>& b, const Placement& b_in_a,
                   double reach, ContactPatch& patch);

/// Contact of a solid, placed in the frame of a half space, with that half space. The normal is the half
/// space's.
void plane_contact(const ConvexSolid<double>& a, const Placement& a_at, const HalfSpace& plane, double reach,
                   ContactPatch& patch);

}  // namespace limber
