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

struct SolidRow {
  std::int32_t a, b;              ///< particles, a of solid_a; b negative: -1 - collider
  std::int32_t solid_a, solid_b;  ///< solid_b negative: b moves by itself
  std::int32_t source;            ///< its pair, or its contact among those of solid_a with colliders
  vec3 normal;                    ///< unit, from b to a
  vec3 spot_a, spot_b;            ///< m, the spot from the particles
  vec3 arm_a, arm_b;              ///< m, the spot from the centres of mass
  vec3 slide;                     ///< m, how far a collider's surface moves
  real gap;                       ///< m, at the substep's start
  real friction;                  ///< Coulomb mu
  real want;                      ///< m, of the overlap, in this substep; < 0: so much nearer they may come
  real mass = 0;                  ///< kg, 1/w; 0: nothing can move
  real pushed = 0, raised = 0;    ///< kg m, multipliers along the normal
  vec3 dragged{0};                ///< kg m, of friction
  real before = 0;                ///< kg m, length of all that a substep earlier
  vec3 moved{0};                  ///< m, of a against b without what rows do, but for a b by itself

  vec3 kept() const { return pushed * normal + dragged; }
};

/// What rows move besides solids.
struct LooseParticles {
  vec4 *position, *previous;
};

inline real inverse_mass_of_b(const SolidRow& row, const SolidMotion* solids, const vec3& along,
                              const LooseParticles& loose) {
  if (row.solid_b >= 0) return solids[row.solid_b].inverse_mass_along(row.arm_b, along);
  return row.b >= 0 ? loose.position[row.b].w : real(0);
}

/// Sets row.mass.
inline void weigh(SolidRow& row, const SolidMotion* solids, const LooseParticles& loose) {
  const real w = solids[row.solid_a].inverse_mass_along(row.arm_a, row.normal) +
                 inverse_mass_of_b(row, solids, row.normal, loose);
  row.mass = w > real(0) ? 1 / w : real(0);
}

/// Gives a `impulse` (kg m) and b the opposite.
inline void push_apart(const SolidRow& row, const vec3& impulse, SolidMotion* solids,
                       const LooseParticles& loose) {
  solids[row.solid_a].push(impulse, row.arm_a);
  if (row.solid_b >= 0)
    solids[row.solid_b].push(-impulse, row.arm_b);
  else if (row.b >= 0)
    loose.position[row.b] -= vec4(loose.position[row.b].w * impulse, real(0));
}

/// How far a has moved away from b at the spot since the substep began. m
inline vec3 moved_apart(const SolidRow& row, const SolidMotion* solids, const LooseParticles& loose) {
  const vec3 moved = row.moved + solids[row.solid_a].moved(row.arm_a);
  if (row.solid_b >= 0) return moved - solids[row.solid_b].moved(row.arm_b);
  return row.b >= 0 ? moved - vec3(loose.position[row.b] - loose.previous[row.b]) : moved;
}

/// One sweep over a row: along the normal, then friction within its cone.
inline void project(SolidRow& row, SolidMotion* solids, const LooseParticles& loose) {
  vec3 moved = moved_apart(row, solids, loose);
  const real C = glm::dot(row.normal, moved) + std::max(row.gap, real(0));
  const real now = std::max(row.pushed - C * row.mass, real(0)), change = now - row.pushed;
  if (change != real(0)) {
    push_apart(row, change * row.normal, solids, loose);
    row.pushed = now;
    moved = moved_apart(row, solids, loose);
  }
  if (!(row.friction > real(0)) || !(row.pushed > real(0) || row.dragged != vec3(0))) return;
  const vec3 slid = moved - glm::dot(row.normal, moved) * row.normal;
  const real length = glm::length(slid);
  vec3 dragged = row.dragged;
  if (length > real(0)) {
    const vec3 along = slid / length;
    const real w = solids[row.solid_a].inverse_mass_along(row.arm_a, along) +
                   inverse_mass_of_b(row, solids, along, loose);
    if (w > real(0)) dragged -= slid / w;
  }
  const real most = row.friction * row.pushed, drag = glm::length(dragged);
  if (drag > most) dragged *= most / drag;
  push_apart(row, dragged - row.dragged, solids, loose);
  row.dragged = dragged;
}

/// One sweep over what takes overlaps away: n . (lift_a - lift_b) >= want.
inline void raise(SolidRow& row, SolidMotion* solids, const LooseParticles& loose) {
  SolidMotion& a = solids[row.solid_a];
  real apart = glm::dot(row.normal, a.lifted(row.arm_a));
  const real w = row.solid_b < 0 && row.b >= 0 ? loose.position[row.b].w : real(0);
  if (row.solid_b >= 0)
    apart -= glm::dot(row.normal, solids[row.solid_b].lifted(row.arm_b));
  else
    apart += w * row.raised;
  const real now = std::max(row.raised + (row.want - apart) * row.mass, real(0));
  if (now == row.raised) return;
  const vec3 change = (now - row.raised) * row.normal;
  row.raised = now;
  a.raise(change, row.arm_a);
  if (row.solid_b >= 0) {
    solids[row.solid_b].raise(-change, row.arm_b);
  } else if (row.b >= 0) {
    loose.position[row.b] -= vec4(w * change, real(0));
    loose.previous[row.b] -= vec4(w * change, real(0));
  }
}

}  // namespace limber::inline LIMBER_PRECISION
