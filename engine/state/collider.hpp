// Static colliders with their signed distances.
#pragma once

#include <glm/mat3x3.hpp>

#include "engine/core/real.hpp"
#include "engine/geometry/collider_shape.hpp"

namespace limber::inline LIMBER_PRECISION {

/// A primitive in place: local = transpose(rotation) * (world - position).
struct Collider {
  ColliderShape shape = ColliderShape::sphere;
  vec3 position{0};
  glm::mat<3, 3, real> rotation{1};  ///< local to world
  vec3 size{0};                      ///< sphere {radius}, box half extents, capsule {radius, half length}
  real friction = 0;
};

}  // namespace limber
