#include "engine/method/substitution.hpp"

#include <algorithm>
#include <numeric>

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr std::int64_t subtrees_wanted = 24;  // a function of the matrix only, never of the number of threads

}  // namespace

void Substitution::adopt(const SparseFactor& factor) {
  const std::size_t size = factor.order.size();
  order_ = factor.order;
  by_column_.begin = factor.column_begin;
  by_column_.other = factor.row;
  by_column_.value.assign(factor.value.begin(), factor.value.end());
  by_row_.begin.assign(size + 1, 0);
  for (const std::int32_t row : factor.row) ++by_row_.begin[std::size_t(row) + 1];
  std::partial_sum(by_row_.begin.begin(), by_row_.begin.end(), by_row_.begin.begin());
  by_row_.other.resize(factor.row.size()), by_row_.value.resize(factor.row.size());
  std::vector<std::int32_t> next(by_row_.begin.begin(), by_row_.begin.end() - 1);
  for (std::size_t j = 0; j < size; ++j)
    for (std::int32_t k = factor.column_begin[j]; k < factor.column_begin[j + 1]; ++k) {
      const std::size_t at = std::size_t(next[std::size_t(factor.row[std::size_t(k)])]++);
      by_row_.other[at] = std::int32_t(j);
      by_row_.value[at] = real(factor.value[std::size_t(k)]);
    }
  inverse_pivot_.resize(size);
  for (std::size_t k = 0; k < size; ++k) inverse_pivot_[k] = real(1.0 / factor.pivot[k]);
  x_.assign(size, vec4(0));
  cut_tree(factor);
}

/// A subtree is as large as may be without more than its share of all work.
void Substitution::cut_tree(const SparseFactor& factor) {
  const std::size_t size = factor.order.size();
  std::vector<std::int32_t> parent(size, -1);
  std::vector<std::int64_t> work(size, 0);  // of the subtree below and with a line
  std::int64_t all = 0;
  for (std::size_t j = 0; j < size; ++j) {
    const std::int32_t begin = factor.column_begin[j], end = factor.column_begin[j + 1];
    if (begin < end) parent[j] = factor.row[std::size_t(begin)];
    work[j] += 8 + end - begin;
    all += 8 + end - begin;
    if (parent[j] >= 0) work[std::size_t(parent[j])] += work[j];  // ascending: all below are done
  }
  const std::int64_t most = std::max<std::int64_t>(all / subtrees_wanted, 512);
  std::vector<std::int32_t> subtree(size, -1);  // -1: the top
  std::vector<std::int64_t> load;
  for (std::size_t j = size; j-- > 0;) {
    const std::int32_t above = parent[j];
    if (above >= 0 && subtree[std::size_t(above)] >= 0) {
      subtree[j] = subtree[std::size_t(above)];
    } else if (work[j] <= most) {
      // roots of small trees share a task
      if (load.empty() || load.back() + work[j] > most) load.push_back(0);
      subtree[j] = std::int32_t(load.size()) - 1;
      load.back() += work[j];
    }
  }
  const std::size_t top = load.size();
  first_line_.assign(top + 2, 0);
  const auto part = [&](std::size_t j) { return subtree[j] < 0 ? top : std::size_t(subtree[j]); };
  for (std::size_t j = 0; j < size; ++j) ++first_line_[part(j) + 1];
  std::partial_sum(first_line_.begin(), first_line_.end(), first_line_.begin());
  lines_.resize(size);
  std::vector<std::int32_t> next(first_line_.begin(), first_line_.end() - 1);
  for (std::size_t j = 0; j < size; ++j) lines_[std::size_t(next[part(j)]++)] = std::int32_t(j);
  by_work_.resize(top);
  std::iota(by_work_.begin(), by_work_.end(), 0);
  std::stable_sort(by_work_.begin(), by_work_.end(), [&](std::int32_t a, std::int32_t b) {
    return load[std::size_t(a)] > load[std::size_t(b)];
  });
}

namespace {

/// sum over a line of L_k x_k: even and odd terms apart, so that one addition need not wait for the last.
inline vec4 line_sum(const std::int32_t* other, const real* value, std::int32_t count, const vec4* x) {
  vec4 even(0), odd(0);
  std::int32_t k = 0;
  for (; k + 1 < count; k += 2) {
    even += value[k] * x[other[k]];
    odd += value[k + 1] * x[other[k + 1]];
  }
  if (k < count) even += value[k] * x[other[k]];
  return even + odd;
}

}  // namespace

void Substitution::forward(std::span<const std::int32_t> lines) {
  for (const std::int32_t i : lines) {
    const std::int32_t begin = by_row_.begin[std::size_t(i)], end = by_row_.begin[std::size_t(i) + 1];
    x_[std::size_t(i)] -=
        line_sum(by_row_.other.data() + begin, by_row_.value.data() + begin, end - begin, x_.data());
  }
}

void Substitution::back(std::span<const std::int32_t> lines) {
  for (std::size_t k = lines.size(); k-- > 0;) {
    const std::size_t i = std::size_t(lines[k]);
    const std::int32_t begin = by_column_.begin[i], end = by_column_.begin[i + 1];
    x_[i] = inverse_pivot_[i] * x_[i] - line_sum(by_column_.other.data() + begin,
                                                 by_column_.value.data() + begin, end - begin, x_.data());
  }
}

template <class Act>
void Substitution::for_subtrees(std::atomic<std::int32_t>& next, const Act& act) {
  for (std::int32_t s; (s = next.fetch_add(1, std::memory_order_relaxed)) < std::int32_t(by_work_.size());) {
    const std::size_t part = std::size_t(by_work_[std::size_t(s)]);
    act(std::span<const std::int32_t>(lines_).subspan(
        std::size_t(first_line_[part]), std::size_t(first_line_[part + 1] - first_line_[part])));
  }
}

void Substitution::solve(std::span<vec4> rows, Team& team) {
  const std::size_t top = by_work_.size();
  const auto lines_of_top = std::span<const std::int32_t>(lines_).subspan(std::size_t(first_line_[top]));
  const Share mine = team.share(std::int64_t(order_.size()), 64);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    x_[std::size_t(k)] = rows[std::size_t(order_[std::size_t(k)])];
  team.barrier();
  for_subtrees(next_forward_, [&](auto lines) { forward(lines); });
  team.barrier();
  if (team.rank() == 0) {
    next_back_.store(0, std::memory_order_relaxed);
    forward(lines_of_top);
    back(lines_of_top);
  }
  team.barrier();
  if (team.rank() == 0) next_forward_.store(0, std::memory_order_relaxed);
  for_subtrees(next_back_, [&](auto lines) { back(lines); });
  team.barrier();
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    rows[std::size_t(order_[std::size_t(k)])] = x_[std::size_t(k)];
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
