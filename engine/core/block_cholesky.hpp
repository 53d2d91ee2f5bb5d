// Direct solver for a sparse symmetric system of small dense blocks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Solves A x = b for a symmetric matrix A that is positive definite or, with redundant rows, semi-definite.
/// A consists of dense blocks of up to 6 x 6 numbers: a diagonal block for each node of a graph and an
/// off-diagonal block for each edge; b and x have one vector per node. The node with the fewest remaining
/// neighbours is eliminated first. For joints of a tree of bodies (a node per joint, an edge for each two
/// joints of one body) this creates no fill-in, and the cost is proportional to the number of bodies (Deul et
/// al. 2018). Large graphs with many loops are ordered by nested dissection instead where that takes fewer
/// updates. Compiled once, in double.
class BlockCholesky {
 public:
  /// Elimination of one node.
  struct Column {
    std::int32_t node;
    std::int32_t first, end;                ///< range of the column's blocks in entries_
    std::int32_t first_update, end_update;  ///< range in updates_
  };
  /// A block below the diagonal: the node of its rows, and its place in blocks_.
  struct Entry {
    std::int32_t row, block;
  };
  /// Update of a later block: block -= left right^T. `rows`, `columns`: nodes of the block's rows and
  /// columns.
  struct Update {
    std::int32_t block, left, right, rows, columns;
  };
  /// Storage of a graph edge: its block, and the node to which the block's rows belong.
  struct EdgePlace {
    std::int32_t block, row;
  };

  /// The elimination that analyze() has chosen, without the matrix's numbers.
  struct Plan {
    std::vector<Column> columns;  ///< in the order of elimination
    std::vector<Entry> entries;
    std::vector<Update> updates;
    std::vector<EdgePlace> edges;
    std::size_t blocks;
  };
  Plan plan() const {
    return {columns_, entries_, updates_, edges_, blocks_.size() / std::size_t(stride_ * stride_)};
  }

  static constexpr int most = 6;  ///< largest number of rows of a node
  /// A row whose pivot is at most this share of its diagonal depends on other rows
  static constexpr double redundant = 1e-6;

  using Edge = std::array<std::int32_t, 2>;

  /// Chooses the order of elimination for a graph with `nodes` nodes, and sets all blocks to zero. Returns
  /// false, and changes nothing, if the factor would have more than `most_blocks` blocks. `rows`: the largest
  /// number of rows that a node will have.
  bool analyze(std::int32_t nodes, std::span<const Edge> edges, std::size_t most_blocks, int rows = most);

  /// Numbers from one row of a block to the next one.
  int stride() const { return stride_; }

  void clear();

  double* diagonal(std::int32_t node) { return at(node); }

  /// Block of an edge, which is named by its index in analyze()'s list. The block's rows are those of node
  /// `row`, its columns those of the edge's other node.
  struct Place {
    double* numbers;
    std::int32_t row;
  };
  Place off_diagonal(std::size_t edge) { return {at(edges_[edge].block), edges_[edge].row}; }

  /// Factors A = L L^T in place. `sizes`: number of rows of each node, up to `most`. A row that depends
  /// linearly on earlier rows is dropped: its x is 0.
  void factor(std::span<const std::uint8_t> sizes);

  /// Replaces b by x; `b` has `most` numbers per node. Call after factor() with the same sizes.
  void solve(std::span<const std::uint8_t> sizes, std::span<double> b) const;

 private:
  struct Elimination;

  double* at(std::int32_t k) { return &blocks_[std::size_t(k) * std::size_t(stride_ * stride_)]; }
  const double* at(std::int32_t k) const { return &blocks_[std::size_t(k) * std::size_t(stride_ * stride_)]; }
  template <int stride>
  void factor_diagonal(std::int32_t node, int size);
  template <int stride>
  void factor_blocks(std::span<const std::uint8_t> sizes);
  template <int stride>
  void update_by_three(const Column& column);
  template <int stride>
  void solve_blocks(std::span<const std::uint8_t> sizes, std::span<double> b) const;

  std::int32_t nodes_ = 0;
  int stride_ = most;
  bool ordered_ = false;         ///< entries of a column lie in the order of elimination
  std::vector<Column> columns_;  ///< in the order of elimination
  std::vector<Entry> entries_;
  std::vector<Update> updates_;
  std::vector<EdgePlace> edges_;
  std::vector<double> blocks_;       ///< diagonal blocks of all nodes, then the blocks below the diagonal
  std::vector<std::uint8_t> alive_;  ///< per row: 1, or 0 if the row is redundant
  std::vector<double> whole_;        ///< per row: diagonal entry before factor()
};

}  // namespace limber
