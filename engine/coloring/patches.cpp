#include "engine/coloring/patches.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <glm/common.hpp>
#include <numeric>
#include <utility>

namespace limber {
namespace {

constexpr Index leaf = 16;  // below this many, any order lies within a few cache lines

int longest_axis(std::span<const glm::dvec3> positions, std::span<const Index> members) {
  glm::dvec3 low = positions[std::size_t(members.front())], high = low;
  for (Index v : members) {
    low = glm::min(low, positions[std::size_t(v)]);
    high = glm::max(high, positions[std::size_t(v)]);
  }
  const glm::dvec3 extent = high - low;
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

/// `split(first, count)`: how many of the members, which are to be numbered from `first` on, come first; 0:
/// they stay together.
template <class Split>
void bisect(std::span<const glm::dvec3> positions, std::span<Index> members, Index first,
            const Split& split) {
  const Index count = Index(members.size()), half = split(first, count);
  if (half == 0) return std::sort(members.begin(), members.end());
  const int axis = longest_axis(positions, members);
  const auto before = [&](Index a, Index b) {
    return std::pair(positions[std::size_t(a)][axis], a) < std::pair(positions[std::size_t(b)][axis], b);
  };
  std::nth_element(members.begin(), members.begin() + half, members.end(), before);
  bisect(positions, members.first(std::size_t(half)), first, split);
  bisect(positions, members.subspan(std::size_t(half)), first + half, split);
}

template <class Split>
std::vector<Index> bisected(std::span<const glm::dvec3> positions, Index first, const Split& split) {
  std::vector<Index> order(positions.size());
  std::iota(order.begin(), order.end(), Index{0});
  bisect(positions, order, first, split);
  return order;
}

}  // namespace

Index patch_vertices(Index vertex_count) { return vertex_count < 500'000 ? 1024 : 4096; }

std::vector<Index> bisection_order(std::span<const glm::dvec3> positions, Index patch_vertices) {
  assert(patch_vertices > 0);
  return bisected(positions, 0, [&](Index, Index count) -> Index {
    if (count <= leaf) return 0;
    const Index half = (count + 1) / 2;
    if (count <= patch_vertices) return half;  // else the remainder goes to the last patch
    return (half + patch_vertices - 1) / patch_vertices * patch_vertices;
  });
}

std::vector<Index> tree_order(std::span<const glm::dvec3> positions, Index first, Index leaf_size) {
  assert(leaf_size > 0);
  return bisected(positions, first, [&](Index begin, Index count) -> Index {
    const auto low = std::uint32_t(begin / leaf_size), high = std::uint32_t((begin + count - 1) / leaf_size);
    if (count == 0 || low == high) return 0;
    return Index(high & ~(std::bit_floor(low ^ high) - 1)) * leaf_size - begin;
  });
}

}  // namespace limber
