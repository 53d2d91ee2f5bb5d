// Warns of colliders that fit between the vertices of an object.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// A sentence about the collider that fits most easily between the vertices of an object that may touch it:
/// contact with colliders acts at vertices, so the object would fall past it; "" if there is none. Edges are
/// measured as they are now.
std::string thin_collider_note(const Simulation& simulation);

}  // namespace limber
