// A bounding volume tree over triangles that move: its shape is made once, only its boxes follow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/simd/row.hpp"
#include "engine/state/surface.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Axis aligned; the fourth number of a row means nothing.
struct Box {
  Row<real> low, high;

  bool overlaps(const Box& o) const { return both(below(low, o.high), below(o.low, high)); }
  bool holds(const vec4& x) const {
    const Row<real> row = Row<real>::load(&x.x);
    return both(below(low, row), below(row, high));
  }
  Box grown(real by) const { return {low - Row<real>(by), high + Row<real>(by)}; }
  Box united(const Box& o) const { return {min(low, o.low), max(high, o.high)}; }
};

/// Complete binary tree over leaves, each a run of `leaf_triangles` consecutive triangles; neighbours in
/// number must be neighbours in space (tree_order) for it to be a good one. Heap layout: node k has
/// children 2 k and 2 k + 1; the leaves are the last leaf_nodes(), those beyond leaves() are empty.
class SurfaceTree {
 public:
  static constexpr std::int32_t leaf_triangles = surface_leaf;

  /// Room for `triangles`; allocates.
  void reserve(std::int32_t triangles);

  std::int32_t leaves() const { return (triangles_ + leaf_triangles - 1) / leaf_triangles; }
  std::int32_t leaf_nodes() const { return leaf_nodes_; }
  std::int32_t nodes() const { return 2 * leaf_nodes_; }
  bool is_leaf(std::int32_t node) const { return node >= leaf_nodes_; }
  std::int32_t leaf(std::int32_t node) const { return node - leaf_nodes_; }

  static int levels_between(std::int32_t upper, std::int32_t lower) {
    return std::bit_width(unsigned(lower)) - std::bit_width(unsigned(upper));
  }
  /// Levels between a node and the leaves.
  int height(std::int32_t node) const { return levels_between(node, leaf_nodes_); }
  std::int32_t first_leaf(std::int32_t node) const { return (node << height(node)) - leaf_nodes_; }
  /// The triangles below a node: [first_triangle, last_triangle).
  std::int32_t first_triangle(std::int32_t node) const { return first_leaf(node) * leaf_triangles; }
  std::int32_t last_triangle(std::int32_t node) const {
    return std::min((last_leaf(node) + 1) * leaf_triangles, triangles_);
  }
  std::int32_t begin(std::int32_t leaf) const { return leaf * leaf_triangles; }
  std::int32_t end(std::int32_t leaf) const { return std::min((leaf + 1) * leaf_triangles, triangles_); }

  Box& box(std::int32_t node) { return nodes_[std::size_t(node)]; }
  const Box& box(std::int32_t node) const { return nodes_[std::size_t(node)]; }
  /// The box of an inner node, after those of its children.
  void unite(std::int32_t node) { box(node) = box(2 * node).united(box(2 * node + 1)); }
  bool overlap(std::int32_t a, std::int32_t b) const { return box(a).overlaps(box(b)); }

  /// Calls visit(other) for every node of the height of `node`, behind it in order, that meets(other) it, as
  /// those above it must.
  template <class Meets, class Visit>
  void visit_later(std::int32_t node, Meets&& meets, Visit&& visit) const;

 private:
  std::int32_t last_leaf(std::int32_t node) const { return ((node + 1) << height(node)) - 1 - leaf_nodes_; }

  AlignedVector<Box> nodes_;  ///< heap
  std::int32_t triangles_ = 0, leaf_nodes_ = 0;
};

template <class Meets, class Visit>
void SurfaceTree::visit_later(std::int32_t node, Meets&& meets, Visit&& visit) const {
  const int own_height = height(node);
  std::int32_t stack[64];
  int depth = 0;
  stack[depth++] = 1;
  while (depth > 0) {
    const std::int32_t other = stack[--depth];
    const int below = height(other) - own_height;
    if (((other + 1) << below) - 1 <= node) continue;  // nothing behind
    const bool above = other == node >> below;
    if (!above && !meets(other)) continue;
    if (below == 0) {
      visit(other);
      continue;
    }
    stack[depth++] = 2 * other + 1;
    stack[depth++] = 2 * other;
  }
}

}  // namespace limber::inline LIMBER_PRECISION
