// Start positions that destroy an object's shape, to see the shape return (slides on Mueller et al. 2006,
// figure 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Start positions of the vertices of a mesh, m:
///   point   at the middle of its box, spread over a thousandth of its longest side: exactly one point would
///           leave no constraint a direction
///   plane   in place in x and z, at the middle in y, spread as much
///   random  anywhere in the box
/// A function of the seed and the vertex's number.
std::vector<glm::dvec3> start_positions(Start start, std::span<const glm::dvec3> rest, std::uint64_t seed);

}  // namespace limber
