// Removes triangles that are too thin to be simulated.
#pragma once

#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Counts of remove_slivers().
struct SliverReport {
  int short_edges = 0;  ///< edges collapsed because they were shorter than shortest_share of the median edge
  int collapsed = 0;    ///< edges collapsed because they were shorter than shortest_around * thinnest of the
                        ///< longest edge at their ends
  int flipped = 0;      ///< edges flipped: the long sides of caps
  int left = 0;         ///< slivers that could not be removed
  double median_edge = 0.0;    ///< m, of the mesh before the changes
  std::vector<Index> becomes;  ///< per vertex of the mesh before: its number now, or that of the vertex that
                               ///< replaced it in a collapse

  bool changed() const { return short_edges + collapsed + flipped > 0; }
};

/// Edges shorter than this share of the median edge are details too small for a cloth of this mesh.
inline constexpr double shortest_share = 1e-3;

/// An edge is collapsed if it is shorter than shortest_around * `thinnest` times the longest edge at its
/// ends.
inline constexpr double shortest_around = 5.0;

/// Largest displacement of a vertex, as a share of the diagonal of the bounding box
inline constexpr double farthest_share = 0.01;
inline constexpr double most_changed = 0.005;  ///< largest relative change of the area and of the volume
/// A sliver must be thinner than this share of the median thinness of all triangles
inline constexpr double clean_share = 0.1;

/// Removes slivers. A sliver is a triangle whose height over its longest side is less than `thinnest` (> 0)
/// of that side. If its corners move by only that height, its angles change by radians; and a vertex with
/// only slivers has hardly any mass. A few sweeps cannot solve bending and stretching there. Method of Botsch
/// and Kobbelt, "A robust procedure to eliminate degenerate faces from triangle meshes" (2001). A needle has
/// a short side, which is collapsed; sides far shorter than the edges around them, which cuts leave, are
/// collapsed too. A cap has a corner close to its longest side, which is flipped. Corners keep their
/// positions: a collapse removes one end of the edge, if possible one that is not on the border.
///
/// The shape is preserved: no vertex moves by more than `farthest_share` of the mesh's size, and the area,
/// and the volume if the mesh is closed, change by no more than `most_changed` in total. Slivers that cannot
/// be removed within these limits stay. Where most triangles are thin, as in a long tube, only those that are
/// much thinner than the others are slivers.
///
/// A collapse preserves the topology of the surface (link condition, Dey et al. 1999) and rotates no triangle
/// that is not a sliver by more than 60 degrees. Triangles and vertices keep their order; the result depends
/// on nothing but the mesh. Linear time. The mesh must have at most two triangles per edge.
SliverReport remove_slivers(TriMesh& mesh, std::vector<int>& triangle_lines,
                            std::vector<Index>& file_vertices, double thinnest);

}  // namespace limber
