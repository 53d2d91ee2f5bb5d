// A bounding volume hierarchy over moving triangles (or facets). Its structure is built once; boxes are
// refitted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/simd/row.hpp"
#include "engine/state/surface.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An axis aligned box. The fourth number of each row is not used.
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

/// For each object with triangles, the number of its last triangle plus one.
std::vector<std::int32_t> triangle_ends(const World& world);
/// Like triangle_ends(), for facets. In this file "triangle" means any facet.
std::vector<std::int32_t> facet_ends(const World& world);

/// Complete binary tree over leaves. A leaf is a run of `leaf_triangles` consecutive triangles of one object,
/// so the tree is good only if triangles with close numbers are close in space (tree_order). Heap layout:
/// node k has children 2 k and 2 k + 1; the leaves are the last leaf_nodes() nodes. A block is a subtree of
/// block_leaves() leaves: 64, or fewer if the largest object fits into fewer. Each object has whole blocks,
/// whose last leaves may be empty, so that its leaves and blocks depend neither on other objects nor on the
/// size of the tree.
class SurfaceTree {
 public:
  static constexpr std::int32_t leaf_triangles = surface_leaf;
  static constexpr int most_block_height = 6;

  /// Allocates the tree for objects whose triangles end at `ends`.
  void reserve(std::span<const std::int32_t> ends);
  /// Allocates the tree for one object.
  void reserve(std::int32_t triangles) { reserve({&triangles, 1}); }

  /// Upper bound of leaf numbers.
  std::int32_t leaves() const { return leaves_; }
  std::int32_t leaf_nodes() const { return leaf_nodes_; }
  std::int32_t nodes() const { return 2 * leaf_nodes_; }
  int block_height() const { return block_height_; }  ///< levels of a block's subtree
  std::int32_t block_leaves() const { return 1 << block_height_; }
  std::int32_t blocks() const { return (leaves_ + block_leaves() - 1) >> block_height_; }
  /// Node at the root of the first block.
  std::int32_t first_block() const { return leaf_nodes_ >> block_height_; }
  bool is_leaf(std::int32_t node) const { return node >= leaf_nodes_; }
  std::int32_t leaf(std::int32_t node) const { return node - leaf_nodes_; }
  std::int32_t leaf_node_of(std::int32_t triangle) const { return leaf_node_of_[std::size_t(triangle)]; }

  static int levels_between(std::int32_t upper, std::int32_t lower) {
    return std::bit_width(unsigned(lower)) - std::bit_width(unsigned(upper));
  }
  /// Levels between a node and the leaves.
  int height(std::int32_t node) const { return levels_between(node, leaf_nodes_); }
  std::int32_t first_leaf(std::int32_t node) const { return (node << height(node)) - leaf_nodes_; }
  /// The triangles below a node: [first_triangle, last_triangle).
  std::int32_t first_triangle(std::int32_t node) const { return begin(first_leaf(node)); }
  std::int32_t last_triangle(std::int32_t node) const { return end(last_leaf(node)); }
  bool is_empty(std::int32_t node) const { return first_triangle(node) == last_triangle(node); }
  std::int32_t begin(std::int32_t leaf) const { return begin_[std::size_t(leaf)]; }
  std::int32_t end(std::int32_t leaf) const { return begin_[std::size_t(leaf) + 1]; }

  Box& box(std::int32_t node) { return nodes_[std::size_t(node)]; }
  const Box& box(std::int32_t node) const { return nodes_[std::size_t(node)]; }
  /// Computes the box of an inner node from the boxes of its children.
  void unite(std::int32_t node) { box(node) = box(2 * node).united(box(2 * node + 1)); }
  bool overlap(std::int32_t a, std::int32_t b) const { return box(a).overlaps(box(b)); }

  /// Calls visit(other) for every node on the level of `node` and with a higher number for which meets(other)
  /// is true. meets() must be true for a parent if it is true for one of its children.
  template <class Meets, class Visit>
  void visit_later(std::int32_t node, Meets&& meets, Visit&& visit) const;

 private:
  std::int32_t last_leaf(std::int32_t node) const { return ((node + 1) << height(node)) - 1 - leaf_nodes_; }

  AlignedVector<Box> nodes_;                ///< heap
  std::vector<std::int32_t> begin_;         ///< per leaf: its first triangle; and one more for the end
  std::vector<std::int32_t> leaf_node_of_;  ///< per triangle
  std::int32_t leaves_ = 0, leaf_nodes_ = 0;
  int block_height_ = 0;
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
    if (((other + 1) << below) - 1 <= node) continue;  // all its nodes on that level are before `node`
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

}}  // namespace limber::LIMBER_PRECISION
