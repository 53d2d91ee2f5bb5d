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
///         p0 --p1     p2: third vertex of the triangle wound (p0, p1, p2)
///           |  /      p3: third vertex of the other triangle, wound (p1, p0, p3)
///            p3
using Hinge = std::array<Index, 4>;

struct MeshTopology {
  std::vector<Edge> edges;    ///< unique, in order of first appearance over the triangles
  std::vector<Hinge> hinges;  ///< one per interior edge, in edge order
  int boundary_edges = 0;
};

/// Finds edges and hinges. Two triangles that run along their edge in the same direction (flipped winding)
/// still make a hinge. Fails on an edge with more than two triangles ("edge 70-138 is shared by 4 triangles
/// ..."), on a degenerate triangle, on a vertex index out of range, and on two triangles with the same three
/// vertices, which have no hinge. `names`: names of the parts in messages (ObjMesh::names()); errors have a
/// line, but no file. With `sheets` any number of triangles may meet at an edge; more than two make no hinge.
Expected<MeshTopology> build_topology(std::span<const Triangle> triangles, Index vertex_count,
                                      const MeshNames& names = {}, bool sheets = false);

/// Share of each vertex in the areal mass: m_i = density * (1/3) * area of the adjacent triangles. kg.
std::vector<double> vertex_masses(const TriMesh& mesh, double density);

}  // namespace limber
