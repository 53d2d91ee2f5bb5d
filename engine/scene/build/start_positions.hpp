// Start positions that destroy an object's shape, to see the shape return (slides on Mueller et al. 2006,
// figure 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// Start positions of the vertices of a mesh, m, with the bounding box of `rest`:
///   point   at random in a cube at the middle of the box, with sides a thousandth of the box's longest: if
///           all vertices were at one point, no constraint would have a direction
///   plane   x and z as at rest, y at random in the y range of that cube
///   random  at random anywhere in the box
/// The random numbers depend only on the seed and on the number of the vertex.
std::vector<glm::dvec3> start_positions(Start start, std::span<const glm::dvec3> rest, std::uint64_t seed);

}  // namespace limber
