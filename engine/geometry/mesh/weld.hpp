// Merges vertices that coincide.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Merges points, in the given order, and returns for each point the number of the point that stands for it:
/// the first earlier one within `tolerance` > 0 (m) that stands for itself, or else the point's own number.
/// Linear time as long as the points spread over less than 1e15 tolerances.
std::vector<Index> weld(std::span<const glm::dvec3> points, double tolerance);

}  // namespace limber
