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

/// For each corner, triangle after triangle, the number of its group at its vertex, from 0. Creases (edges
/// steeper than `degrees`) separate the groups around a vertex; corners of one group share a normal. A single
/// crease that ends at a vertex separates nothing there. At most 256 groups.
std::vector<std::uint8_t> smoothing_groups(std::span<const Triangle> triangles,
                                           std::span<const glm::dvec3> positions,
                                           double degrees = crease_degrees);

}  // namespace limber
