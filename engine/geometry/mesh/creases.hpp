// Creases of a surface: edges at which its smooth normals end.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Degrees: an edge at which two triangles meet at a larger angle is a crease.
inline constexpr double crease_degrees = 40.0;

/// Divides the corners around each vertex into groups that share a normal: corners of triangles that meet at
/// an edge no steeper than `degrees` are in one group. Two creases at a vertex, or a crease and the border,
/// make two groups. Returns for corner 3 t + k the number of its group, from 0 at each vertex; numbers wrap
/// after 256.
std::vector<std::uint8_t> smoothing_groups(std::span<const Triangle> triangles,
                                           std::span<const glm::dvec3> positions,
                                           double degrees = crease_degrees);

}  // namespace limber
