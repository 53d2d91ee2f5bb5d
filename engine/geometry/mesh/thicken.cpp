#include "engine/geometry/mesh/thicken.hpp"

#include <glm/geometric.hpp>
#include <set>

namespace limber {

TriMesh thickened(const TriMesh& mesh, double thickness) {
  const std::size_t count = mesh.positions.size();
  std::vector<glm::dvec3> normals(count, glm::dvec3(0.0));
  std::set<std::pair<Index, Index>> edges;
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 &a = mesh.positions[std::size_t(t[0])], &b = mesh.positions[std::size_t(t[1])],
                     &c = mesh.positions[std::size_t(t[2])];
    for (std::size_t j = 0; j < 3; ++j) {
      normals[std::size_t(t[j])] += glm::cross(b - a, c - a);
      edges.insert({t[j], t[(j + 1) % 3]});
    }
  }
  TriMesh out;
  for (const double side : {0.5, -0.5})
    for (std::size_t v = 0; v < count; ++v) {
      const double length = glm::length(normals[v]);
      const glm::dvec3 way = length > 0.0 ? normals[v] * (side * thickness / length) : glm::dvec3(0.0);
      out.positions.push_back(mesh.positions[v] + way);
    }
  const auto below = [&](Index v) { return v + Index(count); };
  for (const auto& [a, b, c] : mesh.triangles) {
    out.triangles.push_back({a, b, c});
    out.triangles.push_back({below(a), below(c), below(b)});
  }
  for (const auto& [a, b] : edges) {
    if (edges.contains({b, a})) continue;
    out.triangles.push_back({b, a, below(a)});
    out.triangles.push_back({b, below(a), below(b)});
  }
  return out;
}

}  // namespace limber
