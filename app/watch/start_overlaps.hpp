// Rigid bodies that start inside each other.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// One sentence about the pairs of bodies that are deeper in each other than a tenth of the smaller one's
/// size, the side of a cube as large as its box, with the names of the deepest pair; "" if there are none.
/// Pairs that a joint keeps from touching and pairs of fixed bodies may overlap. O(n log n) and what overlaps
/// along one axis.
std::string overlap_note(const Simulation& simulation);

}  // namespace limber
