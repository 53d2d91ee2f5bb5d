#include "engine/geometry/field/sharp_surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <tuple>

namespace limber {
namespace {

/// Distance, in cells, from an edge within which the field counts as rounded. At a distance R the field errs
/// by cell^2 / (8 R), here 1/50 of a cell.
constexpr int rounded = 6;
// cosine between the normals of two faces, above which their edge counts as flat
constexpr double flat_edge = 0.5;
constexpr double on_surface = 1e-3;  // cells; nearer to the surface the normal of the triangle is more
                                     // accurate than the direction from it

/// Six times the volume, negative for a mesh that is wound inwards.
double enclosed(const TriMesh& mesh) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles)
    sum += glm::dot(mesh.positions[std::size_t(t[0])],
                    glm::cross(mesh.positions[std::size_t(t[1])], mesh.positions[std::size_t(t[2])]));
  return sum;
}

}  // namespace

SharpSurface::SharpSurface(const TriMesh& mesh, const SignedDistanceField& field, double shell)
    : tree_(mesh), field_(field), shell_(shell), outward_(enclosed(mesh) < 0.0 ? -1.0 : 1.0) {
  mark_edges(mesh);
}

/// Marks the cells around convex edges. A shell has none: its edges are rounded.
void SharpSurface::mark_edges(const TriMesh& mesh) {
  const glm::ivec3& nodes = field_.nodes;
  edge_cells_.assign((std::size_t(nodes.x) * std::size_t(nodes.y) * std::size_t(nodes.z) + 63) / 64, 0);
  if (shell_ > 0.0) return;
  struct Side {
    Index a, b;  ///< ascending
    Index across;
    glm::dvec3 normal;
  };
  std::vector<Side> sides;
  const auto corner = [&](Index v) { return mesh.positions[std::size_t(v)]; };
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 normal =
        glm::normalize(glm::cross(corner(t[1]) - corner(t[0]), corner(t[2]) - corner(t[0])));
    for (int k = 0; k < 3; ++k) {
      const Index one = t[k], other = t[(k + 1) % 3];
      sides.push_back({std::min(one, other), std::max(one, other), t[(k + 2) % 3], normal});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& l, const Side& r) { return std::tie(l.a, l.b) < std::tie(r.a, r.b); });
  for (std::size_t k = 1; k < sides.size(); ++k) {
    const Side &one = sides[k - 1], &other = sides[k];
    if (one.a != other.a || one.b != other.b || glm::dot(one.normal, other.normal) > flat_edge) continue;
    const glm::dvec3 a = corner(one.a);
    if (outward_ * glm::dot(one.normal, corner(other.across) - a) < 0.0) mark_edge(a, corner(one.b));
  }
}

void SharpSurface::mark_edge(const glm::dvec3& a, const glm::dvec3& b) {
  const int steps = 1 + int(2.0 * glm::distance(a, b) / field_.cell);
  for (int k = 0; k <= steps; ++k) {
    const glm::dvec3 p = glm::mix(a, b, double(k) / steps);
    const glm::ivec3 middle = glm::ivec3(glm::floor((p - field_.origin) / field_.cell));
    const glm::ivec3 low = glm::max(middle - rounded, 0), high = glm::min(middle + rounded, field_.nodes - 1);
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
          const std::size_t cell = field_.index(x, y, z);
          edge_cells_[cell / 64] |= std::uint64_t(1) << (cell % 64);
        }
  }
}

SurfaceDistance<double> SharpSurface::at(const glm::dvec3& p, const SurfaceDistance<double>& rough,
                                         double within) const {
  const TriangleTree::Nearest near = tree_.nearest(p, within + 0.5 * shell_);
  if (!(near.distance < within + 0.5 * shell_))
    return rough.d < 0.0 ? rough : SurfaceDistance<double>{std::max(rough.d, within), rough.n};
  const glm::dvec3 away = p - near.point;
  const bool at_it = near.distance < on_surface * field_.cell;
  if (shell_ > 0.0) {
    if (at_it) return rough;
    return {near.distance - 0.5 * shell_, away / near.distance};
  }
  const glm::dvec3 normal = outward_ * near.normal;
  const double side = glm::dot(away, normal) < 0.0 ? -1.0 : 1.0;
  if ((rough.d < 0.0) != (side < 0.0) && !at_it && (std::abs(tree_.winding_number(p)) > 0.5) != (side < 0.0))
    return rough;
  return {side * near.distance, at_it ? normal : side / near.distance * away};
}

}  // namespace limber
