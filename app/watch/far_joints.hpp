// Warns of joints whose anchors are far from their bodies.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// A sentence about joints of copied bodies whose anchor is farther from its body than three times the body's
/// reach, with the farthest one and the place of its first copy; "" if there are none. The usual cause:
/// anchors are given for the first copy, which stands at the rim of a lattice and not in its middle. Joints
/// of single bodies are not reported, because they may hold a body from afar.
std::string far_joint_note(const Simulation& simulation);

}  // namespace limber
