// Turns: rows of Particles that hold the orientation of a rod segment in place of a position.
//
// clang-format off
// Members of a row, for a particle and for a turn:
//   origin            position        unit quaternion {x, y, z, w} that line (7) predicts
//   moved             displacement    rotation vector from the origin, rad, in the world (turned())
//   moved_before      x^n             rotation vector from the origin back to the start of the substep
//   velocity          v               angular velocity, rad/s
//   previous.w                      w, or 0 for a rope, whose segments friction does not roll: nothing else would
//                                   hold them against it
//   predicted.w, moved_before.w     kg m^2, angular impulses times h about the segment's axis in this substep, by
//                                   friction around the rod at the segment's first point, and at the rod's last;
//                                   predicted.w is w again when velocities are computed
//   w, inverse_mass   1/m             inverse moment of inertia, 1/(kg m^2), equal about all axes; 0: fixed
// Constraints, multipliers and line (13) therefore treat both alike.
// clang-format on
#pragma once

#include <cstdint>
#include <glm/vec4.hpp>

#include "engine/state/particles.hpp"
#include "engine/state/rods.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The orientation of the turn in row i: a unit quaternion.
glm::dvec4 orientation_of(const Particles& particles, std::size_t i);

/// Sets the turn in row i to the orientation q, at rest, with the inverse moment of inertia w, 1/(kg m^2).
void put_turn(Particles& particles, std::size_t i, const glm::dvec4& q, real w);

/// Sets the clamped turn in row i to its prescribed orientation at `time`, s, the end of a substep of h s.
/// `carrier`: orientation of its carrier, a unit quaternion.
void hold_turn(Particles& particles, std::size_t i, const RodHold& hold, const glm::dvec4& carrier,
               double time, real h);

}}  // namespace limber::LIMBER_PRECISION
