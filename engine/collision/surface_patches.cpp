#include "engine/collision/surface_patches.hpp"

#include <algorithm>

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Union-find over the triangles of one node after the other.
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

}  // namespace

void SurfacePatches::reserve(const SurfaceTree& tree, const Topology& topology, int height) {
  const std::int32_t first_node = std::max(tree.leaf_nodes() >> height, 1);
  find_discs(tree, topology, first_node);
  find_adjacent(tree, topology, first_node);
}

void SurfacePatches::find_discs(const SurfaceTree& tree, const Topology& topology, std::int32_t first_node) {
  const Surface& surface = topology.surface;
  discs_.assign(std::size_t(tree.nodes()), 0);
  std::vector<std::int32_t> seen_at(surface.rest.size(), -1);  // per particle: the node that counted it last
  Pieces pieces(topology.triangles.size());
  for (std::int32_t node = first_node; node < tree.nodes(); ++node) {
    const std::int32_t begin = tree.first_triangle(node), end = tree.last_triangle(node);
    if (begin >= end) continue;
    pieces.restart(begin, end);
    std::int32_t vertices = 0, inner_sides = 0;
    bool at_border = false;
    for (std::int32_t t = begin; t < end; ++t) {
      at_border |= surface.at_border[std::size_t(t)] != 0;
      for (std::int32_t i : topology.triangles[std::size_t(t)]) {
        vertices += seen_at[std::size_t(i)] != node;
        seen_at[std::size_t(i)] = node;
      }
      for (std::int32_t other : surface.neighbors[std::size_t(t)])
        if (begin <= other && other < end) pieces.join(t, other), ++inner_sides;
    }
    const std::int32_t triangles = end - begin, edges = 3 * triangles - inner_sides / 2;
    const bool without_holes = vertices - edges + triangles == 1;  // Euler's characteristic of a disc
    discs_[std::size_t(node)] = !at_border && without_holes && pieces.count() == 1;
  }
}

void SurfacePatches::find_adjacent(const SurfaceTree& tree, const Topology& topology,
                                   std::int32_t first_node) {
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::int32_t other : topology.surface.neighbors[t]) {
      std::int32_t a = tree.leaf_nodes() + std::int32_t(t) / SurfaceTree::leaf_triangles;
      std::int32_t b = tree.leaf_nodes() + other / SurfaceTree::leaf_triangles;
      for (; other >= 0 && a != b && a >= first_node; a /= 2, b /= 2)
        if (is_disc(a) && is_disc(b)) pairs.push_back({a, b});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  first_.assign(std::size_t(tree.nodes()) + 1, 0);
  beside_.clear();
  for (const auto& [node, other] : pairs) {
    ++first_[std::size_t(node) + 1];
    beside_.push_back(other);
  }
  for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
}

bool SurfacePatches::are_adjacent(std::int32_t a, std::int32_t b) const {
  const auto begin = beside_.begin() + first_[std::size_t(a)],
             end = beside_.begin() + first_[std::size_t(a) + 1];
  return std::find(begin, end, b) != end;
}

}  // namespace limber::inline LIMBER_PRECISION
