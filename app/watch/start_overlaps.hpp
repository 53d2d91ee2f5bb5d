// Warns of rigid bodies that start inside each other.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// A sentence about pairs of bodies that penetrate each other by more than a tenth of the smaller one's size
/// (side of the cube with the volume of its bounding box), with the names of the deepest pair; "" if there
/// are none. Pairs whose joint switches off contact, and pairs of fixed bodies, may overlap. Cost: O(n log n)
/// plus the pairs that overlap along one axis.
std::string overlap_note(const Simulation& simulation);

}  // namespace limber
