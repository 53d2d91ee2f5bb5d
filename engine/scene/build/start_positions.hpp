// Starts that take an object's shape away, to see it come back (slides, figure 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Where the vertices of a mesh start:
///   point   at the middle of its box, spread over a thousandth of its longest side: exactly one point would
///           leave no constraint a direction
///   plane   in place in x and z, at the middle in y, spread as much
///   random  anywhere in the box
/// A function of the seed and the vertex's number. m
std::vector<glm::dvec3> start_positions(Start start, std::span<const glm::dvec3> rest, std::uint64_t seed);

}  // namespace limber
