// A bounding volume tree over triangles that move: its shape is made once, only its boxes follow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <glm/common.hpp>
#include <vector>

#include "engine/core/real.hpp"

namespace limber::inline LIMBER_PRECISION {

struct Box {
  vec3 low, high;

  bool overlaps(const Box& o) const {
    return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y &&
           low.z <= o.high.z && o.low.z <= high.z;
  }
  bool holds(const vec3& x) const {
    return low.x <= x.x && x.x <= high.x && low.y <= x.y && x.y <= high.y && low.z <= x.z && x.z <= high.z;
  }
  Box grown(real by) const { return {low - by, high + by}; }
  Box united(const Box& o) const { return {glm::min(low, o.low), glm::max(high, o.high)}; }
};

/// Complete binary tree over leaves, each a run of `leaf_triangles` consecutive triangles; neighbours in
/// number must be neighbours in space (bisection_order) for it to be a good one. Heap layout: node k has
/// children 2 k and 2 k + 1.
class SurfaceTree {
 public:
  static constexpr std::int32_t leaf_triangles = 4;

  /// Room for `triangles`; allocates.
  void reserve(std::int32_t triangles);

  std::int32_t leaves() const { return (triangles_ + leaf_triangles - 1) / leaf_triangles; }
  std::int32_t begin(std::int32_t leaf) const { return leaf * leaf_triangles; }
  std::int32_t end(std::int32_t leaf) const { return std::min((leaf + 1) * leaf_triangles, triangles_); }

  Box& box(std::int32_t leaf) { return nodes_[std::size_t(leaf_nodes_ + leaf)]; }

  /// The boxes of the nodes, after those of all leaves were set.
  void refit();

  /// Calls visit(other), other >= leaf, for every leaf whose box overlaps that of `leaf`, itself included.
  template <class Visit>
  void visit_overlaps(std::int32_t leaf, Visit&& visit) const;

 private:
  /// The last leaf below an inner node or leaf.
  std::int32_t last_leaf(std::int32_t node) const {
    const int below = std::bit_width(unsigned(leaf_nodes_)) - std::bit_width(unsigned(node));
    return ((node + 1) << below) - 1 - leaf_nodes_;
  }

  std::vector<Box> nodes_;  ///< heap; the leaves are the last leaf_nodes_
  std::int32_t triangles_ = 0, leaf_nodes_ = 0;
};

template <class Visit>
void SurfaceTree::visit_overlaps(std::int32_t leaf, Visit&& visit) const {
  const Box& own = nodes_[std::size_t(leaf_nodes_ + leaf)];
  std::int32_t stack[64];
  int depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    const std::int32_t node = stack[--depth];
    if (!nodes_[std::size_t(node)].overlaps(own)) continue;
    if (node >= leaf_nodes_) {
      visit(node - leaf_nodes_);
      continue;
    }
    // leaves before this one meet it from their side
    if (last_leaf(2 * node + 1) >= leaf) stack[depth++] = 2 * node + 1;
    if (last_leaf(2 * node) >= leaf) stack[depth++] = 2 * node;
  }
}

}  // namespace limber::inline LIMBER_PRECISION
