#include "engine/coloring/coloring.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace limber {
namespace {

constexpr int window = 64;  // colours handled at once: one bit each in a vertex's mask

/// Gives each of the `waiting` constraints its smallest free colour in [base, base + window), where base are
/// the colours used so far; returns those for which there is none. `used` holds a mask per vertex.
std::vector<Index> color_window(std::span<const Index> vertices, int arity, std::span<const Index> waiting,
                                std::vector<std::uint64_t>& used, Coloring& coloring) {
  const int base = coloring.count;
  std::vector<Index> left_over;
  for (Index constraint : waiting) {
    const auto stencil = vertices.subspan(static_cast<std::size_t>(constraint) * arity, arity);
    std::uint64_t taken = 0;
    for (Index v : stencil) taken |= used[v];
    const int color = std::countr_one(taken);
    if (color == window) {
      left_over.push_back(constraint);
      continue;
    }
    for (Index v : stencil) used[v] |= std::uint64_t{1} << color;
    coloring.color[constraint] = base + color;
    coloring.count = std::max(coloring.count, base + color + 1);
  }
  return left_over;
}

/// Neighbour lists of all vertices in one array: those of v are at [offset[v], offset[v + 1]).
struct Adjacency {
  std::vector<std::int64_t> offset;
  std::vector<Index> neighbours;

  std::span<const Index> of(Index v) const {
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(offset[v]), static_cast<std::size_t>(degree(v)));
  }
  std::int64_t degree(Index v) const { return offset[v + 1] - offset[v]; }
};

Adjacency build_adjacency(std::span<const std::array<Index, 2>> edges, Index vertex_count) {
  Adjacency graph;
  graph.offset.assign(static_cast<std::size_t>(vertex_count) + 1, 0);
  for (const auto& [a, b] : edges) {
    ++graph.offset[a + 1];
    ++graph.offset[b + 1];
  }
  std::partial_sum(graph.offset.begin(), graph.offset.end(), graph.offset.begin());
  graph.neighbours.resize(2 * edges.size());
  std::vector<std::int64_t> end(graph.offset.begin(), graph.offset.end() - 1);
  for (const auto& [a, b] : edges) {
    graph.neighbours[end[a]++] = b;
    graph.neighbours[end[b]++] = a;
  }
  const auto by_degree = [&](Index a, Index b) {
    return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b);
  };
  for (Index v = 0; v < vertex_count; ++v) {
    std::sort(graph.neighbours.begin() + graph.offset[v], graph.neighbours.begin() + graph.offset[v + 1],
              by_degree);
  }
  return graph;
}

/// Appends the component of `start` to `order`, nearest vertices first, and stamps its vertices in `seen`.
/// Returns how many steps the farthest vertex is away.
int append_breadth_first(const Adjacency& graph, Index start, std::vector<Index>& seen, Index stamp,
                         std::vector<Index>& order) {
  int depth = 0;
  std::size_t next = order.size();
  order.push_back(start);
  seen[start] = stamp;
  std::size_t level_end = order.size();
  for (; next < order.size(); ++next) {
    if (next == level_end) {
      ++depth;
      level_end = order.size();
    }
    for (Index v : graph.of(order[next])) {
      if (seen[v] == stamp) continue;
      seen[v] = stamp;
      order.push_back(v);
    }
  }
  return depth;
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
    // Only vertices of left-over constraints are asked again, so only their masks need to start afresh.
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

std::vector<Index> cuthill_mckee(std::span<const std::array<Index, 2>> edges, Index vertex_count) {
  const Adjacency graph = build_adjacency(edges, vertex_count);
  std::vector<Index> order;
  order.reserve(vertex_count);
  std::vector<Index> seen(vertex_count, 0);
  Index stamp = 0;
  for (Index v = 0; v < vertex_count; ++v) {
    if (seen[v] != 0) continue;
    // Start at an end of the component (George and Liu 1979): its last vertex breadth first, for as long
    // as that leads farther. Two rounds suffice in practice; more would only cost time.
    const std::size_t begin = order.size();
    int depth = append_breadth_first(graph, v, seen, ++stamp, order);
    for (int round = 0; round < 2; ++round) {
      const Index farthest = order.back();
      order.resize(begin);
      const int farther = append_breadth_first(graph, farthest, seen, ++stamp, order);
      if (farther <= depth) break;
      depth = farther;
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace limber
