// A sparse symmetric system of small dense blocks, solved directly.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// A x = b with A symmetric, positive definite or nearly so, of blocks of up to 6 x 6 numbers, one of b and x
/// for each node of a graph and one of A for each node and each edge. Nodes are eliminated where they have
/// the fewest neighbours: on a tree, whose bodies are cliques of their joints, that fills in nothing, and the
/// whole costs as much as the tree is large (Deul et al. 2018). In double, compiled once.
class BlockCholesky {
 public:
  /// A node that is eliminated.
  struct Column {
    std::int32_t node;
    std::int32_t first, end;                ///< of entries_
    std::int32_t first_update, end_update;  ///< of updates_
  };
  /// A block below the diagonal.
  struct Entry {
    std::int32_t row, block;
  };
  /// block -= left right^T
  struct Update {
    std::int32_t block, left, right, rows, columns;
  };
  struct EdgePlace {
    std::int32_t block, row;
  };

  /// The elimination as analyze() found it, without any numbers.
  struct Plan {
    std::vector<Column> columns;  ///< in the order of elimination
    std::vector<Entry> entries;
    std::vector<Update> updates;
    std::vector<EdgePlace> edges;
    std::size_t blocks;
  };
  Plan plan() const { return {columns_, entries_, updates_, edges_, blocks_.size() / block}; }

  static constexpr int most = 6;             ///< numbers of a node
  static constexpr int block = most * most;  ///< numbers kept for a block, by rows
  static constexpr double redundant = 1e-6;  ///< share of a diagonal below which its row follows from others

  using Edge = std::array<std::int32_t, 2>;

  /// The order of elimination for a graph of `nodes`; sets all to zero. False, with nothing done, if there
  /// would be more than `most_blocks` blocks.
  bool analyze(std::int32_t nodes, std::span<const Edge> edges, std::size_t most_blocks);

  void clear();

  double* diagonal(std::int32_t node) { return &blocks_[std::size_t(node) * block]; }

  /// The block of an edge of analyze(), by its place in that list: its rows are those of `row`, its columns
  /// those of the other node.
  struct Place {
    double* numbers;
    std::int32_t row;
  };
  Place off_diagonal(std::size_t edge) {
    return {&blocks_[std::size_t(edges_[edge].block) * block], edges_[edge].row};
  }

  /// A = L L^T in place. `sizes`: numbers of each node. A row that follows from those before it is left out:
  /// its x is 0.
  void factor(std::span<const std::uint8_t> sizes);

  /// b (most numbers a node) becomes x; after factor() with the same sizes.
  void solve(std::span<const std::uint8_t> sizes, std::span<double> b) const;

 private:
  void factor_diagonal(std::int32_t node, int size);

  std::int32_t nodes_ = 0;
  std::vector<Column> columns_;  ///< in the order of elimination
  std::vector<Entry> entries_;
  std::vector<Update> updates_;
  std::vector<EdgePlace> edges_;
  std::vector<double> blocks_;       ///< of the nodes, then those below the diagonal
  std::vector<std::uint8_t> alive_;  ///< per number: its row counts
  std::vector<double> whole_;        ///< per number: its diagonal before factor()
};

}  // namespace limber
