#include "engine/contact/cloth/surface_patches.hpp"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Union-find over the triangles of one node at a time.
class Pieces {
 public:
  explicit Pieces(std::size_t triangles) : parent_(triangles) {}
  void restart(std::int32_t begin, std::int32_t end) {
    for (std::int32_t t = begin; t < end; ++t) parent_[std::size_t(t)] = t;
    pieces_ = end - begin;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = root(a), b = root(b);
    if (a == b) return;
    parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    --pieces_;
  }
  std::int32_t count() const { return pieces_; }

 private:
  std::int32_t root(std::int32_t t) {
    while (parent_[std::size_t(t)] != t)
      t = parent_[std::size_t(t)] = parent_[std::size_t(parent_[std::size_t(t)])];
    return t;
  }
  std::vector<std::int32_t> parent_;
  std::int32_t pieces_ = 0;
};

/// Ordered pairs of different nodes of one level.
class NodePairs {
 public:
  using Pair = std::array<std::int32_t, 2>;

  void add(std::int32_t a, std::int32_t b) {
    if (a != b) pairs_.push_back({a, b});
  }
  /// Sorts the pairs and removes duplicates; must precede all queries.
  void settle() {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  bool holds(std::int32_t a, std::int32_t b) const {
    return std::binary_search(pairs_.begin(), pairs_.end(), Pair{a, b});
  }
  std::span<const Pair> all() const { return pairs_; }
  std::span<const Pair> from(std::int32_t a) const {
    const auto begin = std::lower_bound(pairs_.begin(), pairs_.end(), Pair{a, 0});
    return {begin, std::lower_bound(begin, pairs_.end(), Pair{a + 1, 0})};
  }
  /// Replaces each node by its parent, one level above.
  void climb() {
    std::size_t kept = 0;
    for (const Pair& p : pairs_)
      if (p[0] / 2 != p[1] / 2) pairs_[kept++] = {p[0] / 2, p[1] / 2};
    pairs_.resize(kept);
  }

 private:
  std::vector<Pair> pairs_;
};

/// Four times the square of the largest distance from the centre, as a share of the rest area: 2 for a
/// square, 2.5 for a rectangle twice as long as wide.
real elongation(const Topology& topology, std::int32_t begin, std::int32_t end) {
  const auto rest = [&](std::int32_t t, std::size_t j) {
    return topology.surface.rest[std::size_t(topology.facet(t)[j])];
  };
  vec3 sum(0);
  real twice_area = 0, square = 0;
  for (std::int32_t t = begin; t < end; ++t) {
    twice_area += glm::length(glm::cross(rest(t, 1) - rest(t, 0), rest(t, 2) - rest(t, 0)));
    for (std::size_t j = 0; j < 3; ++j) sum += rest(t, j);
  }
  const vec3 middle = sum / real(3 * (end - begin));
  for (std::int32_t t = begin; t < end; ++t)
    for (std::size_t j = 0; j < 3; ++j) {
      const vec3 off = rest(t, j) - middle;
      square = std::max(square, glm::dot(off, off));
    }
  return twice_area > real(0) ? 8 * square / twice_area : std::numeric_limits<real>::max();
}

/// Largest ratio of the stretches of two edges up to which a piece cannot meet itself. A piece that faces one
/// way everywhere can only meet itself in its own plane, bent into a ring: with length l and width w its
/// edges then differ by the factor (l + pi w) / (l - pi w). At most three pieces are left out together. For
/// pieces that are 2.6 widths long the factor is 2.3, for pieces of 4 widths 1.7.
real distortion_of(real elongation) {
  if (elongation <= real(3)) return real(2.2);
  return elongation <= real(4.3) ? real(1.65) : real(0);
}

}  // namespace

void SurfacePatches::reserve(const SurfaceTree& tree, const Topology& topology, int height) {
  const std::int32_t first_node = std::max(tree.leaf_nodes() >> height, 1);
  find_discs(tree, topology, first_node);
  find_adjacent(tree, topology, first_node);
}

void SurfacePatches::find_discs(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node) {
  const Surface& surface = topology.surface;
  distortion_.assign(std::size_t(tree.nodes()), real(0));
  std::vector<std::int32_t> seen_at(surface.rest.size(), -1);  // per particle: the last node that counted it
  Pieces pieces(std::size_t(topology.facets()));
  for (std::int32_t node = first_node; node < tree.nodes(); ++node) {
    const std::int32_t begin = tree.first_triangle(node), end = tree.last_triangle(node);
    if (begin >= end) continue;
    pieces.restart(begin, end);
    std::int32_t vertices = 0, inner_sides = 0;
    bool at_gap = false;
    for (std::int32_t t = begin; t < end; ++t) {
      at_gap |= surface.at_gap[std::size_t(t)] != 0;
      for (std::int32_t i : topology.facet(t)) {
        vertices += seen_at[std::size_t(i)] != node;
        seen_at[std::size_t(i)] = node;
      }
      for (std::int32_t other : surface.neighbors[std::size_t(t)])
        if (begin <= other && other < end) pieces.join(t, other), ++inner_sides;
    }
    const std::int32_t triangles = end - begin, edges = 3 * triangles - inner_sides / 2;
    const bool without_holes = vertices - edges + triangles == 1;  // Euler characteristic of a disc
    if (!at_gap && without_holes && pieces.count() == 1)
      distortion_[std::size_t(node)] = distortion_of(elongation(topology, begin, end));
  }
}

void SurfacePatches::find_adjacent(const SurfaceTree& tree, const Topology& topology,
                                   std::int32_t first_node) {
  const auto leaf_of = [&](std::int32_t triangle) { return tree.leaf_node_of(triangle); };
  NodePairs by_edges;
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::int32_t other : topology.surface.neighbors[t])
      if (other >= 0) by_edges.add(leaf_of(std::int32_t(t)), leaf_of(other));

  std::vector<std::vector<Beside>> beside(std::size_t(tree.nodes()));
  for (std::int32_t height_first = tree.leaf_nodes(); height_first >= first_node; height_first /= 2) {
    by_edges.settle();
    for (const auto& [a, b] : by_edges.all())
      if (is_disc(a) && is_disc(b)) beside[std::size_t(a)].push_back({b, by_edge});
    for (const auto& [between, a] : by_edges.all()) {
      if (!is_disc(between) || !is_disc(a)) continue;
      std::vector<Beside>& known = beside[std::size_t(a)];
      for (const auto& [from, b] : by_edges.from(between))
        if (b != a && is_disc(b) && std::none_of(known.begin(), known.end(), [&, node = b](const Beside& k) {
              return k.node == node;
            }))
          known.push_back({b, between});
    }
    by_edges.climb();
  }
  first_.assign(1, 0);
  beside_.clear();
  for (const auto& list : beside) {
    beside_.insert(beside_.end(), list.begin(), list.end());
    first_.push_back(std::int32_t(beside_.size()));
  }
}

std::int32_t SurfacePatches::link(std::int32_t a, std::int32_t b) const {
  for (std::int32_t k = first_[std::size_t(a)]; k < first_[std::size_t(a) + 1]; ++k)
    if (beside_[std::size_t(k)].node == b) return beside_[std::size_t(k)].link;
  return apart;
}

}}  // namespace limber::LIMBER_PRECISION
