// Air on cloth: every triangle is a flat plate with drag and lift.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Coefficients with the factor of the law in them, N s^2/m^4: 1/2 rho C.
struct Plate {
  real drag, lift;
};

/// Force in N on the triangle (a, b, c) that moves at v against the air, s = n.v/|v| with n on the side of v:
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

/// Adds the wind's share of line (5), v <- v + h w F. A third of a triangle's force acts on each corner;
/// first all triangles in parallel, then every particle gathers from its own in a fixed order, so the result
/// does not depend on the number of threads. |F| h <= m |v_rel|: air that is thick for a step takes a
/// particle along but never throws it back.
class Wind {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Called by every thread of the team; contains barriers. `time` in s, for the gusts.
  void apply(World& world, double time, real h, Team& team);

 private:
  AlignedVector<vec4> thirds_;  ///< per triangle: a third of its force, N
};

}  // namespace limber::inline LIMBER_PRECISION
