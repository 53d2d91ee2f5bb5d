// Geometry, mass and inertia of a rigid body of a scene, in double. build/body_builder turns the result into
// bodies of the World, in float or double.
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

/// Largest number of copies of one body.
inline constexpr double max_bodies = 1e5;
/// Largest number of parts of one body that are airfoils.
inline constexpr int most_airfoils = 16;

/// A convex part in the body's principal frame: origin at the centre of mass, axes along the principal axes.
struct BodyPart {
  ConvexKind kind = ConvexKind::sphere;
  glm::dvec3 size{0.0};                          ///< m, as ConvexSolid::size
  std::shared_ptr<const ConvexPolyhedron> hull;  ///< hull only, in the hull's own frame
  Placement place;
  std::shared_ptr<const AirfoilShape> airfoil;  ///< in the body's principal frame; null: no airfoil
};

/// Parts and mass properties that all copies of a body share.
struct BodyGeometry {
  std::vector<BodyPart> parts;
  double mass = 0.0;        ///< kg
  glm::dvec3 inertia{0.0};  ///< kg m^2, about the principal axes
  Placement frame;          ///< principal frame relative to the frame of the scene file
};

/// Checks conditions between the settings of a body, beyond the range of each: copies are whole numbers and
/// at most max_bodies, and a compound has parts and nothing else.
Expected<void> check_body(const BodyDesc& body);

/// Builds parts, mass and inertia of one copy. Fails on a bad mesh (with its file), a flat mesh, and a body
/// without volume.
Expected<BodyGeometry> build_body(const SceneDesc& scene, const BodyDesc& body);

/// The description of a ball that the user throws: `radius` in m, `density` in kg/m^3. Its rolling resistance
/// is small, so it rolls on like a ball of rubber.
BodyDesc thrown_ball(double radius, double density);

/// Placements at which the copies of a body start: poses of the body's frame in the scene file, in a fixed
/// order. `drawn`: number of random numbers already taken from scene.seed; increased by those taken here.
std::vector<Placement> body_placements(const SceneDesc& scene, const BodyDesc& body, std::uint64_t& drawn);

}  // namespace limber
