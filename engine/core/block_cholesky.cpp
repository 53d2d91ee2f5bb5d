#include "engine/core/block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "engine/core/dissection.hpp"

namespace limber {
namespace {

constexpr int most = BlockCholesky::most;
constexpr int small_stride = 4;  // of blocks of up to as many rows
/// Blocks of a node beyond which, and nodes from which on, dissection is tried.
constexpr std::size_t blocks_to_dissect = 6, least_to_dissect = 512;

/// a <- a l^-T for the lower triangular l of `size` rows; columns of redundant rows (alive = 0) become 0.
template <int stride>
void solve_right(double* a, int rows, const double* l, int size, const std::uint8_t* alive) {
  if (size == 3 && alive[0] && alive[1] && alive[2]) {
    const double xx = l[0], yx = l[stride], yy = l[stride + 1], zx = l[2 * stride], zy = l[2 * stride + 1],
                 zz = l[2 * stride + 2];
    for (int i = 0; i < rows; ++i, a += stride) {
      a[0] = a[0] / xx;
      a[1] = (a[1] - a[0] * yx) / yy;
      a[2] = (a[2] - a[0] * zx - a[1] * zy) / zz;
    }
    return;
  }
  for (int i = 0; i < rows; ++i, a += stride)
    for (int j = 0; j < size; ++j) {
      double x = a[j];
      for (int k = 0; k < j; ++k) x -= a[k] * l[j * stride + k];
      a[j] = alive[j] ? x / l[j * stride + j] : 0.0;
    }
}

/// Columns of a 3 x 3 block, with a zero behind each.
template <int stride>
void transpose_three(const double* a, double (&r)[3][4]) {
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) r[k][j] = a[j * stride + k];
    r[k][3] = 0.0;
  }
}

/// out -= left right^T for 3 x 3 blocks, the size of most joints, with `r` the transposed right. The
/// innermost sum is written out; its terms have the order of subtract_product(), so that both give the same
/// bits. The fourth number of a row has no meaning: with it a row is a whole number of registers.
template <int stride>
void subtract_product_of_three(double* __restrict out, const double* __restrict left,
                               const double (&r)[3][4]) {
  for (int i = 0; i < 3; ++i, out += stride, left += stride) {
    const double x = left[0], y = left[1], z = left[2];
    for (int j = 0; j < 4; ++j) out[j] -= x * r[0][j] + y * r[1][j] + z * r[2][j];
  }
}

template <int stride>
void subtract_product(double* out, const double* left, int rows, const double* right, int columns,
                      int inner) {
  if (rows == 3 && columns == 3 && inner == 3) {
    double r[3][4];
    transpose_three<stride>(right, r);
    return subtract_product_of_three<stride>(out, left, r);
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k) sum += left[i * stride + k] * right[j * stride + k];
      out[i * stride + j] -= sum;
    }
}

using EliminationGraph = std::vector<std::set<std::int32_t>>;

}  // namespace

/// An order of elimination with the blocks that it fills.
struct BlockCholesky::Elimination {
  std::vector<std::int32_t> place;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> below;  ///< (later, earlier) -> block
  std::vector<Column> columns;
  std::vector<Entry> entries;
  std::int32_t blocks;

  /// Eliminates nodes in the order given, or if that is empty, the node with the fewest neighbours first.
  /// Stops at more than `most_blocks`.
  Elimination(EliminationGraph near, std::span<const std::int32_t> order, std::size_t most_blocks)
      : place(near.size(), 0), blocks(std::int32_t(near.size())) {
    std::set<std::pair<std::size_t, std::int32_t>> queue;
    for (std::size_t i = 0; i < near.size(); ++i) queue.emplace(near[i].size(), std::int32_t(i));
    std::vector<std::int32_t> later(near.size(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) later[std::size_t(order[k])] = std::int32_t(k);
    while (!queue.empty()) {
      const std::int32_t node = order.empty() ? queue.begin()->second : order[columns.size()];
      auto& mine = near[std::size_t(node)];
      queue.erase({mine.size(), node});
      place[std::size_t(node)] = std::int32_t(columns.size());
      std::vector<std::int32_t> rows(mine.begin(), mine.end());
      if (!order.empty())  // as update_by_three() needs them
        std::sort(rows.begin(), rows.end(), [&](std::int32_t i, std::int32_t j) {
          return later[std::size_t(i)] < later[std::size_t(j)];
        });
      columns.push_back({node, std::int32_t(entries.size()), 0, 0, 0});
      for (const std::int32_t row : rows) {
        below[{row, node}] = blocks;
        entries.push_back({row, blocks++});
      }
      columns.back().end = std::int32_t(entries.size());
      if (std::size_t(blocks) > most_blocks) return;
      // eliminating `node` makes its remaining neighbours adjacent to each other
      for (const std::int32_t row : rows) {
        auto& others = near[std::size_t(row)];
        queue.erase({others.size(), row});
        others.erase(node);
        for (const std::int32_t other : rows)
          if (other != row) others.insert(other);
        queue.emplace(others.size(), row);
      }
    }
  }
  std::size_t updates() const {
    std::size_t sum = 0;
    for (const Column& column : columns) {
      const std::size_t rows = std::size_t(column.end - column.first);
      sum += rows * (rows + 1) / 2;
    }
    return sum;
  }
};

bool BlockCholesky::analyze(std::int32_t nodes, std::span<const Edge> edges, std::size_t most_blocks,
                            int rows) {
  EliminationGraph near(static_cast<std::size_t>(nodes));
  for (const auto& [i, j] : edges) near[std::size_t(i)].insert(j), near[std::size_t(j)].insert(i);
  Elimination chosen(near, {}, most_blocks);
  if (std::size_t(chosen.blocks) > most_blocks) return false;
  ordered_ = false;
  if (near.size() >= least_to_dissect && std::size_t(chosen.blocks) > blocks_to_dissect * near.size()) {
    GraphNeighbours graph;
    for (const auto& list : near) graph.emplace_back(list.begin(), list.end());
    const Dissection dissection(graph);
    Elimination dissected(near, dissection.order(), most_blocks);
    if (dissected.columns.size() == near.size() && dissected.updates() < chosen.updates())
      chosen = std::move(dissected), ordered_ = true;
  }
  stride_ = rows <= small_stride ? small_stride : most;
  auto& [place, below, columns, entries, blocks] = chosen;
  nodes_ = nodes;
  columns_ = std::move(columns), entries_ = std::move(entries);
  updates_.clear(), edges_.clear();
  const auto later = [&place = place](std::int32_t i, std::int32_t j) {
    return place[std::size_t(i)] > place[std::size_t(j)];
  };
  for (Column& column : columns_) {
    column.first_update = std::int32_t(updates_.size());
    for (std::int32_t s = column.first; s < column.end; ++s)
      for (std::int32_t t = column.first; t <= s; ++t) {
        Entry left = entries_[std::size_t(s)], right = entries_[std::size_t(t)];
        if (s != t && later(right.row, left.row)) std::swap(left, right);
        const std::int32_t target = s == t ? left.row : below.at({left.row, right.row});
        updates_.push_back({target, left.block, right.block, left.row, right.row});
      }
    column.end_update = std::int32_t(updates_.size());
  }
  for (const auto& [i, j] : edges) {
    const std::int32_t row = later(i, j) ? i : j;
    edges_.push_back({below.at({row, i + j - row}), row});
  }
  blocks_.assign(std::size_t(blocks) * std::size_t(stride_ * stride_), 0.0);
  alive_.assign(std::size_t(nodes) * most, 1);
  whole_.assign(std::size_t(nodes) * most, 0.0);
  return true;
}

void BlockCholesky::clear() { std::fill(blocks_.begin(), blocks_.end(), 0.0); }

/// Cholesky factor of a node's diagonal block. A row whose pivot is at most `redundant` times its original
/// diagonal depends linearly on earlier rows and is dropped (alive = 0).
template <int stride>
void BlockCholesky::factor_diagonal(std::int32_t node, int size) {
  double* const a = diagonal(node);
  std::uint8_t* const alive = &alive_[std::size_t(node) * most];
  const double* const whole = &whole_[std::size_t(node) * most];
  for (int j = 0; j < size; ++j) {
    double d = a[j * stride + j];
    for (int k = 0; k < j; ++k) d -= a[j * stride + k] * a[j * stride + k];
    alive[j] = d > redundant * whole[j];
    const double root = alive[j] ? std::sqrt(d) : 1.0;
    a[j * stride + j] = root;
    for (int i = j + 1; i < size; ++i) {
      double x = a[i * stride + j];
      for (int k = 0; k < j; ++k) x -= a[i * stride + k] * a[j * stride + k];
      a[i * stride + j] = alive[j] ? x / root : 0.0;
    }
  }
}

/// All updates by a column whose entries lie in the order of elimination, for blocks of 3 x 3 numbers.
template <int stride>
void BlockCholesky::update_by_three(const Column& column) {
  const std::int32_t count = column.end - column.first;
  const Entry* const entries = &entries_[std::size_t(column.first)];
  const Update* const updates = &updates_[std::size_t(column.first_update)];  // s, then t <= s
  for (std::int32_t t = 0; t < count; ++t) {
    double r[3][4];
    transpose_three<stride>(at(entries[t].block), r);
    for (std::int32_t s = t; s < count; ++s)
      subtract_product_of_three<stride>(at(updates[s * (s + 1) / 2 + t].block), at(entries[s].block), r);
  }
}

void BlockCholesky::factor(std::span<const std::uint8_t> sizes) {
  stride_ == small_stride ? factor_blocks<small_stride>(sizes) : factor_blocks<most>(sizes);
}

void BlockCholesky::solve(std::span<const std::uint8_t> sizes, std::span<double> b) const {
  stride_ == small_stride ? solve_blocks<small_stride>(sizes, b) : solve_blocks<most>(sizes, b);
}

template <int stride>
void BlockCholesky::factor_blocks(std::span<const std::uint8_t> sizes) {
  for (std::int32_t node = 0; node < nodes_; ++node)
    for (int k = 0; k < sizes[std::size_t(node)]; ++k)
      whole_[std::size_t(node * most + k)] = diagonal(node)[k * stride + k];
  const bool all_three =
      ordered_ && std::all_of(sizes.begin(), sizes.end(), [](int size) { return size == 3; });
  for (const Column& column : columns_) {
    const int size = sizes[std::size_t(column.node)];
    factor_diagonal<stride>(column.node, size);
    const std::uint8_t* const alive = &alive_[std::size_t(column.node) * most];
    for (std::int32_t e = column.first; e < column.end; ++e) {
      const Entry& entry = entries_[std::size_t(e)];
      solve_right<stride>(at(entry.block), sizes[std::size_t(entry.row)], at(column.node), size, alive);
    }
    if (all_three) {
      update_by_three<stride>(column);
      continue;
    }
    for (std::int32_t u = column.first_update; u < column.end_update; ++u) {
      const Update& update = updates_[std::size_t(u)];
      subtract_product<stride>(at(update.block), at(update.left), sizes[std::size_t(update.rows)],
                               at(update.right), sizes[std::size_t(update.columns)], size);
    }
  }
}

template <int stride>
void BlockCholesky::solve_blocks(std::span<const std::uint8_t> sizes, std::span<double> b) const {
  for (const Column& column : columns_) {  // L y = b
    const int size = sizes[std::size_t(column.node)];
    const double* const l = at(column.node);
    double* const y = &b[std::size_t(column.node) * most];
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < j; ++k) y[j] -= l[j * stride + k] * y[k];
      y[j] = alive_[std::size_t(column.node * most + j)] ? y[j] / l[j * stride + j] : 0.0;
    }
    for (std::int32_t e = column.first; e < column.end; ++e) {
      const Entry& entry = entries_[std::size_t(e)];
      const double* const a = at(entry.block);
      double* const rest = &b[std::size_t(entry.row) * most];
      for (int i = 0; i < sizes[std::size_t(entry.row)]; ++i)
        for (int k = 0; k < size; ++k) rest[i] -= a[i * stride + k] * y[k];
    }
  }
  for (auto column = columns_.rbegin(); column != columns_.rend(); ++column) {  // L^T x = y
    const int size = sizes[std::size_t(column->node)];
    const double* const l = at(column->node);
    double* const x = &b[std::size_t(column->node) * most];
    for (std::int32_t e = column->first; e < column->end; ++e) {
      const Entry& entry = entries_[std::size_t(e)];
      const double* const a = at(entry.block);
      const double* const above = &b[std::size_t(entry.row) * most];
      for (int i = 0; i < sizes[std::size_t(entry.row)]; ++i)
        for (int k = 0; k < size; ++k) x[k] -= a[i * stride + k] * above[i];
    }
    for (int j = size - 1; j >= 0; --j) {
      for (int k = j + 1; k < size; ++k) x[j] -= l[k * stride + j] * x[k];
      x[j] = alive_[std::size_t(column->node * most + j)] ? x[j] / l[j * stride + j] : 0.0;
    }
  }
}

}  // namespace limber
