// Checks a World for infinities and NaNs, except in positions and velocities, which the solver checks.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether the state that a frame passes to the next one is finite: bodies, rotations of clusters,
/// multipliers of contacts and joints, goal volumes, predicted paths. Multipliers can overflow in a frame
/// with finite velocities, and would spoil all later frames. Positions and velocities of particles are not
/// tested here, because the solver tests them in every substep.
bool carries_finite_values(const World& world);

}}  // namespace limber::LIMBER_PRECISION
