// Warns of grains and solids that start inside each other.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// A sentence about balls of grains and solids that start inside balls of another object, or inside other
/// grains, by more than half a radius; "" if there are none. Cost: O(n).
std::string crowded_particles_note(const Simulation& simulation);

}  // namespace limber
