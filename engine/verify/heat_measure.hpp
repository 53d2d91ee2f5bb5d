// Measures of heat.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds heat content, temperatures and the molten share of all particles in the scene.
void add_heat(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
