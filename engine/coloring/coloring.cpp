#include "engine/coloring/coloring.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "engine/core/first_fit.hpp"

namespace limber {
namespace {

constexpr int window = first_fit_colors;  // colours handled at once

/// Gives each of the `waiting` constraints its smallest free colour in [base, base + window), with base the
/// number of colours used so far. Returns the constraints that get none. `used` holds a mask per vertex.
std::vector<Index> color_window(std::span<const Index> vertices, int arity, std::span<const Index> waiting,
                                std::vector<std::uint64_t>& used, Coloring& coloring) {
  const int base = coloring.count;
  std::vector<Index> left_over;
  for (Index constraint : waiting) {
    const auto stencil = vertices.subspan(static_cast<std::size_t>(constraint) * arity, arity);
    const int color = take_first_free_color([&](const auto& act) {
      for (Index v : stencil) act(used[v]);
    });
    if (color == window) {
      left_over.push_back(constraint);
      continue;
    }
    coloring.color[constraint] = base + color;
    coloring.count = std::max(coloring.count, base + color + 1);
  }
  return left_over;
}

}  // namespace

Coloring greedy_coloring(std::span<const Index> vertices, int arity, Index vertex_count) {
  assert(arity > 0 && vertices.size() % arity == 0);
  Coloring coloring;
  coloring.color.resize(vertices.size() / arity);
  std::vector<Index> waiting(coloring.color.size());
  std::iota(waiting.begin(), waiting.end(), Index{0});
  std::vector<std::uint64_t> used(vertex_count, 0);
  while (!waiting.empty()) {
    waiting = color_window(vertices, arity, waiting, used, coloring);
    // only the vertices of the remaining constraints are used again, so only their masks must be cleared
    for (Index constraint : waiting) {
      for (Index v : vertices.subspan(static_cast<std::size_t>(constraint) * arity, arity)) used[v] = 0;
    }
  }
  return coloring;
}

Coloring sequential_levels(std::span<const Index> vertices, int arity, Index vertex_count) {
  assert(arity > 0 && vertices.size() % arity == 0);
  Coloring levels;
  levels.color.resize(vertices.size() / arity);
  std::vector<std::int32_t> next_level(vertex_count, 0);  // first level at which a vertex is free again
  for (std::size_t constraint = 0; constraint < levels.color.size(); ++constraint) {
    const auto stencil = vertices.subspan(constraint * arity, arity);
    std::int32_t level = 0;
    for (Index v : stencil) level = std::max(level, next_level[v]);
    for (Index v : stencil) next_level[v] = level + 1;
    levels.color[constraint] = level;
    levels.count = std::max(levels.count, level + 1);
  }
  return levels;
}

}  // namespace limber
