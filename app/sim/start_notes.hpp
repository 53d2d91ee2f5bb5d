// What a person should know about a scene before it runs.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// What the mesh reader changed, and whether vertices start inside a collider. One sentence each.
std::vector<std::string> start_notes(const Simulation& simulation);

}  // namespace limber
