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

/// x <- A^-1 x for rows {x, y, z, 0}. Every row is a dot product of a row (forward) or a column (back) of L
/// with rows that are known, in one order, so results do not depend on the number of threads.
///
/// The elimination tree is cut at fixed work into subtrees, which need nothing of each other: each is a task
/// of one thread; what is above them is one thread's.
///
///   forward   | subtree | subtree | ...   barrier   top     barrier
///   back        top     barrier   | subtree | subtree | ...
class Substitution {
 public:
  /// Copies the numbers of `factor`. Allocates.
  void adopt(const SparseFactor& factor);

  /// `rows`: by unknown. Must be called by every thread of the team, after a barrier. Ends at a barrier.
  void solve(std::span<vec4> rows, Team& team);

 private:
  /// Part of L by rows or by columns: the numbers of line k are [begin[k], begin[k + 1]).
  struct Lines {
    std::vector<std::int32_t> begin, other;
    AlignedVector<real> value;
  };
  void cut_tree(const SparseFactor& factor);
  void forward(std::span<const std::int32_t> lines);
  void back(std::span<const std::int32_t> lines);
  template <class Act>
  void for_subtrees(std::atomic<std::int32_t>& next, const Act& act);

  std::vector<std::int32_t> order_;
  Lines by_row_, by_column_;
  AlignedVector<real> inverse_pivot_;
  AlignedVector<vec4> x_;                 ///< in the order of elimination
  std::vector<std::int32_t> lines_;       ///< of subtree after subtree, then of the top; ascending in each
  std::vector<std::int32_t> first_line_;  ///< of each subtree, of the top, and an end
  std::vector<std::int32_t> by_work_;     ///< subtrees, the largest first
  std::atomic<std::int32_t> next_forward_{0}, next_back_{0};
};

}  // namespace limber::inline LIMBER_PRECISION
