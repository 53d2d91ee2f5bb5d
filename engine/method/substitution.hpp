// Forward and back substitution with a sparse L D L^T for x, y and z together, on all threads.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/parallel/pool.hpp"

namespace limber::inline LIMBER_PRECISION {

/// x <- A^-1 x for rows {x, y, z, 0}, in an order that is the same for any number of threads.
///
/// Neighbouring columns of L with the same rows below them (or nearly: then zeros are stored) are a panel, a
/// dense block of up to `widest` columns whose rows lie one after the other; a row index serves all of them.
///
/// The elimination tree is cut at fixed work into subtrees, which need nothing of each other: each is a task
/// of one thread; what is above them is one thread's. What a subtree takes off the rows above it waits in
/// rows of its own, which are added in the order of subtrees.
///
///   forward   | subtree | subtree | ...   barrier   top     barrier
///   back        top     barrier   | subtree | subtree | ...
class Substitution {
 public:
  static constexpr std::int32_t widest = 8;

  /// Copies the numbers of `factor`. Allocates.
  void adopt(const SparseFactor& factor);

  /// `rows`: by unknown. Must be called by every thread of the team, after a barrier. Ends at a barrier.
  void solve(std::span<vec4> rows, Team& team);

 private:
  /// Columns [first, first + width): the triangle below their diagonal, row by row, then `count` whole rows.
  struct Panel {
    std::int32_t first, width, count;
    std::int32_t row;    ///< of the whole rows, in row_ and into_
    std::int64_t value;  ///< of the triangle, in value_
  };
  struct Tree;
  void make_panels(const SparseFactor& factor, Tree& tree);
  void cut_tree(Tree& tree);
  void list_panels(const Tree& tree);
  void store_numbers(const SparseFactor& factor);
  void forward(std::span<const Panel> panels);
  void back(std::span<const Panel> panels);
  template <class Act>
  void for_subtrees(std::atomic<std::int32_t>& next, const Act& act);

  std::vector<std::int32_t> order_;
  std::vector<Panel> panels_;              ///< of subtree after subtree, then of the top; ascending in each
  std::vector<std::int32_t> first_panel_;  ///< of each subtree, of the top, and an end
  std::vector<std::int32_t> row_, into_;  ///< of a panel's row: where it is in x_, where forward() adds to it
  AlignedVector<real> value_;             ///< of panel after panel
  AlignedVector<real> inverse_pivot_;
  AlignedVector<vec4> x_;              ///< in the order of elimination, then the rows of subtrees
  std::vector<std::int32_t> waiting_;  ///< of each row of a subtree: where it is in x_
  std::vector<std::int32_t> by_work_;  ///< subtrees, the largest first
  std::atomic<std::int32_t> next_forward_{0}, next_back_{0};
};

}  // namespace limber::inline LIMBER_PRECISION
