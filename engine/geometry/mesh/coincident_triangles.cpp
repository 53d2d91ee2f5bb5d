#include "engine/geometry/mesh/coincident_triangles.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace limber {
namespace {

struct Numbered {
  Triangle vertices;  ///< ascending
  std::size_t number;
  auto operator<=>(const Numbered&) const = default;
};

bool same_vertices(const Numbered& a, const Numbered& b) { return a.vertices == b.vertices; }

std::vector<Numbered> sorted_by_vertices(std::span<const Triangle> triangles) {
  std::vector<Numbered> sorted;
  sorted.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    sorted.push_back({triangles[t], t});
    std::sort(sorted.back().vertices.begin(), sorted.back().vertices.end());
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::array<std::uint64_t, 3> edges_of(const Triangle& ascending) {
  const auto key = [](Index low, Index high) { return std::uint64_t(low) << 32 | std::uint32_t(high); };
  return {key(ascending[0], ascending[1]), key(ascending[0], ascending[2]), key(ascending[1], ascending[2])};
}

/// Whether two triangles with the same vertices run round them the same way.
bool same_winding(const Triangle& a, const Triangle& b) {
  const auto at = std::size_t(std::find(b.begin(), b.end(), a[0]) - b.begin());
  return b[(at + 1) % 3] == a[1];
}

/// Edges of all triangles that differ, sorted: as often as triangles meet there.
std::vector<std::uint64_t> edges_of_different(const std::vector<Numbered>& sorted) {
  std::vector<std::uint64_t> edges;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && same_vertices(sorted[i - 1], sorted[i])) continue;
    for (std::uint64_t edge : edges_of(sorted[i].vertices)) edges.push_back(edge);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

std::vector<std::size_t> coincident_triangles(std::span<const Triangle> triangles) {
  const std::vector<Numbered> sorted = sorted_by_vertices(triangles);
  if (std::adjacent_find(sorted.begin(), sorted.end(), same_vertices) == sorted.end()) return {};
  const std::vector<std::uint64_t> edges = edges_of_different(sorted);
  const auto others = [&](std::uint64_t edge) {
    const auto range = std::equal_range(edges.begin(), edges.end(), edge);
    return range.second - range.first - 1;
  };
  std::vector<std::size_t> surplus, firsts;
  for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
    bool one_way = true;
    for (end = begin + 1; end < sorted.size() && same_vertices(sorted[begin], sorted[end]); ++end) {
      surplus.push_back(sorted[end].number);
      one_way = one_way && same_winding(triangles[sorted[begin].number], triangles[sorted[end].number]);
    }
    if (end == begin + 1) continue;
    std::ptrdiff_t most = 0;
    for (std::uint64_t edge : edges_of(sorted[begin].vertices)) most = std::max(most, others(edge));
    const bool needed = most == 1 || (most == 0 && one_way);
    if (!needed) firsts.push_back(sorted[begin].number);
  }
  if (surplus.size() + firsts.size() < triangles.size())
    surplus.insert(surplus.end(), firsts.begin(), firsts.end());
  std::sort(surplus.begin(), surplus.end());
  return surplus;
}

}  // namespace limber
