// Tetrahedral meshes as plain arrays, in double so that rest data is exact in either precision.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Vertex indices of a tetrahedron. Its volume, (p1 - p0) x (p2 - p0) . (p3 - p0) / 6, is positive.
using Tet = std::array<Index, 4>;

/// Largest number of tetrahedra that a solid may have.
inline constexpr std::size_t most_tets = 500'000;

struct TetMesh {
  std::vector<glm::dvec3> positions;  ///< m, one per vertex
  std::vector<Tet> tets;              ///< vertex indices into positions
};

/// Corners of the face opposite to each corner of a tetrahedron, counter-clockwise seen from outside.
inline constexpr std::array<std::array<std::size_t, 3>, 4> tet_faces{
    {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// The six edges of a tetrahedron; edge 5 - e is opposite to edge e.
inline constexpr std::array<std::array<std::size_t, 2>, 6> tet_edge_corners{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Signed volume, m^3: negative if the tetrahedron is inside out.
double tet_volume(std::span<const glm::dvec3> positions, const Tet& tet);

/// Swaps two vertices of every tetrahedron with a negative volume. Returns how many there were.
int turn_inverted_tets(TetMesh& mesh);

std::vector<double> tet_volumes(const TetMesh& mesh);  ///< m^3, per tetrahedron
double total_volume(const TetMesh& mesh);              ///< m^3

/// Share of each vertex in the mass: m_i = density * (1/4) * volume of the adjacent tetrahedra. kg.
std::vector<double> tet_vertex_masses(const TetMesh& mesh, double density);

/// Every edge once, sorted.
std::vector<Edge> tet_edges(std::span<const Tet> tets);

/// A face of a tetrahedron.
struct TetFace {
  Triangle vertices;  ///< counter-clockwise seen from outside the tetrahedron
  Index tet;
  int corner;    ///< of the tetrahedron, opposite to the face
  Triangle key;  ///< the vertices in rising order
  bool even;     ///< whether `vertices` is an even permutation of `key`
};

/// All faces, sorted by key, then by tetrahedron: two faces with one key belong to neighbours.
std::vector<TetFace> sorted_tet_faces(std::span<const Tet> tets);

/// The boundary of a tetrahedral mesh as a closed triangle mesh with vertex numbers of its own.
struct TetSurface {
  std::vector<Triangle> triangles;  ///< counter-clockwise seen from outside, indices into `vertices`
  std::vector<Index> vertices;      ///< per surface vertex: its vertex of the tetrahedral mesh, rising
};
TetSurface tet_surface(const TetMesh& mesh);

/// Positions and triangles of the boundary. No uvs.
TriMesh surface_mesh(const TetMesh& mesh, const TetSurface& surface);

/// The number of pieces that are not connected by a common face, and the piece of each tetrahedron, counted
/// from 0 in the order of their first tetrahedra.
struct TetPieces {
  int count = 0;
  std::vector<int> of_tet;
};
TetPieces tet_pieces(std::span<const Tet> tets);

/// Names of a tetrahedral mesh's parts in messages: their numbers and lines in its files.
struct TetNames {
  long first = 0;                        ///< number of the first vertex and tetrahedron in the files
  std::span<const Index> file_vertices;  ///< per vertex: its place in the file; empty: the same
  std::span<const int> tet_lines;        ///< per tetrahedron; empty: unknown

  std::string vertex(Index v) const;
  std::string tet(std::size_t t) const { return std::to_string(first + long(t)); }
  int line(std::size_t t) const { return tet_lines.empty() ? 0 : tet_lines[t]; }
};

/// Refuses meshes that cannot be simulated: no tetrahedra, an index out of range, a repeated vertex, a volume
/// that is not positive or under 1e-9 of the longest edge cubed, a face of more than two tetrahedra, and two
/// tetrahedra on one side of their common face (they overlap). Errors have a line, but no file.
Expected<void> check_tet_mesh(const TetMesh& mesh, const TetNames& names = {});

}  // namespace limber
