// Convex hulls of point clouds, with the adjacency data that contact between polyhedra needs.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// The half space dot(normal, x) <= offset.
struct HalfSpace {
  glm::dvec3 normal{0.0, 1.0, 0.0};  ///< unit, out of the solid
  double offset = 0.0;               ///< m
};

/// An edge. The loop of `faces[0]` runs along it from vertices[0] to vertices[1], that of `faces[1]` in the
/// opposite direction.
struct HullEdge {
  Index vertices[2];
  Index faces[2];
};

/// A convex polyhedron: flat faces of any number of corners, every edge between two faces that are not
/// coplanar.
struct ConvexPolyhedron {
  std::vector<glm::dvec3> vertices;  ///< m
  std::vector<HalfSpace> planes;     ///< one per face
  std::vector<Index> face_begin;     ///< faces + 1: where a face's loop starts in `loops`
  std::vector<Index> loops;          ///< vertices, counter-clockwise from outside, face after face
  std::vector<Index> loop_edges;     ///< the edge from each corner of `loops` to the next one
  std::vector<HullEdge> edges;
  std::vector<Index> corner_begin;  ///< vertices + 1: where a vertex's faces start in `corner_faces`
  std::vector<Index> corner_faces;  ///< the faces around each vertex, in rising order
  glm::dvec3 center{0.0};           ///< m, the mean of the vertices
  double inradius = 0.0;            ///< m, of the largest ball about the center that is inside
  double circumradius = 0.0;        ///< m, of the smallest about the center that holds it

  std::size_t faces() const { return planes.size(); }
  std::span<const Index> loop(Index face) const { return range(loops, face_begin, face); }
  std::span<const Index> faces_at(Index vertex) const { return range(corner_faces, corner_begin, vertex); }

 private:
  static std::span<const Index> range(const std::vector<Index>& values, const std::vector<Index>& begin,
                                      Index i) {
    const Index from = begin[std::size_t(i)], to = begin[std::size_t(i) + 1];
    return std::span(values).subspan(std::size_t(from), std::size_t(to - from));
  }
};

/// Limit of convex_hull(): a pair of hulls costs as much as the faces of one times the vertices of the other.
inline constexpr std::size_t hull_vertices_max = 250;

/// The convex hull of any points, by Quickhull (Barber, Dobkin and Huhdanpaa 1996). Faces whose planes agree
/// within a tolerance of a few roundings of the extent are one; points that stand out of the hull by less
/// are left out. Fails on fewer than four points, on a point that is not finite and on points that lie
/// within a tolerance of one point, line or plane. A hull of more than `most_vertices` is approximated from
/// inside by those that stand out most. The same points in the same order give the same hull.
Expected<ConvexPolyhedron> convex_hull(std::span<const glm::dvec3> points,
                                       std::size_t most_vertices = hull_vertices_max);

/// The polyhedron with every vertex v at to_local * (v - center): into the frame of a body. `to_local` is a
/// rotation.
ConvexPolyhedron moved_hull(ConvexPolyhedron hull, const glm::dvec3& center, const glm::dmat3& to_local);

/// The hull's surface in triangles, for pictures and for mass properties.
TriMesh hull_mesh(const ConvexPolyhedron& hull);

/// A box of `half_extents` m about the origin. Vertex bits: 1 is +x, 2 is +y, 4 is +z. Faces: +x, -x, +y,
/// -y, +z, -z.
ConvexPolyhedron box_polyhedron(const glm::dvec3& half_extents);

}  // namespace limber
