#include "engine/geometry/queries/triangle_intersection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

namespace limber {
namespace {

/// Six times the signed volume of the tetrahedron a b c d.
double volume(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& d) {
  return glm::dot(b - a, glm::cross(c - a, d - a));
}

/// True if triangle x lies on one side of the plane of t; touching the plane counts as well.
bool lies_on_one_side(const TrianglePoints& x, const TrianglePoints& t) {
  const glm::dvec3 normal = glm::cross(t[1] - t[0], t[2] - t[0]);
  const double a = glm::dot(normal, x[0] - t[0]), b = glm::dot(normal, x[1] - t[0]),
               c = glm::dot(normal, x[2] - t[0]);
  return std::min(a, std::min(b, c)) >= 0.0 || std::max(a, std::max(b, c)) <= 0.0;
}

struct Bounds {
  glm::dvec3 low, high;
  bool overlaps(const Bounds& o) const {
    return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y &&
           low.z <= o.high.z && o.low.z <= high.z;
  }
};

/// Grid of cells that are a little larger than the mean box of a triangle.
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
    cell_ = count > 0 && sum > 0.0 ? 1.5 * sum / double(count) : 1.0;
  }
  glm::i64vec3 at(const glm::dvec3& x) const {
    return glm::i64vec3(glm::floor(glm::clamp(x / cell_, -1e15, 1e15)));
  }
  /// Bucket of a cell in a hash table with 2^bits buckets; several cells may share a bucket.
  static std::size_t bucket(const glm::i64vec3& c, int bits) {
    const std::uint64_t mixed = std::uint64_t(c.x) * 0x9e3779b97f4a7c15u +
                                std::uint64_t(c.y) * 0xc2b2ae3d27d4eb4fu +
                                std::uint64_t(c.z) * 0x165667b19e3779f9u;
    return std::size_t((mixed ^ mixed >> 29) * 0x9e3779b97f4a7c15u >> (64 - bits));
  }

 private:
  double cell_;
};

bool common_vertex(const std::array<std::int32_t, 3>& a, const std::array<std::int32_t, 3>& b) {
  bool any = false;
  for (std::int32_t v : a) any |= v == b[0] || v == b[1] || v == b[2];
  return any;
}

}  // namespace

bool pierces(const glm::dvec3& a, const glm::dvec3& b, const TrianglePoints& t) {
  const double side_a = volume(t[0], t[1], t[2], a), side_b = volume(t[0], t[1], t[2], b);
  if (!(side_a * side_b < 0.0)) return false;
  const double u = volume(a, b, t[0], t[1]), v = volume(a, b, t[1], t[2]), w = volume(a, b, t[2], t[0]);
  return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

bool intersect(const TrianglePoints& a, const TrianglePoints& b) {
  if (lies_on_one_side(a, b) || lies_on_one_side(b, a)) return false;
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
  // a triangle over more cells along an axis is tested against all others
  constexpr std::int64_t widest = 64;
  std::vector<std::int32_t> large;
  const auto for_cells = [&](std::size_t t, auto&& act) {
    const glm::i64vec3 low = grid.at(bounds[t].low), high = grid.at(bounds[t].high);
    if (glm::any(glm::greaterThan(high - low, glm::i64vec3(widest)))) return false;
    for (std::int64_t x = low.x; x <= high.x; ++x)
      for (std::int64_t y = low.y; y <= high.y; ++y)
        for (std::int64_t z = low.z; z <= high.z; ++z) act(glm::i64vec3{x, y, z});
    return true;
  };
  const auto finite = [&](std::size_t t) { return bounds[t].low.x <= bounds[t].high.x; };

  // sorts the triangles by bucket: counts them, then places them
  const int bits = std::bit_width(2 * triangles.size() + 1);
  std::vector<std::int32_t> end((std::size_t(1) << bits) + 1, 0);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (finite(t) && !for_cells(t, [&](const glm::i64vec3& c) { ++end[Grid::bucket(c, bits) + 1]; }))
      large.push_back(std::int32_t(t));
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<std::int32_t> members(std::size_t(end.back()));
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (finite(t))
      for_cells(t, [&](const glm::i64vec3& c) {
        members[std::size_t(end[Grid::bucket(c, bits)]++)] = std::int32_t(t);
      });

  std::vector<TrianglePair> found;
  const auto meet = [&](std::int32_t a, std::int32_t b) {
    if (a == b || !bounds[std::size_t(a)].overlaps(bounds[std::size_t(b)])) return;
    if (common_vertex(triangles[std::size_t(a)], triangles[std::size_t(b)])) return;
    if (intersect(corners(a), corners(b))) found.push_back({std::min(a, b), std::max(a, b)});
  };
  // end[bucket] is now the end of the bucket
  for (std::size_t bucket = 0; bucket + 1 < end.size(); ++bucket) {
    const std::int32_t first = bucket == 0 ? 0 : end[bucket - 1];
    for (std::int32_t i = first; i < end[bucket]; ++i)
      for (std::int32_t j = i + 1; j < end[bucket]; ++j)
        meet(members[std::size_t(i)], members[std::size_t(j)]);
  }
  for (std::int32_t a : large)
    for (std::size_t b = 0; b < triangles.size(); ++b) meet(a, std::int32_t(b));
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace limber
