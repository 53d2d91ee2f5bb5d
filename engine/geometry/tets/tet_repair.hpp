// Makes a tetrahedral mesh fit for a collision surface.
#pragma once

#include <vector>

#include "engine/geometry/tets/tet_mesh.hpp"

namespace limber {

/// Counts of make_manifold().
struct ManifoldRepair {
  int split_vertices = 0;
  int dropped_tets = 0;
};

/// Makes the boundary a manifold: two triangles at every edge, one fan at every vertex. A vertex that joins
/// parts without a common face is divided among them; at an edge that still has more than two triangles, the
/// parts with fewer tetrahedra are dropped.
ManifoldRepair make_manifold(TetMesh& mesh);

/// Separates vertices that lie at one place (make_manifold() leaves them where parts touch): moves each by
/// `gap` m into its own part, or less if a tetrahedron would lose half of its volume. Otherwise surfaces
/// would share a point, which counts as an intersection, and contacts could not distinguish their sides.
/// Returns the number of vertices moved.
int part_touching_vertices(TetMesh& mesh, double gap);

/// Drops pieces (tet_pieces()) of less than `least` of the whole volume; returns how many.
int drop_small_pieces(TetMesh& mesh, double least);

/// Drops vertices that no tetrahedron uses; the others keep their order. Returns the former number of each
/// remaining vertex.
std::vector<Index> drop_unused_vertices(TetMesh& mesh);

}  // namespace limber
