// Lists the settings of a scene that its method ignores or treats in its own way.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Ends of sentences that begin with the method's name: "leaves out the damping_time of beam". Only about
/// things that the scene has; empty if the method honours all of them.
std::vector<std::string> method_limits(const Simulation& simulation);

/// "solver.method newton leaves out ... and ..."; "" if there are no limits.
std::string method_limits_text(const Simulation& simulation);

}  // namespace limber
