// Edges, hinges and the manifold check of a triangle mesh.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

using Edge = std::array<Index, 2>;  ///< smaller vertex first

/// Two triangles over an edge: the stencil of all four-point elements (worked case bend_signed_theta of
/// tests/vectors.json):
///
///            p2
///           /  |      p0-p1: the shared edge
///         p0 --p1     p2: opposite in the triangle that contains p0 -> p1 ... wound (p0, p1, p2)
///           |  /      p3: opposite in the other triangle, wound (p1, p0, p3)
///            p3
using Hinge = std::array<Index, 4>;

struct MeshTopology {
  std::vector<Edge> edges;    ///< unique, in order of first appearance over the triangles
  std::vector<Hinge> hinges;  ///< one per interior edge, in edge order
  int boundary_edges = 0;
};

/// Finds edges and hinges. Refuses an edge with more than two triangles ("edge 70-138 is shared by 4
/// triangles ..."), a degenerate or out-of-range triangle. Two triangles that run along their edge in the
/// same direction (flipped winding) still make a hinge. Two triangles with the same three vertices are
/// refused too: they have no hinge. `names`: names of the parts in messages (ObjMesh::names()); errors have
/// the line that they are about, but no file. With `sheets` any number of triangles may meet at an edge,
/// which then makes no hinge.
Expected<MeshTopology> build_topology(std::span<const Triangle> triangles, Index vertex_count,
                                      const MeshNames& names = {}, bool sheets = false);

/// Share of each vertex in the areal mass: m_i = density * (1/3) * area of the adjacent triangles. kg.
std::vector<double> vertex_masses(const TriMesh& mesh, double density);

}  // namespace limber
