// One rigid body of a scene as geometry in double: the precision-neutral half of the builder.
#pragma once

#include <glm/mat3x3.hpp>
#include <memory>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/convex/airfoil_shape.hpp"
#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/convex/convex_kind.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

struct BodyDesc;
struct SceneDesc;

/// Most bodies of one name over all its copies.
inline constexpr double max_bodies = 1e5;
/// Most parts of a body that are airfoils.
inline constexpr int most_airfoils = 16;

/// A convex part in the body's own frame, which has its origin at the centre of mass and principal axes.
struct BodyPart {
  ConvexKind kind = ConvexKind::sphere;
  glm::dvec3 size{0.0};                          ///< as ConvexSolid
  std::shared_ptr<const ConvexPolyhedron> hull;  ///< hull only, in its own frame
  Placement place;
  std::shared_ptr<const AirfoilShape> airfoil;  ///< in the body's frame; null: it is none
};

/// One copy, before its pose.
struct BodyGeometry {
  std::vector<BodyPart> parts;
  double mass = 0.0;        ///< kg
  glm::dvec3 inertia{0.0};  ///< kg m^2, about the principal axes
  Placement frame;          ///< of centre and principal axes in what the scene file calls the body's frame
};

/// What must hold between the settings of a body beyond the range of each: whole numbers of copies, at most
/// max_bodies, a compound has parts and only that.
Expected<void> check_body(const BodyDesc& body);

/// Fails on a bad mesh (with its file), a flat one, and on a body without volume.
Expected<BodyGeometry> build_body(const SceneDesc& scene, const BodyDesc& body);

/// A ball that somebody throws, m and kg/m^3. It rolls on for some time, as a ball of rubber does.
BodyDesc thrown_ball(double radius, double density);

/// Where the copies of a body start: poses of what the scene file calls its frame, in a fixed order.
/// `drawn` numbers were drawn from the scene's seed before; it is advanced.
std::vector<Placement> body_placements(const SceneDesc& scene, const BodyDesc& body, std::uint64_t& drawn);

}  // namespace limber
