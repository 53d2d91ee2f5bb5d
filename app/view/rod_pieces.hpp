// What the rods of an object consist of.
#pragma once

#include <vector>

#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// As it was built, each of its strands, or what has been left of them. Empty: it is no rod.
std::vector<RodPiece> pieces_of(const ObjectModel& object);

}  // namespace limber
