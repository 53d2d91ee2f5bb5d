// Merges vertices that coincide.
#pragma once

#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Returns for each point the number of the point it becomes: the first kept one within `tolerance` > 0 (m),
/// else itself. Points are kept in the given order, so the result depends on nothing else. Linear time as
/// long as the points spread over less than 1e15 tolerances.
std::vector<Index> weld(std::span<const glm::dvec3> points, double tolerance);

}  // namespace limber
