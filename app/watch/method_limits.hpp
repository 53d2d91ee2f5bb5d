// Lists the settings of a scene that its method ignores or treats in its own way.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Sentences without the method's name, their subject: "leaves out the damping_time of beam". Mentions only
/// parts that the scene has. Empty if the method uses all settings as they are meant.
std::vector<std::string> method_limits(const Simulation& simulation);

/// "solver.method newton leaves out ... and ..."; "" if there are no limits.
std::string method_limits_text(const Simulation& simulation);

}  // namespace limber
