// Triangles of a mesh that have the same three vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Numbers of the triangles to drop, ascending, so that no two remaining ones have the same three vertices.
/// Such a group keeps its first triangle if the surface needs it: if one of its edges has exactly one
/// triangle besides the group (a mesh that lists each face once per side), or if the group stands alone and
/// is wound one way (a face listed twice). No triangle is kept if an edge has two other triangles, which meet
/// without it, or if the group is a pair back to back that stands alone and encloses nothing. If the mesh
/// would become empty, one is kept.
std::vector<std::size_t> coincident_triangles(std::span<const Triangle> triangles);

}  // namespace limber
