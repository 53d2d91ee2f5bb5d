// Creases of a surface: edges at which its smooth normals end.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Triangles that meet at an edge more steeply than this keep it. degrees
inline constexpr double crease_degrees = 40.0;

/// Parts the corners of the triangles around each vertex where a crease, an edge steeper than `degrees`, lies
/// between them: per corner, triangle after triangle, the number of its group at its vertex, from 0. Corners
/// of one group share a normal. A crease that ends at a vertex parts nothing there. At most 256 groups.
std::vector<std::uint8_t> smoothing_groups(std::span<const Triangle> triangles,
                                           std::span<const glm::dvec3> positions,
                                           double degrees = crease_degrees);

}  // namespace limber
