// Creases of a surface: edges at which it is drawn sharp, with a normal for each side.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Degrees: an edge at which two triangles meet at a larger angle is a crease.
inline constexpr double crease_degrees = 40.0;

/// Divides the corners of the triangles at each vertex into groups, each with a normal of its own. Two
/// triangles that meet at an edge no steeper than `degrees` are in one group at both ends of that edge. A
/// vertex at which two creases meet, or a crease and the border, has two groups. Returns the group of corner
/// k of triangle t at 3 t + k. Groups are numbered from 0 at each vertex and wrap after 256.
std::vector<std::uint8_t> smoothing_groups(std::span<const Triangle> triangles,
                                           std::span<const glm::dvec3> positions,
                                           double degrees = crease_degrees);

}  // namespace limber
