// Triangulates the polygons of a mesh so that edges keep their number of triangles.
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
  std::span<const Index> vertices;      ///< per corner: its vertex, the same one wherever faces are joined
  std::span<const std::size_t> ends;    ///< per face: one past its last corner
};

struct FaceTriangle {
  std::array<std::size_t, 3> corners;  ///< numbers in Faces::corners
  std::size_t face;
};

/// Triangulates each face as triangulate_polygon() does, in order, so that no edge gets more triangles than
/// faces meet at it. A diagonal that is already an edge of a face or a diagonal of another face is replaced
/// by the next best one of its face or, if there is none, of the other face. (Two quads with three common
/// vertices can have the same shorter diagonal.) If neither face has another diagonal, the edge gets too many
/// triangles.
std::vector<FaceTriangle> triangulate_faces(const Faces& faces);

}  // namespace limber
