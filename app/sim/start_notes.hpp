// What a person should know about a scene before it runs.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// What to expect of the length of steps: frames that take seconds, substeps too short for float.
std::vector<std::string> step_notes(const Simulation& simulation);

/// What the mesh reader changed, whether vertices start inside a collider and bodies deep inside each other.
/// One sentence each, which begins with the object's name.
std::vector<std::string> start_notes(const Simulation& simulation);

}  // namespace limber
