// Triangle meshes as plain arrays, in double so that rest data is exact in either precision.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

namespace limber {

using Index = std::int32_t;
inline constexpr Index no_index = -1;
using Triangle = std::array<Index, 3>;

/// An indexed triangle mesh. Counter-clockwise seen from outside.
struct TriMesh {
  std::vector<glm::dvec3> positions;  ///< m, one per vertex
  std::vector<glm::dvec2> uvs;        ///< one per vertex, or empty
  std::vector<Triangle> triangles;    ///< vertex indices into positions
  std::vector<glm::dvec3> colors{};   ///< RGB, one per vertex, or empty
};

/// Names of vertices and triangles in messages: numbers and lines in the file of the mesh; without a file,
/// numbers from 0.
struct MeshNames {
  std::span<const Index> file_vertices = {};  ///< per vertex: its number in the file, counted from 0
  std::span<const int> triangle_lines = {};   ///< per triangle: the line of its face

  /// The vertex's number as in the file, where the first is 1.
  std::string vertex(Index v) const {
    return std::to_string(file_vertices.empty() ? v : file_vertices[std::size_t(v)] + 1);
  }
  int line(std::size_t triangle) const { return triangle_lines.empty() ? 0 : triangle_lines[triangle]; }
};

}  // namespace limber
