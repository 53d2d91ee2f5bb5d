#include "engine/method/substitution.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// Constants: tasks must depend on the matrix only, never on the number of threads.
constexpr std::int64_t subtrees_wanted = 24, of_later_levels = 6;
constexpr std::int64_t small_task = 512;  // work below which a subtree is not divided

}  // namespace

/// The panels in the order of elimination, and the elimination tree over them.
struct Substitution::Tree {
  std::vector<Panel> panels;
  std::vector<std::vector<std::int32_t>> rows;  ///< per panel: its rows, ascending
  std::vector<std::int32_t> parent;             ///< per panel: its parent; -1: none
  std::vector<std::int32_t> task;               ///< per panel: its task; -1: none yet
  std::vector<std::int64_t> load;               ///< per task: its work

  std::int64_t work(std::size_t p) const { return 8 + panels[p].width * (panels[p].width + panels[p].count); }
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

/// A column joins the panel before it if it is that panel's parent in the elimination tree and has almost the
/// same rows. Rows that the panel lacks get zeros.
void Substitution::make_panels(const SparseFactor& factor, Tree& tree) {
  // A column may have this many rows more than the panel; as many zeros are stored.
  constexpr std::size_t few = 4;
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
      // The rows of a column are among those of its parent, so the parent has at least as many.
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

/// Makes tasks of subtrees whose panels have no task yet, each as large as possible with at most `most` work.
/// Returns the total work of these tasks.
std::int64_t Substitution::cut_level(Tree& tree, std::int64_t most) {
  const std::size_t size = tree.panels.size(), first = tree.load.size();
  std::vector<std::int64_t> work(size, 0);  // per panel: work of its subtree, itself included
  for (std::size_t p = 0; p < size; ++p) {
    if (tree.task[p] >= 0) continue;
    work[p] += tree.work(p);
    // Ascending order: all panels below are finished.
    if (tree.parent[p] >= 0) work[std::size_t(tree.parent[p])] += work[p];
  }
  for (std::size_t p = size; p-- > 0;) {
    if (tree.task[p] >= 0) continue;
    const std::int32_t above = tree.parent[p];
    if (above >= 0 && tree.task[std::size_t(above)] >= 0) {
      tree.task[p] = tree.task[std::size_t(above)];
    } else if (work[p] <= most) {
      // Small trees with different roots share a task.
      if (tree.load.size() == first || tree.load.back() + work[p] > most) tree.load.push_back(0);
      tree.task[p] = std::int32_t(tree.load.size()) - 1;
      tree.load.back() += work[p];
    }
  }
  return std::accumulate(tree.load.begin() + std::ptrdiff_t(first), tree.load.end(), std::int64_t(0));
}

/// Divides the tree level after level, as long as a level has several tasks with an eighth of the remaining
/// work; the last level is a single task.
void Substitution::cut_tree(Tree& tree) {
  std::int64_t left = 0;
  for (std::size_t p = 0; p < tree.panels.size(); ++p) left += tree.work(p);
  tree.task.assign(tree.panels.size(), -1);
  first_task_.assign(1, 0);
  for (std::int64_t pieces = subtrees_wanted; left > 0; pieces = of_later_levels) {
    Tree cut = tree;
    const std::int64_t taken = cut_level(cut, std::max(left / pieces, small_task));
    const bool gains = cut.load.size() > tree.load.size() + 1 && taken > left / 8;
    if (gains) tree = std::move(cut);
    left -= gains ? taken : cut_level(tree, left);
    first_task_.push_back(std::int32_t(tree.load.size()));
  }
  by_work_.resize(tree.load.size());
  std::iota(by_work_.begin(), by_work_.end(), 0);
  for (std::size_t level = 0; level < levels(); ++level)
    std::stable_sort(by_work_.begin() + first_task_[level], by_work_.begin() + first_task_[level + 1],
                     [&](std::int32_t a, std::int32_t b) {
                       return tree.load[std::size_t(a)] > tree.load[std::size_t(b)];
                     });
  next_forward_ = std::vector<std::atomic<std::int32_t>>(levels());
  next_back_ = std::vector<std::atomic<std::int32_t>>(levels());
}

/// Lists panels task after task. Contributions to rows of later tasks get rows of their own behind all
/// unknowns.
void Substitution::list_panels(const Tree& tree) {
  const std::size_t unknowns = order_.size();
  std::vector<std::int32_t> task(unknowns), own_row(unknowns), owner(unknowns, -1), targets;
  std::vector<std::vector<std::size_t>> of_task(tree.load.size());
  for (std::size_t p = 0; p < tree.panels.size(); ++p) {
    of_task[std::size_t(tree.task[p])].push_back(p);
    for (std::int32_t k = 0; k < tree.panels[p].width; ++k)
      task[std::size_t(tree.panels[p].first + k)] = tree.task[p];
  }
  panels_.clear(), first_panel_.assign(1, 0), row_.clear(), into_.clear();
  std::int64_t values = 0;
  for (std::size_t t = 0; t < of_task.size(); ++t) {
    for (const std::size_t p : of_task[t]) {
      Panel panel = tree.panels[p];
      panel.row = std::int32_t(row_.size()), panel.value = values;
      values += panel.width * (panel.width - 1) / 2 + std::int64_t(panel.width) * panel.count;
      panels_.push_back(panel);
      for (const std::int32_t row : tree.rows[p]) {
        const std::size_t r = std::size_t(row);
        row_.push_back(row);
        if (task[r] != std::int32_t(t) && owner[r] != std::int32_t(t)) {
          owner[r] = std::int32_t(t);
          own_row[r] = std::int32_t(unknowns + targets.size());
          targets.push_back(row);
        }
        into_.push_back(task[r] == std::int32_t(t) ? row : own_row[r]);
      }
    }
    first_panel_.push_back(std::int32_t(panels_.size()));
  }
  value_.assign(std::size_t(values), real(0));
  x_.assign(unknowns + targets.size(), vec4(0));
  list_waiting(task, targets);
}

/// `task`: per unknown, its task. `targets`: per contribution, in the order of tasks, the row to which it is
/// added.
void Substitution::list_waiting(const std::vector<std::int32_t>& task,
                                const std::vector<std::int32_t>& targets) {
  first_waiting_.assign(std::size_t(first_task_.back()) + 1, 0);
  for (const std::int32_t to : targets) ++first_waiting_[std::size_t(task[std::size_t(to)]) + 1];
  std::partial_sum(first_waiting_.begin(), first_waiting_.end(), first_waiting_.begin());
  waiting_.resize(targets.size());
  std::vector<std::int32_t> next(first_waiting_.begin(), first_waiting_.end() - 1);
  for (std::size_t k = 0; k < targets.size(); ++k)
    waiting_[std::size_t(next[std::size_t(task[std::size_t(targets[k])])]++)] = {
        std::int32_t(order_.size() + k), targets[k]};
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

/// Solves for the columns' own rows, then subtracts their products from the rows below.
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

std::span<const Substitution::Panel> Substitution::panels_of(std::int32_t task) const {
  const std::int32_t first = first_panel_[std::size_t(task)];
  return std::span(panels_).subspan(std::size_t(first),
                                    std::size_t(first_panel_[std::size_t(task) + 1] - first));
}

void Substitution::forward(std::int32_t task) {
  for (std::int32_t k = first_waiting_[std::size_t(task)]; k < first_waiting_[std::size_t(task) + 1]; ++k) {
    vec4& waits = x_[std::size_t(waiting_[std::size_t(k)].from)];
    x_[std::size_t(waiting_[std::size_t(k)].to)] += waits;
    waits = vec4(0);
  }
  for (const Panel& panel : panels_of(task))
    with_width(panel.width, [&](auto width) {
      forward_panel<width>(value_.data() + panel.value, x_.data() + panel.first, into_.data() + panel.row,
                           panel.count, x_.data());
    });
}

void Substitution::back(std::int32_t task) {
  const auto panels = panels_of(task);
  for (std::size_t p = panels.size(); p-- > 0;) {
    const Panel& panel = panels[p];
    with_width(panel.width, [&](auto width) {
      back_panel<width>(value_.data() + panel.value, inverse_pivot_.data() + panel.first,
                        x_.data() + panel.first, row_.data() + panel.row, panel.count, x_.data());
    });
  }
}

/// Calls act(task) for the tasks of a level that this thread gets. `next`: per level, the number of tasks
/// already taken; must start at 0.
template <class Act>
void Substitution::for_tasks(std::size_t level, std::vector<std::atomic<std::int32_t>>& next,
                             const Act& act) {
  const std::int32_t first = first_task_[level], count = first_task_[level + 1] - first;
  for (std::int32_t k; (k = next[level].fetch_add(1, std::memory_order_relaxed)) < count;)
    act(by_work_[std::size_t(first + k)]);
}

void Substitution::solve(std::span<vec4> rows, Team& team) {
  const auto reset = [&](std::vector<std::atomic<std::int32_t>>& next) {
    if (team.rank() == 0)
      for (auto& counter : next) counter.store(0, std::memory_order_relaxed);
  };
  const Share mine = team.share(std::int64_t(order_.size()), 64);
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    x_[std::size_t(k)] = rows[std::size_t(order_[std::size_t(k)])];
  team.barrier();
  reset(next_back_);  // no thread uses it before the next barrier
  for (std::size_t level = 0; level < levels(); ++level) {
    for_tasks(level, next_forward_, [&](std::int32_t task) { forward(task); });
    team.barrier();
  }
  reset(next_forward_);
  for (std::size_t level = levels(); level-- > 0;) {
    for_tasks(level, next_back_, [&](std::int32_t task) { back(task); });
    team.barrier();
  }
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    rows[std::size_t(order_[std::size_t(k)])] = x_[std::size_t(k)];
}

}}  // namespace limber::LIMBER_PRECISION
