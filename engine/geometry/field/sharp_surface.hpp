// Exact distances to the surface of a mesh, whose distance field rounds the edges.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/geometry/field/signed_distance_field.hpp"
#include "engine/geometry/queries/triangle_tree.hpp"

namespace limber {

/// Exact distances to a mesh that has a distance field, in the units of both. The field rounds an edge over a
/// cell, so that between two meshes that lie flush beside each other there would be a groove.
class SharpSurface {
 public:
  /// `field` must outlive the surface; it was built from `mesh` with this `shell`.
  SharpSurface(const TriMesh& mesh, const SignedDistanceField& field, double shell);

  /// Signed distance and unit direction away from the surface, exact if the surface is nearer to `p` than
  /// `within`. Farther away it is `rough`, the result of the field, and outside at least `within`. It is
  /// `rough` also where the surface intersects itself, so that the nearest triangle does not tell inside from
  /// outside.
  SurfaceDistance<double> at(const glm::dvec3& p, const SurfaceDistance<double>& rough, double within) const;

  /// Whether the field at `p` may be rounded by a convex edge at which the faces turn by more than 60
  /// degrees.
  bool near_edge(const glm::dvec3& p) const {
    std::size_t cell = 0;
    for (int k = 2; k >= 0; --k) {
      const double g = (p[k] - field_.origin[k]) / field_.cell;
      if (!(g >= 0.0 && g < double(field_.nodes[k]))) return false;
      cell = cell * std::size_t(field_.nodes[k]) + std::size_t(g);
    }
    return (edge_cells_[cell / 64] >> (cell % 64) & 1U) != 0;
  }

 private:
  void mark_edges(const TriMesh& mesh);
  void mark_edge(const glm::dvec3& a, const glm::dvec3& b);

  TriangleTree tree_;
  const SignedDistanceField& field_;
  std::vector<std::uint64_t> edge_cells_;  ///< one bit per node, x fastest, for the cell above the node
  double shell_;
  double outward_;  ///< -1 for a mesh that is wound inwards
};

}  // namespace limber
