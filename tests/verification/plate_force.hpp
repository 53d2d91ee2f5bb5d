// The force of the air on a triangle, by its formula: the limit of the engine's implicit step.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Coefficients of the law `lift_drag` including its factor: 1/2 rho C, N s^2/m^4.
struct Plate {
  real drag, lift;
};

/// Force in N of the law `lift_drag` on the triangle (a, b, c) that moves at v against the air, s = n.v/|v|
/// with n on the side of v:
///
///   drag = -1/2 rho C_D A |v|^2 s v/|v|
///   lift =  1/2 rho C_L A |v|^2 s sqrt(1-s^2) l,   l = -(n - s v/|v|)/sqrt(1-s^2)
inline vec3 plate_force(const vec3& a, const vec3& b, const vec3& c, const vec3& v, const Plate& plate) {
  const vec3 twice = glm::cross(b - a, c - a);
  const real double_area = glm::length(twice), speed = glm::length(v);
  if (!(double_area > real(0)) || !(speed > real(0))) return vec3(0);
  const vec3 n = twice / double_area;
  const real along = glm::dot(n, v), area = double_area / 2;
  const vec3 drag = -plate.drag * area * std::abs(along) * v;
  const vec3 lift =
      -plate.lift * area * (std::abs(along) * speed * (along < 0 ? -n : n) - along * along / speed * v);
  return drag + lift;
}

}}  // namespace limber::LIMBER_PRECISION
