// Quickhull in three dimensions. It gives triangles, which convex_hull() joins to polygons.
#pragma once

#include <array>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// A closed surface around points; convex within the tolerance it was made with.
struct TriangleHull {
  std::vector<glm::dvec3> points;                ///< m, all that were given
  std::vector<Triangle> triangles;               ///< counter-clockwise from outside
  std::vector<std::array<Index, 3>> neighbours;  ///< the triangle over the edge from corner k to corner k + 1

  const glm::dvec3& corner(Index triangle, int k) const {
    return points[std::size_t(triangles[std::size_t(triangle)][std::size_t(k)])];
  }
  glm::dvec3 area_vector(Index triangle) const {  ///< m^2, out of the hull, twice the area
    return glm::cross(corner(triangle, 1) - corner(triangle, 0), corner(triangle, 2) - corner(triangle, 0));
  }
};

/// Adds the point that is farthest outside, until no point is outside by more than `tolerance` m or the hull
/// has `most_vertices`. The result has no triangles if rounding has cut the surface in two; a larger
/// tolerance helps. Fails on points within a few tolerances of one point, line or plane.
Expected<TriangleHull> quickhull(std::span<const glm::dvec3> points, double tolerance,
                                 std::size_t most_vertices);

}  // namespace limber
