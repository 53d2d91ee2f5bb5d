// Rolling of a rod: the rotation of its segments about their axes, on which friction around the rod acts.
#pragma once

#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The segment that rolls with a contact of a point of a rod. With t its axis, n the normal from the surface
/// to the rod, r the radius and b = t x n, a rotation theta about t moves the rod's surface at the contact by
/// -r theta along b, and a friction impulse J on that surface gives t the angular impulse -r J.b. (Friction
/// along the rod acts on its points alone: its torque would bend the rod by r over the radius of the bend.)
struct RodRoll {
  std::size_t row;  ///< of the turn
  vec3 axis;        ///< t, unit
  vec3 across;      ///< b, unit
  real radius;      ///< r, m
  real mobility;    ///< 1/kg, r^2 over the moment of inertia
  bool begins;      ///< the segment begins at the point

  /// m, displacement of the rod's surface along b in this substep, by the rotation of the segment.
  real surface_moved(const Particles& particles) const {
    return -radius * glm::dot(axis, vec3(particles.moved[row]) - vec3(particles.moved_before[row]));
  }
  /// kg m^2, the angular impulse times h about t that the directly solved rod takes in this substep.
  real& twist(Particles& particles) const {
    return begins ? particles.predicted[row].w : particles.moved_before[row].w;
  }
  /// kg m^2, angular impulse about t of a friction impulse, kg m.
  real twist_of(const vec3& impulse) const { return -radius * glm::dot(impulse, across); }
};

/// The rolling segment at a contact of particle i: the one that begins there, at the last point of a rod the
/// one that ends there. Empty if it cannot turn, or if its axis is along `normal`.
std::optional<RodRoll> roll_at(const World& world, std::int32_t particle, const vec3& normal);

/// kg m, friction impulse that stops `slip`, m across the normal, of a point of a rod of inverse mass w,
/// 1/kg. `rolled`: m, displacement along b by rotation of the rod's surface against the other surface.
inline vec3 stopping_impulse(const vec3& slip, real w, const std::optional<RodRoll>& roll, real rolled) {
  if (!roll) return -slip / w;
  const real around = glm::dot(slip, roll->across);
  return -(slip - around * roll->across) / w - (around + rolled) / (w + roll->mobility) * roll->across;
}

}}  // namespace limber::LIMBER_PRECISION
