// Measures of grains and solids.
#pragma once

#include <optional>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// m, by which two particles of different phases overlap at most; independent of the solver's search.
double deepest_particle_overlap(const World& world);

/// Degrees, of the free surface of the heap that the grains are: their highest ones, ring by ring around the
/// middle, between 25 % and 70 % of the height; none without grains. Up is against gravity, or y.
std::optional<double> slope_of_grains(const World& world);

}}  // namespace limber::LIMBER_PRECISION
