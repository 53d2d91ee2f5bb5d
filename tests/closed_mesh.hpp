// Whether a mesh is closed, and whether its edges have two triangles.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber::test {

/// Every edge has as many triangles on its left as on its right.
inline bool is_closed(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 0; });
}

/// Every edge has exactly two triangles.
inline bool has_two_sides(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      ++edges[{std::min(a, b), std::max(a, b)}];
    }
  return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 2; });
}

}  // namespace limber::test
