#include "engine/geometry/mesh/topology.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <utility>

namespace limber {
namespace {

/// Finds the number of an edge in constant time: chained hash buckets, no allocation per edge.
class EdgeTable {
 public:
  explicit EdgeTable(std::size_t triangle_count) : first_(std::bit_ceil(3 * triangle_count + 1), no_index) {
    next_.reserve(3 * triangle_count / 2 + 1);
  }

  /// The number of `edge`, which is appended to `edges` if it is new.
  Index number(const Edge& edge, std::vector<Edge>& edges) {
    Index& head = first_[bucket(edge)];
    for (Index e = head; e != no_index; e = next_[e]) {
      if (edges[e] == edge) return e;
    }
    const Index added = static_cast<Index>(edges.size());
    edges.push_back(edge);
    next_.push_back(head);
    head = added;
    return added;
  }

 private:
  std::size_t bucket(const Edge& edge) const {
    const auto key = static_cast<std::uint64_t>(edge[0]) << 32 | static_cast<std::uint32_t>(edge[1]);
    return (key * 0x9E3779B97F4A7C15ull >> 32) & (first_.size() - 1);
  }

  std::vector<Index> first_;  // per bucket: its newest edge
  std::vector<Index> next_;   // per edge: the older one in the same bucket
};

/// The triangles over one edge: how many, and the first two seen from the edge.
struct EdgeUse {
  int triangles = 0;
  Hinge hinge{no_index, no_index, no_index, no_index};
  std::size_t last = 0;  ///< number of the last triangle
};

/// Text for messages: whether vertices are counted from 0 or from 1.
std::string counted_from(const MeshNames& names) {
  return names.file_vertices.empty() ? " (vertices counted from 0)" : " (vertices counted from 1)";
}

std::optional<Error> check_triangle(const Triangle& t, std::size_t number, Index vertex_count,
                                    const MeshNames& names) {
  for (Index v : t) {
    if (v >= 0 && v < vertex_count) continue;
    return Error{"triangle " + std::to_string(number) + " refers to vertex " + std::to_string(v) +
                     ", the mesh has " + std::to_string(vertex_count),
                 {},
                 names.line(number),
                 "vertices are counted from 0"};
  }
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
    return Error{"triangle " + names.vertex(t[0]) + "-" + names.vertex(t[1]) + "-" + names.vertex(t[2]) +
                     " uses a vertex twice" + counted_from(names),
                 {},
                 names.line(number),
                 "remove it"};
  }
  return {};
}

std::optional<Error> check_manifold(const Edge& edge, const EdgeUse& use, const MeshNames& names) {
  const std::string ends = names.vertex(edge[0]) + "-" + names.vertex(edge[1]);
  if (use.triangles > 2) {
    return Error{"edge " + ends + " is shared by " + std::to_string(use.triangles) +
                     " triangles, a surface has at most 2" + counted_from(names),
                 {},
                 names.line(use.last),
                 "remove inner faces or split the mesh along that edge"};
  }
  if (use.triangles == 2 && use.hinge[2] == use.hinge[3]) {
    return Error{"two triangles have the same vertices " + ends + "-" + names.vertex(use.hinge[2]) +
                     counted_from(names),
                 {},
                 names.line(use.last),
                 "remove one of them"};
  }
  return {};
}

}  // namespace

Expected<MeshTopology> build_topology(std::span<const Triangle> triangles, Index vertex_count,
                                      const MeshNames& names, bool sheets) {
  assert(names.file_vertices.empty() || names.file_vertices.size() >= static_cast<std::size_t>(vertex_count));
  MeshTopology topology;
  EdgeTable table(triangles.size());
  std::vector<EdgeUse> uses;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Triangle& triangle = triangles[t];
    if (auto error = check_triangle(triangle, t, vertex_count, names)) return *error;
    for (int k = 0; k < 3; ++k) {
      const Index from = triangle[k], to = triangle[(k + 1) % 3], opposite = triangle[(k + 2) % 3];
      const Index e = table.number({std::min(from, to), std::max(from, to)}, topology.edges);
      if (e == static_cast<Index>(uses.size())) uses.push_back({0, {from, to, opposite, no_index}});
      uses[e].last = t;
      if (++uses[e].triangles == 2) uses[e].hinge[3] = opposite;
    }
  }
  for (std::size_t e = 0; e < uses.size(); ++e) {
    const auto error = sheets ? std::nullopt : check_manifold(topology.edges[e], uses[e], names);
    if (error) return *error;
    if (uses[e].triangles == 2) topology.hinges.push_back(uses[e].hinge);
    if (uses[e].triangles == 1) ++topology.boundary_edges;
  }
  return topology;
}

std::vector<double> vertex_masses(const TriMesh& mesh, double density) {
  std::vector<double> masses(mesh.positions.size(), 0.0);
  for (const auto& [a, b, c] : mesh.triangles) {
    const glm::dvec3 &p = mesh.positions[a], &q = mesh.positions[b], &r = mesh.positions[c];
    const double area = 0.5 * glm::length(glm::cross(q - p, r - p));
    for (Index v : {a, b, c}) masses[v] += density * area / 3.0;
  }
  return masses;
}

}  // namespace limber
