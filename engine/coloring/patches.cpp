#include "engine/coloring/patches.hpp"

#include <algorithm>
#include <cassert>
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

void bisect(std::span<const glm::dvec3> positions, std::span<Index> members, Index patch) {
  const Index count = Index(members.size());
  if (count <= leaf) return std::sort(members.begin(), members.end());
  const int axis = longest_axis(positions, members);
  Index half = (count + 1) / 2;
  if (count > patch) half = (half + patch - 1) / patch * patch;  // the remainder goes to the last patch
  const auto before = [&](Index a, Index b) {
    return std::pair(positions[std::size_t(a)][axis], a) < std::pair(positions[std::size_t(b)][axis], b);
  };
  std::nth_element(members.begin(), members.begin() + half, members.end(), before);
  bisect(positions, members.first(std::size_t(half)), patch);
  bisect(positions, members.subspan(std::size_t(half)), patch);
}

}  // namespace

Index patch_vertices(Index vertex_count) { return vertex_count < 500'000 ? 1024 : 4096; }

std::vector<Index> bisection_order(std::span<const glm::dvec3> positions, Index patch_vertices) {
  assert(patch_vertices > 0);
  std::vector<Index> order(positions.size());
  std::iota(order.begin(), order.end(), Index{0});
  bisect(positions, order, patch_vertices);
  return order;
}

}  // namespace limber
