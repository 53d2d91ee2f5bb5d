#include "engine/geometry/signed_distance_field.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <string>

#include "engine/geometry/topology.hpp"
#include "engine/geometry/triangle_tree.hpp"

namespace limber {
namespace {

Expected<void> check_closed(const TriMesh& mesh) {
  const Expected<MeshTopology> topology = build_topology(mesh.triangles, Index(mesh.positions.size()));
  if (!topology) return topology.error();
  if (mesh.triangles.empty()) return Error{"the mesh has no triangles", "", 0, ""};
  if (topology->boundary_edges == 0) return {};
  return Error{"the mesh is open (" + std::to_string(topology->boundary_edges) +
                   " boundary edges), so it has no inside to keep cloth out of",
               "", 0, "close its holes in a modelling program (Blender: Mesh, Clean Up, Fill Holes)"};
}

SignedDistanceField empty_grid(const TriMesh& mesh, int resolution) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : mesh.positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  SignedDistanceField field;
  field.cell = std::max(extent.x, std::max(extent.y, extent.z)) / resolution;
  field.origin = low - field.cell * field_padding;
  // one node more than cells; the slack keeps the longest side at `resolution` cells despite rounding
  for (int k = 0; k < 3; ++k)
    field.nodes[k] = int(std::ceil(extent[k] / field.cell - 1e-9)) + 1 + 2 * field_padding;
  field.values.resize(std::size_t(field.nodes.x) * std::size_t(field.nodes.y) * std::size_t(field.nodes.z));
  return field;
}

/// One row of nodes along x. It starts in the padding, so outside. A neighbour bounds the distance, and
/// within a node's own distance the sign cannot change.
void measure_row(const TriangleTree& tree, int y, int z, SignedDistanceField& field) {
  const double slack = 1.0 + 1e-9;
  double within = std::numeric_limits<double>::infinity(), previous = within;
  bool inside = false;
  float* out = field.values.data() + field.index(0, y, z);
  for (int x = 0; x < field.nodes.x; ++x) {
    const glm::dvec3 p = field.origin + field.cell * glm::dvec3(x, y, z);
    const double d = tree.distance(p, within);
    if (!(std::max(d, previous) > field.cell * slack)) inside = std::abs(tree.winding_number(p)) > 0.5;
    out[x] = float(inside ? -d : d);
    within = (d + field.cell) * slack;
    previous = d;
  }
}

}  // namespace

Expected<SignedDistanceField> build_distance_field(const TriMesh& mesh, int resolution, Pool& pool,
                                                   std::atomic<float>* progress) {
  if (const Expected<void> closed = check_closed(mesh); !closed) return closed.error();
  SignedDistanceField field = empty_grid(mesh, resolution);
  const TriangleTree tree(mesh);
  const std::int64_t rows = std::int64_t(field.nodes.y) * field.nodes.z;
  std::atomic<std::int64_t> done{0};
  pool.run([&](Team& team) {
    // rows dealt out in turn: those near the surface take longer and lie together
    for (std::int64_t row = team.rank(); row < rows; row += team.size()) {
      measure_row(tree, int(row % field.nodes.y), int(row / field.nodes.y), field);
      if (progress) progress->store(float(++done) / float(rows), std::memory_order_relaxed);
    }
  });
  return field;
}

}  // namespace limber
