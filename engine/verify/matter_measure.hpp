// Measures of grains and clusters.
#pragma once

#include <optional>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// m, deepest overlap of two particles of different phases. Independent of the solver's search.
double deepest_particle_overlap(const World& world);

/// Slope of a heap of grains in degrees: that of the highest grains, ring by ring around the middle, between
/// 25 % and 70 % of the height. Empty without grains. Up is against gravity, or y without gravity.
std::optional<double> slope_of_grains(const World& world);

}}  // namespace limber::LIMBER_PRECISION
