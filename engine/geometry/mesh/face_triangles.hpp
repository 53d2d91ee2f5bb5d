// The polygons of a mesh as triangles that keep the surface a surface.
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
/// faces meet at it: a diagonal that is an edge of a face already, or a diagonal of another one, gives way to
/// the next best of its face, or, where that has none left, of the other face. Two quads with three common
/// vertices are such a pair: their shorter diagonal is the same one. Where neither face has another diagonal
/// the surface cannot be kept, and the edge has more triangles.
std::vector<FaceTriangle> triangulate_faces(const Faces& faces);

}  // namespace limber
