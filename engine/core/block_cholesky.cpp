#include "engine/core/block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace limber {
namespace {

constexpr int most = BlockCholesky::most;

/// a <- a l^-T for the lower triangular l of `size` rows; columns of redundant rows (alive = 0) become 0.
void solve_right(double* a, int rows, const double* l, int size, const std::uint8_t* alive) {
  if (size == 3 && alive[0] && alive[1] && alive[2]) {
    const double xx = l[0], yx = l[most], yy = l[most + 1], zx = l[2 * most], zy = l[2 * most + 1],
                 zz = l[2 * most + 2];
    for (int i = 0; i < rows; ++i, a += most) {
      a[0] = a[0] / xx;
      a[1] = (a[1] - a[0] * yx) / yy;
      a[2] = (a[2] - a[0] * zx - a[1] * zy) / zz;
    }
    return;
  }
  for (int i = 0; i < rows; ++i, a += most)
    for (int j = 0; j < size; ++j) {
      double x = a[j];
      for (int k = 0; k < j; ++k) x -= a[k] * l[j * most + k];
      a[j] = alive[j] ? x / l[j * most + j] : 0.0;
    }
}

/// out -= left right^T for 3 x 3 blocks, the size of most joints. The innermost sum is written out; its terms
/// have the order of subtract_product(), so that both give the same bits.
void subtract_product_of_three(double* out, const double* left, const double* right) {
  double r[3][3];
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) r[k][j] = right[j * most + k];
  for (int i = 0; i < 3; ++i, out += most, left += most)
    for (int j = 0; j < 3; ++j) out[j] -= 0.0 + left[0] * r[0][j] + left[1] * r[1][j] + left[2] * r[2][j];
}

void subtract_product(double* out, const double* left, int rows, const double* right, int columns,
                      int inner) {
  if (rows == 3 && columns == 3 && inner == 3) return subtract_product_of_three(out, left, right);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < inner; ++k) sum += left[i * most + k] * right[j * most + k];
      out[i * most + j] -= sum;
    }
}

}  // namespace

bool BlockCholesky::analyze(std::int32_t nodes, std::span<const Edge> edges, std::size_t most_blocks) {
  std::vector<std::set<std::int32_t>> near(static_cast<std::size_t>(nodes));
  for (const auto& [i, j] : edges) near[std::size_t(i)].insert(j), near[std::size_t(j)].insert(i);
  std::set<std::pair<std::size_t, std::int32_t>> queue;
  for (std::int32_t i = 0; i < nodes; ++i) queue.emplace(near[std::size_t(i)].size(), i);
  std::vector<std::int32_t> place(std::size_t(nodes), 0);
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> below;  // (later, earlier) -> block
  std::vector<Column> columns;
  std::vector<Entry> entries;
  std::int32_t blocks = nodes;
  while (!queue.empty()) {
    const std::int32_t node = queue.begin()->second;
    queue.erase(queue.begin());
    place[std::size_t(node)] = std::int32_t(columns.size());
    const std::vector<std::int32_t> rows(near[std::size_t(node)].begin(), near[std::size_t(node)].end());
    columns.push_back({node, std::int32_t(entries.size()), 0, 0, 0});
    for (const std::int32_t row : rows) {
      below[{row, node}] = blocks;
      entries.push_back({row, blocks++});
    }
    columns.back().end = std::int32_t(entries.size());
    if (std::size_t(blocks) > most_blocks) return false;
    // eliminating `node` makes its remaining neighbours adjacent to each other
    for (const std::int32_t row : rows) {
      auto& mine = near[std::size_t(row)];
      queue.erase({mine.size(), row});
      mine.erase(node);
      for (const std::int32_t other : rows)
        if (other != row) mine.insert(other);
      queue.emplace(mine.size(), row);
    }
  }
  nodes_ = nodes;
  columns_ = std::move(columns), entries_ = std::move(entries);
  updates_.clear(), edges_.clear();
  const auto later = [&](std::int32_t i, std::int32_t j) {
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
  blocks_.assign(std::size_t(blocks) * block, 0.0);
  alive_.assign(std::size_t(nodes) * most, 1);
  whole_.assign(std::size_t(nodes) * most, 0.0);
  return true;
}

void BlockCholesky::clear() { std::fill(blocks_.begin(), blocks_.end(), 0.0); }

/// Cholesky factor of a node's diagonal block. A row whose pivot is at most `redundant` times its original
/// diagonal depends linearly on earlier rows and is dropped (alive = 0).
void BlockCholesky::factor_diagonal(std::int32_t node, int size) {
  double* const a = diagonal(node);
  std::uint8_t* const alive = &alive_[std::size_t(node) * most];
  const double* const whole = &whole_[std::size_t(node) * most];
  for (int j = 0; j < size; ++j) {
    double d = a[j * most + j];
    for (int k = 0; k < j; ++k) d -= a[j * most + k] * a[j * most + k];
    alive[j] = d > redundant * whole[j];
    const double root = alive[j] ? std::sqrt(d) : 1.0;
    a[j * most + j] = root;
    for (int i = j + 1; i < size; ++i) {
      double x = a[i * most + j];
      for (int k = 0; k < j; ++k) x -= a[i * most + k] * a[j * most + k];
      a[i * most + j] = alive[j] ? x / root : 0.0;
    }
  }
}

void BlockCholesky::factor(std::span<const std::uint8_t> sizes) {
  for (std::int32_t node = 0; node < nodes_; ++node)
    for (int k = 0; k < sizes[std::size_t(node)]; ++k)
      whole_[std::size_t(node * most + k)] = diagonal(node)[k * most + k];
  const auto at = [&](std::int32_t b) { return &blocks_[std::size_t(b) * block]; };
  for (const Column& column : columns_) {
    const int size = sizes[std::size_t(column.node)];
    factor_diagonal(column.node, size);
    const std::uint8_t* const alive = &alive_[std::size_t(column.node) * most];
    for (std::int32_t e = column.first; e < column.end; ++e) {
      const Entry& entry = entries_[std::size_t(e)];
      solve_right(at(entry.block), sizes[std::size_t(entry.row)], at(column.node), size, alive);
    }
    for (std::int32_t u = column.first_update; u < column.end_update; ++u) {
      const Update& update = updates_[std::size_t(u)];
      subtract_product(at(update.block), at(update.left), sizes[std::size_t(update.rows)], at(update.right),
                       sizes[std::size_t(update.columns)], size);
    }
  }
}

void BlockCholesky::solve(std::span<const std::uint8_t> sizes, std::span<double> b) const {
  const auto at = [&](std::int32_t k) { return &blocks_[std::size_t(k) * block]; };
  for (const Column& column : columns_) {  // L y = b
    const int size = sizes[std::size_t(column.node)];
    const double* const l = at(column.node);
    double* const y = &b[std::size_t(column.node) * most];
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < j; ++k) y[j] -= l[j * most + k] * y[k];
      y[j] = alive_[std::size_t(column.node * most + j)] ? y[j] / l[j * most + j] : 0.0;
    }
    for (std::int32_t e = column.first; e < column.end; ++e) {
      const Entry& entry = entries_[std::size_t(e)];
      const double* const a = at(entry.block);
      double* const rest = &b[std::size_t(entry.row) * most];
      for (int i = 0; i < sizes[std::size_t(entry.row)]; ++i)
        for (int k = 0; k < size; ++k) rest[i] -= a[i * most + k] * y[k];
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
        for (int k = 0; k < size; ++k) x[k] -= a[i * most + k] * above[i];
    }
    for (int j = size - 1; j >= 0; --j) {
      for (int k = j + 1; k < size; ++k) x[j] -= l[k * most + j] * x[k];
      x[j] = alive_[std::size_t(column->node * most + j)] ? x[j] / l[j * most + j] : 0.0;
    }
  }
}

}  // namespace limber
