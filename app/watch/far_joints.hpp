// Joints of copies whose places are far from their bodies.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// One sentence about joints that hold copies of bodies at places beyond them by more than their size, with
/// the farthest one and where its first copy is; "" if there are none. A place is meant for the first copy,
/// which is at the rim of a lattice and not in its middle. A joint of single bodies may hold them from afar.
std::string far_joint_note(const Simulation& simulation);

}  // namespace limber
