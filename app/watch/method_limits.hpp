// What a method does not honour in a scene, or honours in its own way.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Ends of sentences that begin with the method's name: "leaves out the damping_time of beam". Of what the
/// scene has only: none where the method does all that the scene asks for.
std::vector<std::string> method_limits(const Simulation& simulation);

/// "solver.method newton leaves out ... and ..."; "" where there is nothing to say.
std::string method_limits_text(const Simulation& simulation);

}  // namespace limber
