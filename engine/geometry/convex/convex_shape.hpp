// Placed shapes of rigid bodies: bounds, distances and rays in the world.
#pragma once

#include <glm/geometric.hpp>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_solid.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

using ConvexShape = ConvexSolid<real>;

/// Placement of a shape: world = position + rotation * local.
struct Placed {
  vec3 position{0};  ///< m
  mat3 rotation{1};
};

struct Bounds {
  vec3 low{0}, high{0};  ///< m
};

/// The smallest box along the world's axes around a shape in place.
inline Bounds bounds(const ConvexShape& shape, const Placed& at) {
  Bounds box;
  for (int k = 0; k < 3; ++k) {
    const vec3 axis(at.rotation[0][k], at.rotation[1][k], at.rotation[2][k]);  // world axis k, seen locally
    box.low[k] = at.position[k] + glm::dot(axis, support(shape, -axis));
    box.high[k] = at.position[k] + glm::dot(axis, support(shape, axis));
  }
  return box;
}

/// Signed distance and unit direction at a point of the world: p - d n is the nearest point of the surface.
inline SurfaceDistance<real> surface_distance(const ConvexShape& shape, const Placed& at, const vec3& p) {
  const SurfaceDistance<real> local = surface_distance(shape, (p - at.position) * at.rotation);
  return {local.d, at.rotation * local.n};
}

/// Share in [0, 1] of the path from `a` to `a + step` at which it enters the shape, or `never` as in
/// sweeps.hpp.
inline real path_entry(const ConvexShape& shape, const Placed& at, const vec3& a, const vec3& step) {
  return path_entry(shape, (a - at.position) * at.rotation, step * at.rotation);
}

}}  // namespace limber::LIMBER_PRECISION
