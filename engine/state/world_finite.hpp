// Whether a World is free of infinities and NaNs outside the velocities, which have a check of their own.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether everything that a frame hands to the next one is finite: bodies, rotations of clusters, the
/// multipliers of contacts and joints, the volumes that are held, predicted paths. Multipliers can overflow
/// in a frame whose velocities are still finite, and would spoil every frame from then on.
///
/// Positions and velocities of particles are left out: the solver looks at them in every substep.
bool carries_finite_values(const World& world);

}}  // namespace limber::LIMBER_PRECISION
