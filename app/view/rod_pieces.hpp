// Pieces of an object's rods.
#pragma once

#include <vector>

#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// The pieces to draw: each strand as it was built, or the parts that cuts and breaks have left. Empty if the
/// object is no rod.
std::vector<RodPiece> pieces_of(const ObjectModel& object);

}  // namespace limber
