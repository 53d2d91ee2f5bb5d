// Measures of ties.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Forces per tie of the scene, the largest gap of one without compliance, and how many points came loose.
void add_ties(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
