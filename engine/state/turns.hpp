// Turns: rows of Particles that have an orientation and no place, one for each segment of a rod.
//
// clang-format off
// Members of a row: for a particle, and for a turn
//   origin            a place         the unit quaternion {x, y, z, w} that line (7) predicts
//   moved             what moved it   the rotation vector since, rad, in the world (turned() of simd/turns.hpp)
//   moved_before      x^n             the rotation vector from there back to the substep's start
//   velocity          v               angular velocity, rad/s
//   w, inverse_mass   1/m             the inverse of its inertia, 1/(kg m^2), the same about all axes; 0: held
// so that constraints, multipliers and line (13) need not know which of the two they move.
// clang-format on
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>

#include "engine/state/particles.hpp"
#include "engine/state/rods.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The orientation of the turn in row i: a unit quaternion.
glm::dvec4 orientation_of(const Particles& particles, std::size_t i);

/// Puts the turn in row i at q, as if it had always been there, with the inverse inertia w, 1/(kg m^2).
void put_turn(Particles& particles, std::size_t i, const glm::dvec4& q, real w);

/// Lines (6) and (7) for the turns [begin, end): w <- keep w, q <- exp(h w) q. Held ones stay.
void predict_turns(Particles& particles, std::int64_t begin, std::int64_t end, real h, real keep);

/// Puts the held turn in row i at its prescribed orientation at `time`, s, the end of a substep of h.
/// `carrier`: the frame of its carrier, a unit quaternion.
void hold_turn(Particles& particles, std::size_t i, const RodHold& hold, const glm::dvec4& carrier,
               double time, real h);

}}  // namespace limber::LIMBER_PRECISION
