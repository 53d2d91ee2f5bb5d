#include "engine/geometry/tets/tet_quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

namespace limber {
namespace {

/// Angle in degrees between the faces that meet at the edge from a to b; their third corners are c and d.
double dihedral(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& d) {
  const glm::dvec3 m = glm::cross(b - a, c - a), n = glm::cross(b - a, d - a);
  return std::atan2(glm::length(glm::cross(m, n)), glm::dot(m, n)) * 180.0 / std::numbers::pi;
}

}  // namespace

TetQuality tet_quality(const TetMesh& mesh) {
  TetQuality out{mesh.tets.size(), mesh.positions.size()};
  if (mesh.tets.empty()) return out;
  out.smallest_volume = out.smallest_dihedral = out.worst_shape = std::numeric_limits<double>::max();
  for (const Tet& tet : mesh.tets) {
    const auto corner = [&](std::size_t k) { return mesh.positions[std::size_t(tet[k])]; };
    double squares = 0.0;
    for (std::size_t e = 0; e < 6; ++e) {
      const auto [a, b] = tet_edge_corners[e];
      const auto [c, d] = tet_edge_corners[5 - e];
      const double angle = dihedral(corner(a), corner(b), corner(c), corner(d));
      out.smallest_dihedral = std::min(out.smallest_dihedral, angle);
      out.largest_dihedral = std::max(out.largest_dihedral, angle);
      const glm::dvec3 edge = corner(b) - corner(a);
      squares += glm::dot(edge, edge) / 6.0;
    }
    const double volume = tet_volume(mesh.positions, tet);
    out.volume += volume;
    out.smallest_volume = std::min(out.smallest_volume, volume);
    out.worst_shape =
        std::min(out.worst_shape, 6.0 * std::numbers::sqrt2 * volume / (squares * std::sqrt(squares)));
  }
  return out;
}

std::string to_text(const TetQuality& quality) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "%zu tetrahedra with %zu vertices, dihedral angles from %.3g to %.3g degrees", quality.tets,
                quality.vertices, quality.smallest_dihedral, quality.largest_dihedral);
  return text.data();
}

}  // namespace limber
