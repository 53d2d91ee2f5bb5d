// The law of contact in one impact between two bodies, in velocities at the time of the impact.
#pragma once

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/contact/law.hpp"
#include "engine/parts/bodies/impact_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The change of a body's velocity by an impact, per substep.
struct ImpactKick {
  vec3 velocity{0}, spin{0};
};

/// State of one pair in an impact.
struct ImpactRow {
  vec3 normal{0};
  real freedom = 0;   ///< 1/kg, of both bodies along the normal
  real leaving = 0;   ///< m per substep, separating speed along the normal after the impact
  real friction = 0;  ///< mu
  real pushed = 0;    ///< kg m per substep, normal impulse on the first body
};

/// Two bodies at the points of their impulse. A side without a kick (a collider) does not move.
struct ImpactSides {
  const FlightState &a, &b;  ///< before the impact
  vec3 arm_a, arm_b;         ///< m
  ImpactKick *kick_a, *kick_b;

  /// m per substep, relative velocity of the points, including the changes by the impact so far.
  vec3 moved() const {
    const auto velocity_at = [](const FlightState& s, const ImpactKick* given, const vec3& r) {
      const ImpactKick kick = given ? *given : ImpactKick{};
      return s.velocity + kick.velocity + glm::cross(s.spin + kick.spin, r);
    };
    return velocity_at(a, kick_a, arm_a) - velocity_at(b, kick_b, arm_b);
  }
  real inverse_mass_along(const vec3& d) const {
    const auto response = [&](const FlightState& s, const vec3& r) {
      const vec3 t = glm::cross(r, d);
      return s.inverse_mass + glm::dot(t, s.inverse_inertia * t);
    };
    return response(a, arm_a) + response(b, arm_b);
  }
  void push(const vec3& impulse) const {
    const auto kick = [](const FlightState& s, ImpactKick* given, const vec3& r, const vec3& by) {
      if (s.inverse_mass == real(0)) return;
      given->velocity += s.inverse_mass * by;
      given->spin += s.inverse_inertia * glm::cross(r, by);
    };
    kick(a, kick_a, arm_a, impulse);
    kick(b, kick_b, arm_b, -impulse);
  }
};

/// Changes the normal impulse of a row so that its sides separate with the row's speed; it never pulls.
/// Returns the change, kg m per substep.
inline real push_impact(ImpactRow& row, const ImpactSides& sides) {
  const real missing = row.leaving - glm::dot(row.normal, sides.moved());
  const real now = std::max(row.pushed + missing / row.freedom, real(0)), more = now - row.pushed;
  sides.push(more * row.normal);
  row.pushed = now;
  return more;
}

/// Friction after the normal impulse: stops the sliding, within the friction cone. Returns the impulse on the
/// first body, kg m per substep.
inline vec3 rub_impact(const ImpactRow& row, const ImpactSides& sides) {
  constexpr real least_slide = real(1e-12);  // m per substep
  const vec3 u = sides.moved(), slid = u - glm::dot(row.normal, u) * row.normal;
  const real length = glm::length(slid);
  if (!(length > least_slide)) return vec3(0);
  const vec3 along = slid / length;
  const real stop = length / sides.inverse_mass_along(along);
  const vec3 impulse = -within_bound(stop, row.friction * row.pushed) * along;
  sides.push(impulse);
  return impulse;
}

}}  // namespace limber::LIMBER_PRECISION
