// Generated tetrahedral meshes: bars, blocks and balls.
#pragma once

#include <glm/vec3.hpp>
#include <string_view>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// Division of a cell of a bar into tetrahedra.
///
/// five: a tetrahedron in the middle and one at every second corner of the cell; neighbouring cells are
/// mirror images, so that their faces have one diagonal. It has no preferred direction and, for cubes,
/// dihedral angles from 54.7 to 90 degrees, but the middle one is twice as large as the others.
/// six: Kuhn's, six tetrahedra of equal volume around one diagonal of the cell, the same in every cell.
/// Angles from 45 to 90 degrees, all elements congruent, but all long diagonals point the same way, so
/// that a bar bends a little more easily to one side than to the other.
/// Five is the better choice for pictures and for bending, six where elements should be of one size.
enum class TetSplit : int { five, six };

/// A bar of `size` m about the origin in cells.x * cells.y * cells.z boxes, each at least 1. A block is the
/// same with nearly cubic cells. Vertex (i, j, k) of the grid has the number bar_vertex().
TetMesh make_tet_bar(const glm::ivec3& cells, const glm::dvec3& size, TetSplit split = TetSplit::five);

/// x fastest, then y, then z.
constexpr Index bar_vertex(const glm::ivec3& cells, int i, int j, int k) {
  return Index(i + (cells.x + 1) * (j + (cells.y + 1) * k));
}

/// The vertices of a side of a bar: "left" and "right" (x), "bottom" and "top" (y), "back" and "front" (z),
/// or "all". Fails on another name.
Expected<std::vector<Index>> bar_vertices(std::string_view name, const glm::ivec3& cells);

/// A ball of `radius` m about the origin in 20 layers^3 tetrahedra: an icosahedron, each of the 20
/// tetrahedra from its centre to a face split along `layers` >= 1 equal steps, and each shell of vertices
/// drawn onto its sphere. The surface is a geodesic sphere of 20 layers^2 triangles.
TetMesh make_tet_ball(double radius, int layers);

}  // namespace limber
