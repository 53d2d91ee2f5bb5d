// Rods that fluids flow around between their particles.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether rods of an object are not thicker than the particles of fluids. Particles are too coarse to flow
/// around such a rod, so they do not touch it: the fluid acts on it by buoyancy and drag (FluidRods).
bool is_thin_rod(const World& world, std::size_t object);

}}  // namespace limber::LIMBER_PRECISION
