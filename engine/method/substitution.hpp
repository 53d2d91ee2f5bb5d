// Forward and back substitution with a sparse L D L^T for x, y and z together, on all threads.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/parallel/pool.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// x <- A^-1 x for rows {x, y, z, 0}, in an order that is the same for any number of threads.
///
/// A panel is a dense block of up to `widest` neighbouring columns of L with the same rows below the diagonal
/// (or nearly: missing entries are stored as zeros). Its rows lie one after the other, and one row index
/// serves all columns.
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
  /// A row that waits, and where it goes.
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
  std::vector<std::int32_t> first_task_;     ///< of each level, and an end
  std::vector<std::int32_t> by_work_;        ///< tasks, the largest of each level first
  std::vector<Panel> panels_;                ///< of task after task, ascending in each
  std::vector<std::int32_t> first_panel_;    ///< of each task, and an end
  std::vector<Waiting> waiting_;             ///< of each task: rows it has to add
  std::vector<std::int32_t> first_waiting_;  ///< of each task, and an end
  std::vector<std::int32_t> row_, into_;  ///< of a panel's row: where it is in x_, where forward() adds to it
  AlignedVector<real> value_;             ///< of panel after panel
  AlignedVector<real> inverse_pivot_;
  AlignedVector<vec4> x_;  ///< in the order of elimination, then the rows that wait
  std::vector<std::atomic<std::int32_t>> next_forward_, next_back_;  ///< by level
};

}}  // namespace limber::LIMBER_PRECISION
