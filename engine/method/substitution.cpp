#include "engine/method/substitution.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr std::int64_t subtrees_wanted = 24;  // a function of the matrix only, never of the number of threads

}  // namespace

/// Panels in the order of elimination, and which of them is above which.
struct Substitution::Tree {
  std::vector<Panel> panels;
  std::vector<std::vector<std::int32_t>> rows;  ///< of each panel, ascending
  std::vector<std::int32_t> parent, subtree;    ///< of each panel; -1: none, the top
  std::size_t subtrees = 0;
};

void Substitution::adopt(const SparseFactor& factor) {
  order_ = factor.order;
  Tree tree;
  make_panels(factor, tree);
  cut_tree(tree);
  list_panels(tree);
  store_numbers(factor);
  inverse_pivot_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) inverse_pivot_[k] = real(1.0 / factor.pivot[k]);
}

/// A column joins the panel before it where it is that one's parent in the elimination tree and its rows are
/// the panel's, but for a few: then rows of the panel below it get zeros.
void Substitution::make_panels(const SparseFactor& factor, Tree& tree) {
  constexpr std::size_t few = 4;  // rows that a column may have beyond those of the panel, with as many zeros
  const std::size_t size = factor.order.size();
  const auto rows_of = [&](std::size_t j) {
    return std::span<const std::int32_t>(factor.row)
        .subspan(std::size_t(factor.column_begin[j]),
                 std::size_t(factor.column_begin[j + 1] - factor.column_begin[j]));
  };
  std::vector<std::int32_t> panel_of(size);
  for (std::size_t j = 0; j < size; ++j) {
    const auto rows = rows_of(j);
    if (j > 0) {
      Panel& last = tree.panels.back();
      std::vector<std::int32_t>& own = tree.rows.back();
      // rows of a column are among those of its parent, so these are no fewer
      if (last.width < widest && !own.empty() && own.front() == std::int32_t(j) &&
          rows.size() <= own.size() - 1 + few) {
        own.assign(rows.begin(), rows.end());
        ++last.width;
        panel_of[j] = std::int32_t(tree.panels.size()) - 1;
        continue;
      }
    }
    panel_of[j] = std::int32_t(tree.panels.size());
    tree.panels.push_back({std::int32_t(j), 1, 0, 0, 0});
    tree.rows.emplace_back(rows.begin(), rows.end());
  }
  for (std::size_t p = 0; p < tree.panels.size(); ++p) {
    tree.panels[p].count = std::int32_t(tree.rows[p].size());
    tree.parent.push_back(tree.rows[p].empty() ? -1 : panel_of[std::size_t(tree.rows[p].front())]);
  }
}

/// A subtree is as large as may be without more than its share of all work.
void Substitution::cut_tree(Tree& tree) {
  const std::size_t size = tree.panels.size();
  std::vector<std::int64_t> work(size, 0);  // of the subtree below and with a panel
  std::int64_t all = 0;
  for (std::size_t p = 0; p < size; ++p) {
    const Panel& panel = tree.panels[p];
    const std::int64_t own = 8 + panel.width * (panel.width + panel.count);
    work[p] += own;
    all += own;
    if (tree.parent[p] >= 0) work[std::size_t(tree.parent[p])] += work[p];  // ascending: all below are done
  }
  const std::int64_t most = std::max<std::int64_t>(all / subtrees_wanted, 512);
  tree.subtree.assign(size, -1);
  std::vector<std::int64_t> load;
  for (std::size_t p = size; p-- > 0;) {
    const std::int32_t above = tree.parent[p];
    if (above >= 0 && tree.subtree[std::size_t(above)] >= 0) {
      tree.subtree[p] = tree.subtree[std::size_t(above)];
    } else if (work[p] <= most) {
      // roots of small trees share a task
      if (load.empty() || load.back() + work[p] > most) load.push_back(0);
      tree.subtree[p] = std::int32_t(load.size()) - 1;
      load.back() += work[p];
    }
  }
  tree.subtrees = load.size();
  by_work_.resize(load.size());
  std::iota(by_work_.begin(), by_work_.end(), 0);
  std::stable_sort(by_work_.begin(), by_work_.end(), [&](std::int32_t a, std::int32_t b) {
    return load[std::size_t(a)] > load[std::size_t(b)];
  });
}

/// Subtree after subtree. Rows above a subtree get rows of its own behind all unknowns.
void Substitution::list_panels(const Tree& tree) {
  const std::size_t unknowns = order_.size();
  std::vector<std::int32_t> task(unknowns), own_row(unknowns), owner(unknowns, -1);
  for (std::size_t p = 0; p < tree.panels.size(); ++p)
    for (std::int32_t k = 0; k < tree.panels[p].width; ++k)
      task[std::size_t(tree.panels[p].first + k)] = tree.subtree[p];
  panels_.clear(), first_panel_.assign(1, 0), row_.clear(), into_.clear(), waiting_.clear();
  std::int64_t values = 0;
  for (std::size_t t = 0; t <= tree.subtrees; ++t) {
    const std::int32_t wanted = t < tree.subtrees ? std::int32_t(t) : -1;
    for (std::size_t p = 0; p < tree.panels.size(); ++p) {
      if (tree.subtree[p] != wanted) continue;
      Panel panel = tree.panels[p];
      panel.row = std::int32_t(row_.size()), panel.value = values;
      values += panel.width * (panel.width - 1) / 2 + std::int64_t(panel.width) * panel.count;
      panels_.push_back(panel);
      for (const std::int32_t row : tree.rows[p]) {
        const std::size_t r = std::size_t(row);
        row_.push_back(row);
        if (task[r] == wanted) {
          into_.push_back(row);
          continue;
        }
        if (owner[r] != wanted) {
          owner[r] = wanted;
          own_row[r] = std::int32_t(unknowns + waiting_.size());
          waiting_.push_back(row);
        }
        into_.push_back(own_row[r]);
      }
    }
    first_panel_.push_back(std::int32_t(panels_.size()));
  }
  value_.assign(std::size_t(values), real(0));
  x_.assign(unknowns + waiting_.size(), vec4(0));
}

void Substitution::store_numbers(const SparseFactor& factor) {
  for (const Panel& panel : panels_) {
    const auto rows =
        std::span<const std::int32_t>(row_).subspan(std::size_t(panel.row), std::size_t(panel.count));
    real* const triangle = value_.data() + panel.value;
    real* const whole = triangle + panel.width * (panel.width - 1) / 2;
    for (std::int32_t k = 0; k < panel.width; ++k) {
      const std::size_t j = std::size_t(panel.first + k);
      std::size_t at = 0;
      for (std::int32_t e = factor.column_begin[j]; e < factor.column_begin[j + 1]; ++e) {
        const std::int32_t row = factor.row[std::size_t(e)], inside = row - panel.first;
        const real value = real(factor.value[std::size_t(e)]);
        if (inside < panel.width) {
          triangle[inside * (inside - 1) / 2 + k] = value;
          continue;
        }
        while (rows[at] != row) ++at;
        whole[std::int64_t(at) * panel.width + k] = value;
      }
    }
  }
}

namespace {

/// The columns' own rows, then what they take off the rows below.
template <std::int32_t width>
void forward_panel(const real* value, vec4* own, const std::int32_t* into, std::int32_t count, vec4* x) {
  vec4 c[width];
  for (std::int32_t i = 0; i < width; ++i) {
    c[i] = own[i];
    for (std::int32_t k = 0; k < i; ++k) c[i] -= *value++ * c[k];
    own[i] = c[i];
  }
  for (std::int32_t r = 0; r < count; ++r, value += width) {
    vec4 even = value[0] * c[0], odd(0);
    for (std::int32_t k = 1; k < width; ++k) (k % 2 ? odd : even) += value[k] * c[k];
    x[into[r]] -= even + odd;
  }
}

template <std::int32_t width>
void back_panel(const real* value, const real* inverse_pivot, vec4* own, const std::int32_t* row,
                std::int32_t count, const vec4* x) {
  const real* whole = value + width * (width - 1) / 2;
  vec4 c[width];
  for (std::int32_t k = 0; k < width; ++k) c[k] = inverse_pivot[k] * own[k];
  for (std::int32_t r = 0; r < count; ++r, whole += width) {
    const vec4 below = x[row[r]];
    for (std::int32_t k = 0; k < width; ++k) c[k] -= whole[k] * below;
  }
  for (std::int32_t i = width; i-- > 1;)
    for (std::int32_t k = 0; k < i; ++k) c[k] -= value[i * (i - 1) / 2 + k] * c[i];
  for (std::int32_t k = 0; k < width; ++k) own[k] = c[k];
}

/// Calls act(std::integral_constant<width>) for the width from 1 to Substitution::widest.
template <class Act, std::int32_t width = 1>
void with_width(std::int32_t wanted, const Act& act) {
  if constexpr (width <= Substitution::widest) {
    if (wanted == width) return act(std::integral_constant<std::int32_t, width>());
    with_width<Act, width + 1>(wanted, act);
  }
}

}  // namespace

void Substitution::forward(std::span<const Panel> panels) {
  for (const Panel& panel : panels)
    with_width(panel.width, [&](auto width) {
      forward_panel<width>(value_.data() + panel.value, x_.data() + panel.first, into_.data() + panel.row,
                           panel.count, x_.data());
    });
}

void Substitution::back(std::span<const Panel> panels) {
  for (std::size_t p = panels.size(); p-- > 0;) {
    const Panel& panel = panels[p];
    with_width(panel.width, [&](auto width) {
      back_panel<width>(value_.data() + panel.value, inverse_pivot_.data() + panel.first,
                        x_.data() + panel.first, row_.data() + panel.row, panel.count, x_.data());
    });
  }
}

template <class Act>
void Substitution::for_subtrees(std::atomic<std::int32_t>& next, const Act& act) {
  for (std::int32_t s; (s = next.fetch_add(1, std::memory_order_relaxed)) < std::int32_t(by_work_.size());) {
    const std::size_t part = std::size_t(by_work_[std::size_t(s)]);
    act(std::span<const Panel>(panels_).subspan(std::size_t(first_panel_[part]),
                                                std::size_t(first_panel_[part + 1] - first_panel_[part])));
  }
}

void Substitution::solve(std::span<vec4> rows, Team& team) {
  const auto top = std::span<const Panel>(panels_).subspan(std::size_t(first_panel_[by_work_.size()]));
  const Share mine = team.share(std::int64_t(order_.size()), 64);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    x_[std::size_t(k)] = rows[std::size_t(order_[std::size_t(k)])];
  team.barrier();
  for_subtrees(next_forward_, [&](auto panels) { forward(panels); });
  team.barrier();
  if (team.rank() == 0) {
    next_back_.store(0, std::memory_order_relaxed);
    for (std::size_t k = 0; k < waiting_.size(); ++k) {
      vec4& waits = x_[order_.size() + k];
      x_[std::size_t(waiting_[k])] += waits;
      waits = vec4(0);
    }
    forward(top);
    back(top);
  }
  team.barrier();
  if (team.rank() == 0) next_forward_.store(0, std::memory_order_relaxed);
  for_subtrees(next_back_, [&](auto panels) { back(panels); });
  team.barrier();
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    rows[std::size_t(order_[std::size_t(k)])] = x_[std::size_t(k)];
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
