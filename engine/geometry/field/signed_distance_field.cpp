#include "engine/geometry/field/signed_distance_field.hpp"

#include <cmath>
#include <cstdio>
#include <glm/common.hpp>
#include <limits>
#include <string>

#include "engine/geometry/mesh/topology.hpp"
#include "engine/geometry/queries/triangle_tree.hpp"

namespace limber {
namespace {

Expected<void> check_closed(const TriMesh& mesh) {
  const Expected<MeshTopology> topology = build_topology(mesh.triangles, Index(mesh.positions.size()));
  if (!topology) return topology.error();
  if (topology->boundary_edges == 0) return {};
  return Error{
      "the mesh is open (" + std::to_string(topology->boundary_edges) +
          " boundary edges), so it has no inside to keep cloth out of",
      "", 0,
      "give the collider a 'shell', the thickness of a sheet with two sides, or close the holes in a "
      "modelling program (Blender: Mesh, Clean Up, Fill Holes)"};
}

/// Checks the shell's thickness. Messages name no unit: the mesh's may differ from the scene's.
Expected<void> check_shell(double shell, double cell, int resolution) {
  const double cells = shell / cell;
  if (cells > 0.25 * resolution)
    return Error{"its shell is thicker than a quarter of the mesh's longest side", "", 0,
                 "close the mesh instead"};
  if (cells >= 2.0) return {};
  char text[96], hint[96];
  std::snprintf(text, sizeof text, "its shell is %.2g cells of its distance field thick, and must be 2",
                cells);
  std::snprintf(hint, sizeof hint, "a 'shell' %.3g times as thick, or a 'resolution' of %.0f", 2.0 / cells,
                std::ceil(resolution * 2.0 / cells));
  return Error{text, "", 0, hint};
}

SignedDistanceField empty_grid(const TriMesh& mesh, int resolution, double shell) {
  glm::dvec3 low(std::numeric_limits<double>::max()), high = -low;
  for (const glm::dvec3& x : mesh.positions) low = glm::min(low, x), high = glm::max(high, x);
  const glm::dvec3 extent = high - low;
  SignedDistanceField field;
  field.cell = std::max(extent.x, std::max(extent.y, extent.z)) / resolution;
  const int padding = field_padding + int(std::ceil(0.5 * shell / field.cell));
  field.origin = low - field.cell * double(padding);
  // one node more than cells; the slack keeps the longest side at `resolution` cells despite rounding
  for (int k = 0; k < 3; ++k)
    field.nodes[k] = int(std::ceil(extent[k] / field.cell - 1e-9)) + 1 + 2 * padding;
  field.values.resize(std::size_t(field.nodes.x) * std::size_t(field.nodes.y) * std::size_t(field.nodes.z));
  return field;
}

/// Measures a row of nodes along x, which starts in the padding and so outside. The distance of the previous
/// node bounds that of the next one, and the sign cannot change within a node's own distance.
void measure_row(const TriangleTree& tree, int y, int z, double shell, SignedDistanceField& field) {
  const double slack = 1.0 + 1e-9;
  double within = std::numeric_limits<double>::infinity(), previous = within;
  bool inside = false;
  float* out = field.values.data() + field.index(0, y, z);
  for (int x = 0; x < field.nodes.x; ++x) {
    const glm::dvec3 p = field.origin + field.cell * glm::dvec3(x, y, z);
    const double d = tree.distance(p, within);
    if (shell > 0.0)
      out[x] = float(d - 0.5 * shell);
    else {
      if (!(std::max(d, previous) > field.cell * slack)) inside = std::abs(tree.winding_number(p)) > 0.5;
      out[x] = float(inside ? -d : d);
    }
    within = (d + field.cell) * slack;
    previous = d;
  }
}

}  // namespace

Expected<SignedDistanceField> build_distance_field(const TriMesh& mesh, int resolution, Pool& pool,
                                                   double shell,
                                                   const std::function<bool(double)>& progress) {
  if (mesh.triangles.empty()) return Error{"the mesh has no triangles", "", 0, ""};
  if (shell <= 0.0)
    if (const Expected<void> closed = check_closed(mesh); !closed) return closed.error();
  SignedDistanceField field = empty_grid(mesh, resolution, shell);
  if (shell > 0.0)
    if (const Expected<void> fine = check_shell(shell, field.cell, resolution); !fine) return fine.error();
  const TriangleTree tree(mesh);
  std::atomic<bool> given_up{false};
  const std::int64_t rows = std::int64_t(field.nodes.y) * field.nodes.z;
  pool.run([&](Team& team) {
    // threads take rows in turn, because the rows near the surface, which take longer, are adjacent
    for (std::int64_t row = team.rank(); row < rows; row += team.size()) {
      if (given_up.load(std::memory_order_relaxed)) return;
      measure_row(tree, int(row % field.nodes.y), int(row / field.nodes.y), shell, field);
      if (progress && team.rank() == 0 && !progress(double(row + 1) / double(rows))) given_up = true;
    }
  });
  if (given_up || (progress && !progress(1.0))) return Error{"the distance field was given up", "", 0, ""};
  return field;
}

}  // namespace limber
