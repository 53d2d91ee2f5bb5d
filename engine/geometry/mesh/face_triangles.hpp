// Triangulates the polygons of a mesh. An edge gets no more triangles than polygons met at it.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Polygons one after another, as lists of corners.
struct Faces {
  std::span<const glm::dvec3> corners;  ///< m, per corner
  std::span<const Index> vertices;      ///< per corner: its vertex, which joined faces share
  std::span<const std::size_t> ends;    ///< per face: one past its last corner
};

struct FaceTriangle {
  std::array<std::size_t, 3> corners;  ///< numbers in Faces::corners
  std::size_t face;
};

/// Triangulates each face as triangulate_polygon() does, in order, so that no edge gets more triangles than
/// faces meet at it. If a diagonal is already an edge, or the diagonal of an earlier face, the later face is
/// cut again along other diagonals. (Two quads with three common vertices can have the same shorter
/// diagonal.) If the later face has no other diagonals, an earlier face that owns one of them is cut again
/// first. If that fails too, the edge gets too many triangles.
std::vector<FaceTriangle> triangulate_faces(const Faces& faces);

}  // namespace limber
