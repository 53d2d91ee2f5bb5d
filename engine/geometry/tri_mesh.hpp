// Triangle meshes as plain arrays, in double so that rest data is exact in either precision.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
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
};

}  // namespace limber
