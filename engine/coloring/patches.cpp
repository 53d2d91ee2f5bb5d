#include "engine/coloring/patches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

namespace limber {
namespace {

constexpr Index leaf = 16;  // sets of fewer vertices span few cache lines in any order

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

/// Moves the `half` members that lie first along `direction` to the front.
void cut(std::span<const glm::dvec3> positions, std::span<Index> members, Index half,
         const glm::dvec3& direction) {
  const auto along = [&](Index v) { return glm::dot(positions[std::size_t(v)], direction); };
  const auto before = [&](Index a, Index b) { return std::pair(along(a), a) < std::pair(along(b), b); };
  std::nth_element(members.begin(), members.begin() + half, members.end(), before);
}

/// Recursive bisection. split(first, count) returns how many of `count` members, which get the numbers from
/// `first` on, come first; 0: they stay together. cut(members, half) brings these to the front.
template <class Split, class Cut>
void bisect(std::span<Index> members, Index first, const Split& split, const Cut& cut) {
  const Index half = split(first, Index(members.size()));
  if (half == 0) return std::sort(members.begin(), members.end());
  cut(members, half);
  bisect(members.first(std::size_t(half)), first, split, cut);
  bisect(members.subspan(std::size_t(half)), first + half, split, cut);
}

template <class Split, class Cut>
std::vector<Index> bisected(std::size_t count, Index first, const Split& split, const Cut& cut) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  bisect(std::span(order), first, split, cut);
  return order;
}

/// Tests whether a few triangles form a disc: counts additional pieces and holes.
class DiscTest {
 public:
  explicit DiscTest(std::span<const Triangle> triangles) : triangles_(triangles) {}

  int defects(std::span<const Index> members) {
    vertices_.clear(), edges_.clear();
    for (std::size_t k = 0; k < members.size(); ++k) {
      const Triangle& t = triangles_[std::size_t(members[k])];
      for (std::size_t j = 0; j < 3; ++j) {
        vertices_.push_back(t[j]);
        const auto [low, high] = std::minmax(t[j], t[(j + 1) % 3]);
        edges_.push_back({low, high, Index(k)});
      }
    }
    std::sort(vertices_.begin(), vertices_.end());
    const auto vertices = std::unique(vertices_.begin(), vertices_.end()) - vertices_.begin();
    std::sort(edges_.begin(), edges_.end());
    piece_.resize(members.size());
    std::iota(piece_.begin(), piece_.end(), Index{0});
    int pieces = int(members.size()), edges = int(edges_.size());
    for (std::size_t e = 1; e < edges_.size(); ++e) {
      if (edges_[e][0] != edges_[e - 1][0] || edges_[e][1] != edges_[e - 1][1]) continue;
      --edges;
      const Index a = root(edges_[e - 1][2]), b = root(edges_[e][2]);
      pieces -= a != b;
      piece_[std::size_t(a)] = b;
    }
    const int euler = int(vertices) - edges + int(members.size());  // 1 for a disc
    return pieces - 1 + std::abs(euler - pieces);
  }

 private:
  Index root(Index k) const {
    while (piece_[std::size_t(k)] != k) k = piece_[std::size_t(k)];
    return k;
  }

  std::span<const Triangle> triangles_;
  std::vector<Index> vertices_, piece_;
  std::vector<std::array<Index, 3>> edges_;  ///< ends and member
};

/// Pieces of at most this many triangles are cut so that discs result, where possible.
constexpr Index most_looked_at = 64;

/// Cuts across the longest side or, if this does not give two discs, along the best of several slanted
/// planes.
void cut_discs(std::span<const glm::dvec3> centers, std::span<Index> members, Index half, DiscTest& test) {
  const int axis = longest_axis(centers, members);
  glm::dvec3 side[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < 3; ++k) side[k][(axis + k) % 3] = 1.0;
  cut(centers, members, half, side[0]);
  if (Index(members.size()) > most_looked_at) return;
  const auto defects = [&] {
    return test.defects(members.first(std::size_t(half))) + test.defects(members.subspan(std::size_t(half)));
  };
  int least = defects();
  glm::dvec3 best = side[0], latest = best;
  const auto attempt = [&](const glm::dvec3& direction) {
    if (least == 0) return;
    cut(centers, members, half, latest = direction);
    if (const int now = defects(); now < least) least = now, best = direction;
  };
  for (const glm::dvec3& across : {side[1], side[2]}) {
    attempt(across);
    for (const double slope : {0.25, 0.5, 1.0, 2.0, 4.0})
      for (const double way : {slope, -slope}) attempt(side[0] + way * across);
  }
  if (best != latest) cut(centers, members, half, best);
}

}  // namespace

Index patch_vertices(Index vertex_count) { return vertex_count < 500'000 ? 1024 : 4096; }

std::vector<Index> bisection_order(std::span<const glm::dvec3> positions, Index patch_vertices) {
  assert(patch_vertices > 0);
  const auto split = [&](Index, Index count) -> Index {
    if (count <= leaf) return 0;
    const Index half = (count + 1) / 2;
    if (count <= patch_vertices) return half;  // else the remainder goes to the last patch
    return (half + patch_vertices - 1) / patch_vertices * patch_vertices;
  };
  return bisected(positions.size(), 0, split, [&](std::span<Index> members, Index half) {
    glm::dvec3 direction(0.0);
    direction[longest_axis(positions, members)] = 1.0;
    cut(positions, members, half, direction);
  });
}

std::vector<Index> tree_order(std::span<const glm::dvec3> corners, std::span<const Triangle> triangles,
                              Index first, Index leaf_size) {
  assert(leaf_size > 0);
  std::vector<glm::dvec3> centers;
  for (const Triangle& t : triangles)
    centers.push_back((corners[std::size_t(t[0])] + corners[std::size_t(t[1])] + corners[std::size_t(t[2])]) /
                      3.0);
  const auto split = [&](Index begin, Index count) -> Index {
    const auto low = std::uint32_t(begin / leaf_size), high = std::uint32_t((begin + count - 1) / leaf_size);
    if (count == 0 || low == high) return 0;
    return Index(high & ~(std::bit_floor(low ^ high) - 1)) * leaf_size - begin;
  };
  DiscTest test(triangles);
  return bisected(triangles.size(), first, split,
                  [&](std::span<Index> members, Index half) { cut_discs(centers, members, half, test); });
}

}  // namespace limber
