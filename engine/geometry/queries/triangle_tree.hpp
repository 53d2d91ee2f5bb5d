// A bounding volume hierarchy over the triangles of a mesh: distances to the surface, and winding numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Built once, then read by any number of threads.
class TriangleTree {
 public:
  /// `mesh` must have at least one triangle and none without area. It is copied.
  explicit TriangleTree(const TriMesh& mesh);

  /// Distance from `p` to the nearest triangle, or `within` if none is nearer than that. m.
  double distance(const glm::dvec3& p, double within) const;

  /// A point of the surface.
  struct Nearest {
    glm::dvec3 point;
    glm::dvec3 normal;  ///< unit, of the nearest triangle; of several equally near ones, of the one that
                        ///< faces `p`, or faces away from it, most directly
    double distance;    ///< m
  };
  /// The nearest point of the surface if it is nearer to `p` than `within`, else its distance is `within`.
  Nearest nearest(const glm::dvec3& p, double within) const;

  /// Generalised winding number (Jacobson et al. 2013): the solid angle of the surface seen from `p` over 4
  /// pi. For a closed mesh wound outwards 1 inside and 0 outside, also where it intersects itself. Far groups
  /// of triangles count as one dipole (Barill et al. 2018, first order), which errs by a few hundredths.
  double winding_number(const glm::dvec3& p) const;

 private:
  using Corners = std::array<glm::dvec3, 3>;
  struct Node {
    glm::dvec3 low, high;       ///< box of its triangles
    glm::dvec3 center;          ///< area-weighted centroid
    glm::dvec3 area_vector;     ///< sum of area times normal, m^2
    double radius;              ///< m, from `center` to the farthest corner
    std::int32_t first, count;  ///< triangles
    std::int32_t right;         ///< the other child; the left one is the next node; 0 for a leaf
  };

  template <class Act>
  void search(const glm::dvec3& p, const double& best, const Act& act) const;
  std::int32_t build(std::int32_t first, std::int32_t count);
  static double squared_distance_to_box(const Node& node, const glm::dvec3& p);

  std::vector<Node> nodes_;
  std::vector<Corners> triangles_;
};

}  // namespace limber
