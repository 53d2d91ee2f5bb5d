// Heat of a World in numbers.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds heat content, temperatures and molten share of all particles that are present.
void add_heat(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
