// A contact of a particle of a rigid solid (shape matching with stiffness 1) as what it is: one of two
// bodies.
//
// Shape matching hands what moves one particle of N on to the others, so a contact that only knows the
// particle's own mass needs of the order of N sweeps to stop the solid. Here a row sees the solid's:
//
//   C = n . (u_a - u_b) + s >= 0,   w = sum over sides 1/M + (r x n)^T I^-1 (r x n)
//
// with u the displacement of the spot between the two particles since the substep began (constraints/
// particle_pair.hpp has n, s and what a multiplier is that is kept). A particle that belongs to no rigid
// solid counts with its own mass, a collider as one that nothing moves.
//
// An overlap goes away in displacements of their own, that move x and p alike and leave no speed: their
// multipliers are solved for too, so that many rows of one pair do not add up to more than was wanted. Rows
// without an overlap take part: what lifts one pair apart must not push another one together, or overlaps
// wander through a pile, take the load off contacts that hold it by friction, and it slides for ever.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>

#include "engine/contact/law.hpp"
#include "engine/state/bodies.hpp"

namespace limber::inline LIMBER_PRECISION {

/// A rigid solid in a substep.
struct SolidMotion {
  vec3 center{0};          ///< m, of mass, at p
  real inverse_mass = 0;   ///< 1/kg
  Symmetric inverse;       ///< 1/(kg m^2), in the world
  vec3 rotated{0};         ///< rad, since the substep began
  vec3 shift{0}, turn{0};  ///< m, rad: what rows do
  vec3 lift{0}, tilt{0};   ///< m, rad: what they do to x and p alike

  vec3 moved(const vec3& arm) const { return shift + glm::cross(turn, arm); }
  vec3 lifted(const vec3& arm) const { return lift + glm::cross(tilt, arm); }
  void push(const vec3& impulse, const vec3& arm) {
    shift += inverse_mass * impulse;
    turn += inverse * glm::cross(arm, impulse);
  }
  void raise(const vec3& impulse, const vec3& arm) {
    lift += inverse_mass * impulse;
    tilt += inverse * glm::cross(arm, impulse);
  }
  real inverse_mass_along(const vec3& arm, const vec3& n) const {
    const vec3 lever = glm::cross(arm, n);
    return inverse_mass + glm::dot(lever, inverse * lever);
  }
};

/// A is the solid solid_a at the spot.
struct SolidRow : ContactRow {
  std::int32_t a, b;              ///< particles, a of solid_a; b negative: -1 - collider
  std::int32_t solid_a, solid_b;  ///< solid_b negative: b moves by itself
  std::int32_t source;            ///< its pair, or its contact among those of solid_a with colliders
  vec3 spot_a, spot_b;            ///< m, the spot from the particles
  vec3 arm_a, arm_b;              ///< m, the spot from the centres of mass
  vec3 slide;                     ///< m, how far a collider's surface moves
  real want;                      ///< m, of the overlap, in this substep; < 0: so much nearer they may come
  real lift_lambda = 0;           ///< kg m, multiplier of what lifts the overlap
  real before = 0;                ///< kg m, length of lambda() a substep earlier
  vec3 moved{0};                  ///< m, of a against b without what rows do, but for a b by itself
  real restitution = 0;           ///< e
  real approach = 0;              ///< m, along the normal, as predicted: how much nearer; negative
};

/// What rows move besides solids.
struct LooseParticles {
  vec4 *position, *previous;
};

/// The two sides of a SolidRow.
struct SolidSides {
  const SolidRow& row;
  SolidMotion* solids;
  const LooseParticles& loose;

  real inverse_mass_along(const vec3& n) const {
    const real w = solids[row.solid_a].inverse_mass_along(row.arm_a, n);
    if (row.solid_b >= 0) return w + solids[row.solid_b].inverse_mass_along(row.arm_b, n);
    return w + (row.b >= 0 ? loose.position[row.b].w : real(0));
  }
  vec3 moved() const {
    const vec3 moved = row.moved + solids[row.solid_a].moved(row.arm_a);
    if (row.solid_b >= 0) return moved - solids[row.solid_b].moved(row.arm_b);
    return row.b >= 0 ? moved - vec3(loose.position[row.b] - loose.previous[row.b]) : moved;
  }
  void push(const vec3& impulse) const {
    solids[row.solid_a].push(impulse, row.arm_a);
    if (row.solid_b >= 0)
      solids[row.solid_b].push(-impulse, row.arm_b);
    else if (row.b >= 0)
      loose.position[row.b] -= vec4(loose.position[row.b].w * impulse, real(0));
  }
};

/// The same once velocities were taken, with the velocities of solids (m/s, rad/s) in shift and turn.
struct SolidVelocities : SolidSides {
  vec4* velocity_of;  ///< per particle
  vec3 surface;       ///< m/s, of a collider

  vec3 velocity() const {
    const vec3 velocity = solids[row.solid_a].moved(row.arm_a) - surface;
    if (row.solid_b >= 0) return velocity - solids[row.solid_b].moved(row.arm_b);
    return row.b >= 0 ? velocity - vec3(velocity_of[row.b]) : velocity;
  }
  void kick(const vec3& impulse) const {
    solids[row.solid_a].push(impulse, row.arm_a);
    if (row.solid_b >= 0)
      solids[row.solid_b].push(-impulse, row.arm_b);
    else if (row.b >= 0)
      velocity_of[row.b] -= vec4(loose.position[row.b].w * impulse, real(0));
  }
};

/// One sweep over what takes overlaps away: n . (lift_a - lift_b) >= want.
inline void raise(SolidRow& row, SolidMotion* solids, const LooseParticles& loose) {
  SolidMotion& a = solids[row.solid_a];
  real apart = glm::dot(row.normal, a.lifted(row.arm_a));
  const real w = row.solid_b < 0 && row.b >= 0 ? loose.position[row.b].w : real(0);
  if (row.solid_b >= 0)
    apart -= glm::dot(row.normal, solids[row.solid_b].lifted(row.arm_b));
  else
    apart += w * row.lift_lambda;
  const real now = std::max(row.lift_lambda + (row.want - apart) * row.mass, real(0));
  if (now == row.lift_lambda) return;
  const vec3 change = (now - row.lift_lambda) * row.normal;
  row.lift_lambda = now;
  a.raise(change, row.arm_a);
  if (row.solid_b >= 0) {
    solids[row.solid_b].raise(-change, row.arm_b);
  } else if (row.b >= 0) {
    loose.position[row.b] -= vec4(w * change, real(0));
    loose.previous[row.b] -= vec4(w * change, real(0));
  }
}

}  // namespace limber::inline LIMBER_PRECISION
