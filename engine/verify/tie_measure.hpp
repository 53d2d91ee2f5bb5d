// Measures of ties.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds the forces per tie of the scene, the largest gap of a tie without compliance, and the number of
/// points that came loose.
void add_ties(const World& world, Measures& m);

}}  // namespace limber::LIMBER_PRECISION
