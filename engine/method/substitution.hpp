// Forward and back substitution with a sparse L D L^T factor for x, y and z together, on all threads.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/parallel/pool.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Solves A x = b in place for rows {x, y, z, 0}; the order of operations is the same for any number of
/// threads.
///
/// A panel is a dense block of up to `widest` neighbouring columns of L with the same rows below the diagonal
/// (or nearly the same: missing entries are stored as zeros). The numbers of a panel are stored row by row,
/// and one row index serves all columns.
///
/// The elimination tree is cut into independent subtrees of a fixed amount of work; each is a task of one
/// thread. The panels above them form a smaller tree, which is cut in the same way, level after level. A task
/// stores its contributions to rows of later tasks in rows of its own, and the later tasks add them in the
/// order of tasks.
///
///   forward   | subtree | subtree | ...   barrier   | subtree | ...   barrier   top     barrier
///   back        top     barrier   | subtree | ...   barrier   | subtree | subtree | ...
class Substitution {
 public:
  static constexpr std::int32_t widest = 8;

  /// Copies the numbers of `factor`; allocates.
  void adopt(const SparseFactor& factor);

  /// `rows`: one per unknown. Must be called by every thread of the team, after a barrier.
  void solve(std::span<vec4> rows, Team& team);

 private:
  /// Columns [first, first + width): the triangle below their diagonal, row by row, then `count` full rows.
  struct Panel {
    std::int32_t first, width, count;
    std::int32_t row;    ///< index of the first full row in row_ and into_
    std::int64_t value;  ///< index of the triangle's first number in value_
  };
  /// A contribution to a row of a later task: its row in x_, and the row to which it is to be added.
  struct Waiting {
    std::int32_t from, to;
  };
  struct Tree;
  void make_panels(const SparseFactor& factor, Tree& tree);
  void cut_tree(Tree& tree);
  std::int64_t cut_level(Tree& tree, std::int64_t most);
  void list_panels(const Tree& tree);
  void list_waiting(const std::vector<std::int32_t>& task, const std::vector<std::int32_t>& targets);
  void store_numbers(const SparseFactor& factor);
  void forward(std::int32_t task);
  void back(std::int32_t task);
  std::span<const Panel> panels_of(std::int32_t task) const;
  std::size_t levels() const { return first_task_.size() - 1; }
  template <class Act>
  void for_tasks(std::size_t level, std::vector<std::atomic<std::int32_t>>& next, const Act& act);

  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> first_task_;     ///< per level: its first task; and one more for the end
  std::vector<std::int32_t> by_work_;        ///< tasks, the largest of each level first
  std::vector<Panel> panels_;                ///< task after task, ascending within each
  std::vector<std::int32_t> first_panel_;    ///< per task: its first panel; and one more for the end
  std::vector<Waiting> waiting_;             ///< per task: contributions that it has to add
  std::vector<std::int32_t> first_waiting_;  ///< per task: its first in waiting_; and one more for the end
  /// Per row of a panel: its index in x_; the index to which forward() adds.
  std::vector<std::int32_t> row_, into_;
  AlignedVector<real> value_;  ///< panel after panel
  AlignedVector<real> inverse_pivot_;
  AlignedVector<vec4> x_;  ///< unknowns in the order of elimination, then contributions to later tasks
  std::vector<std::atomic<std::int32_t>> next_forward_, next_back_;  ///< by level
};

}}  // namespace limber::LIMBER_PRECISION
