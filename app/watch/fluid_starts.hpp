// Warns of fluids that start where something else is.
#pragma once

#include <string>

#include "engine/core/measures.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// One sentence about fluids of which more than half starts inside colliders and bodies, which displace it;
/// "" if there are none.
std::string displaced_fluid_note(const Simulation& simulation);

/// A sentence about fluids that start much denser than their rest density, mostly because they start inside
/// each other; "" if there are none. `measures` are those of the start.
std::string dense_fluid_note(const Simulation& simulation, const Measures& measures);

}  // namespace limber
