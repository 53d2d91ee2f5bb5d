// Triangles of a mesh that have the same three vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Numbers of the triangles to drop, ascending, so that no two remaining triangles have the same three
/// vertices. Triangles that share their vertices are a group. A group keeps its first triangle in two cases:
///
/// - Each edge of the group has at most one triangle besides the group, and some edge has one, so that the
///   surface continues there (a mesh that lists each face once per side).
/// - No edge has a triangle besides the group, and all of the group are wound alike (a face listed twice).
///
/// Otherwise the whole group is dropped: at an edge with two other triangles these close the surface without
/// it, and a pair back to back that stands alone encloses nothing. If the mesh would become empty, one
/// triangle of each group is kept.
std::vector<std::size_t> coincident_triangles(std::span<const Triangle> triangles);

}  // namespace limber
