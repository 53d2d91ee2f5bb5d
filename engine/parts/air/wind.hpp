// Forces of the air on surfaces, rods and bodies, and fields of force.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/parts/air/air_fields.hpp"
#include "engine/parts/air/airfoil.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Coefficients of the law `lift_drag` including its factor: 1/2 rho C, N s^2/m^4.
struct Plate {
  real drag, lift;
};

/// Velocity after h s of a mass m that moves at v relative to the air and has a plate of area A and normal n:
///
///   m dv/dt = -|v| A (C_n (v.n) n + C_t v_t)
///
/// with C in N s^2/m^4. `per_mass` is h A / m. No component changes its sign, so |v| never grows.
inline vec3 slowed_by_plate(const vec3& v, const vec3& n, real normal, real tangent, real per_mass) {
  const real speed = glm::length(v), along = glm::dot(n, v);
  return v - std::min(per_mass * tangent * speed, real(1)) * (v - along * n) -
         std::min(per_mass * normal * speed, real(1)) * along * n;
}

/// Velocity after h s under the law `lift_drag`. Drag shortens v. Lift rotates v in the plane of v and n,
/// away from n, without changing its length.
inline vec3 turned_by_lift(const vec3& v, const vec3& n, const Plate& plate, real per_mass) {
  const real speed = glm::length(v);
  if (!(speed > real(0))) return v;
  const vec3 d = v / speed;
  const real s = glm::dot(n, d);
  const vec3 across = std::abs(s) * d - (s < 0 ? -n : n);  // of length sqrt(1 - s^2)
  const real kept = 1 - std::min(per_mass * plate.drag * speed * std::abs(s), real(1));
  // Tangent of half the angle, which gives sine and cosine without the C library.
  const real half = std::min(per_mass * plate.lift * speed * std::abs(s) * real(0.5), real(0.5));
  const real length = glm::length(across);
  if (!(length > real(0))) return kept * v;
  const real turn = half * length, scale = 1 / (1 + turn * turn);
  return kept * speed * scale * ((1 - turn * turn) * d + 2 * turn / length * across);
}

/// Adds the forces of air and of force fields in line (5), v <- v + h w F. Each particle divides its mass
/// among its triangles. A triangle (or a segment of a rod) is treated as a mass of three (two) times the
/// smallest share of its corners, which moves with their mean velocity u. The law gives the new u, and every
/// corner gets a third (a half) of the impulse. In still air |u| never grows, so kinetic energy does not grow
/// either, however dense the air and long the substep. Triangles are computed in parallel; then every
/// particle adds the impulses of its triangles in a fixed order, so the bits do not depend on the number of
/// threads. Fields of air are sampled once a frame.
class Wind {
 public:
  static bool enabled(const World& world);

  void reserve(const World& world);         ///< allocates; call between steps
  /// Allocates the arrays by body; call after bodies were added or removed.
  void reserve_bodies(const World& world);

  /// Wakes the bodies that the air may move. Serial; must be called before the pairs of a frame are searched.
  void wake_bodies(World& world);

  /// A substep: the time of its end in s, its length in s, whether it is the first or the last of its frame.
  struct When {
    double time;
    real h;
    bool fresh, last;
  };
  /// Must be called by every thread of the team; contains barriers. Sums the forces for the report
  /// (World::air) in the last substep of a frame.
  void apply(World& world, const When& when, Team& team);

 private:
  void blow_triangles(const World& world, const vec3& air, const When& when, Team& team);
  void blow_rods(World& world, const vec3& air, const When& when, Team& team);
  void blow_bodies(World& world, const glm::dvec3& air, const When& when, Team& team);
  vec3 fly(World& world, std::size_t body, Flyer& flyer, const glm::dvec3& air, const When& when);
  static void force_all(World& world, real h, Team& team);

  AirFields fields_;
  AlignedVector<vec4> thirds_;    ///< N s, per triangle: a third of its impulse
  AlignedVector<real> masses_;    ///< kg, per triangle: mass that moves with it
  AlignedVector<vec4> air_;       ///< m/s, per triangle, then per segment: velocity of the fields
  AlignedVector<vec4> segments_;  ///< N s, per segment: half of its impulse
  std::vector<AirLoad> loads_;    ///< per block of triangles, then per rod, then per block of bodies
  std::size_t first_rod_load_ = 0, first_body_load_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
