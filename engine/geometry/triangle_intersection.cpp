#include "engine/geometry/triangle_intersection.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace limber {
namespace {

/// Six times the signed volume of the tetrahedron a b c d.
double volume(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& d) {
  return glm::dot(b - a, glm::cross(c - a, d - a));
}

struct Bounds {
  glm::dvec3 low, high;
  bool overlaps(const Bounds& o) const {
    return glm::all(glm::lessThanEqual(low, o.high)) && glm::all(glm::lessThanEqual(o.low, high));
  }
};

/// A triangle in a cell of the grid.
struct Entry {
  std::uint64_t cell;
  std::int32_t triangle;
  bool operator<(const Entry& o) const { return cell != o.cell ? cell < o.cell : triangle < o.triangle; }
};

/// Cells of the mean size of the triangles' boxes, 2^21 of them along each axis, numbered around.
class Grid {
 public:
  Grid(std::span<const Bounds> bounds) {
    double sum = 0.0;
    std::int64_t count = 0;
    for (const Bounds& b : bounds) {
      if (b.low.x > b.high.x) continue;
      const glm::dvec3 size = b.high - b.low;
      sum += std::max(size.x, std::max(size.y, size.z));
      ++count;
    }
    cell_ = count > 0 && sum > 0.0 ? sum / double(count) : 1.0;
  }
  glm::i64vec3 at(const glm::dvec3& x) const {
    return glm::i64vec3(glm::floor(glm::clamp(x / cell_, -1e15, 1e15)));
  }
  static std::uint64_t key(const glm::i64vec3& c) {
    constexpr std::uint64_t mask = (1u << 21) - 1;
    return (std::uint64_t(c.x) & mask) << 42 | (std::uint64_t(c.y) & mask) << 21 |
           (std::uint64_t(c.z) & mask);
  }

 private:
  double cell_;
};

bool common_vertex(const std::array<std::int32_t, 3>& a, const std::array<std::int32_t, 3>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::int32_t v) { return std::find(b.begin(), b.end(), v) != b.end(); });
}

}  // namespace

bool pierces(const glm::dvec3& a, const glm::dvec3& b, const TrianglePoints& t) {
  const double side_a = volume(t[0], t[1], t[2], a), side_b = volume(t[0], t[1], t[2], b);
  if (!(side_a * side_b < 0.0)) return false;
  const double u = volume(a, b, t[0], t[1]), v = volume(a, b, t[1], t[2]), w = volume(a, b, t[2], t[0]);
  return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

bool intersect(const TrianglePoints& a, const TrianglePoints& b) {
  for (std::size_t j = 0; j < 3; ++j)
    if (pierces(a[j], a[(j + 1) % 3], b) || pierces(b[j], b[(j + 1) % 3], a)) return true;
  return false;
}

std::vector<TrianglePair> find_intersections(std::span<const std::array<std::int32_t, 3>> triangles,
                                             std::span<const glm::dvec3> positions) {
  const auto corners = [&](std::int32_t t) {
    const auto& v = triangles[std::size_t(t)];
    return TrianglePoints{positions[std::size_t(v[0])], positions[std::size_t(v[1])],
                          positions[std::size_t(v[2])]};
  };
  constexpr double most = std::numeric_limits<double>::max();
  std::vector<Bounds> bounds(triangles.size(), {glm::dvec3(most), glm::dvec3(-most)});
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const TrianglePoints x = corners(std::int32_t(t));
    const glm::dvec3 sum = x[0] + x[1] + x[2];
    if (!std::isfinite(sum.x + sum.y + sum.z)) continue;
    bounds[t] = {glm::min(x[0], glm::min(x[1], x[2])), glm::max(x[0], glm::max(x[1], x[2]))};
  }
  const Grid grid(bounds);
  constexpr std::int64_t widest =
      64;  // a triangle over more cells along an axis goes to the list of large ones
  std::vector<Entry> entries;
  std::vector<std::int32_t> large;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (bounds[t].low.x > bounds[t].high.x) continue;
    const glm::i64vec3 low = grid.at(bounds[t].low), high = grid.at(bounds[t].high);
    if (glm::any(glm::greaterThan(high - low, glm::i64vec3(widest)))) {
      large.push_back(std::int32_t(t));
      continue;
    }
    for (std::int64_t x = low.x; x <= high.x; ++x)
      for (std::int64_t y = low.y; y <= high.y; ++y)
        for (std::int64_t z = low.z; z <= high.z; ++z)
          entries.push_back({Grid::key({x, y, z}), std::int32_t(t)});
  }
  std::sort(entries.begin(), entries.end());

  std::vector<TrianglePair> found;
  const auto meet = [&](std::int32_t a, std::int32_t b) {
    if (a == b || !bounds[std::size_t(a)].overlaps(bounds[std::size_t(b)])) return;
    if (common_vertex(triangles[std::size_t(a)], triangles[std::size_t(b)])) return;
    if (intersect(corners(a), corners(b))) found.push_back({std::min(a, b), std::max(a, b)});
  };
  for (std::size_t first = 0, last; first < entries.size(); first = last) {
    for (last = first + 1; last < entries.size() && entries[last].cell == entries[first].cell;) ++last;
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t j = i + 1; j < last; ++j) meet(entries[i].triangle, entries[j].triangle);
  }
  for (std::int32_t a : large)
    for (std::size_t b = 0; b < triangles.size(); ++b) meet(a, std::int32_t(b));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace limber
