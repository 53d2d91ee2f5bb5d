// Triangles of a mesh that have the same three vertices.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Numbers of the triangles to drop, ascending, so that no two are left with the same three vertices. Of such
/// a group the first triangle is kept where the surface needs it: where an edge of it has exactly one
/// triangle besides the group (a mesh that lists each face once per side), or the group stands alone and all
/// of it is wound one way (a face listed twice). None is kept where an edge has two other triangles, which
/// meet without it, and of a pair that stands alone back to back, which encloses nothing; unless nothing
/// would be left of the mesh.
std::vector<std::size_t> coincident_triangles(std::span<const Triangle> triangles);

}  // namespace limber
