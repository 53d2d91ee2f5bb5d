#include "engine/geometry/mesh/creases.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <numeric>
#include <tuple>

#include "engine/core/find_root.hpp"

namespace limber {
namespace {

/// An edge of one triangle: corners 3 t + k of its two ends.
struct TriangleSide {
  Index low, high;  ///< vertices
  std::size_t low_corner, high_corner;
};

std::vector<TriangleSide> sides_by_edge(std::span<const Triangle> triangles) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      TriangleSide side{triangles[t][k], triangles[t][next], 3 * t + k, 3 * t + next};
      if (side.high < side.low) std::swap(side.low, side.high), std::swap(side.low_corner, side.high_corner);
      sides.push_back(side);
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& a, const TriangleSide& b) {
    return std::tie(a.low, a.high, a.low_corner) < std::tie(b.low, b.high, b.low_corner);
  });
  return sides;
}

}  // namespace

std::vector<std::uint8_t> smoothing_groups(std::span<const Triangle> triangles,
                                           std::span<const glm::dvec3> positions, double degrees) {
  const auto at = [&](Index v) { return positions[std::size_t(v)]; };
  std::vector<glm::dvec3> normals;
  for (const auto& [a, b, c] : triangles) {
    const glm::dvec3 n = glm::cross(at(b) - at(a), at(c) - at(a));
    const double length = glm::length(n);
    normals.push_back(length > 0.0 ? n / length : glm::dvec3(0.0));
  }
  std::vector<std::int32_t> parents(3 * triangles.size());
  std::iota(parents.begin(), parents.end(), 0);
  const auto parent = [&](std::int32_t i) -> std::int32_t& { return parents[std::size_t(i)]; };
  const auto root = [&](std::size_t i) { return std::size_t(find_root(std::int32_t(i), parent)); };
  const auto join = [&](std::size_t i, std::size_t j) {
    i = root(i), j = root(j);
    parents[std::max(i, j)] = std::int32_t(std::min(i, j));
  };
  const double steepest = std::cos(degrees * std::numbers::pi / 180.0);
  const std::vector<TriangleSide> sides = sides_by_edge(triangles);
  for (std::size_t s = 1; s < sides.size(); ++s) {
    const TriangleSide &one = sides[s - 1], &other = sides[s];
    if (one.low != other.low || one.high != other.high) continue;
    if (glm::dot(normals[one.low_corner / 3], normals[other.low_corner / 3]) < steepest) continue;
    join(one.low_corner, other.low_corner);
    join(one.high_corner, other.high_corner);
  }
  std::vector<std::uint8_t> groups(parents.size()), count(positions.size(), 0);
  for (std::size_t corner = 0; corner < parents.size(); ++corner) {
    const std::size_t first = root(corner);
    std::uint8_t& next = count[std::size_t(triangles[corner / 3][corner % 3])];
    groups[corner] = first == corner ? next++ : groups[first];
  }
  return groups;
}

}  // namespace limber
