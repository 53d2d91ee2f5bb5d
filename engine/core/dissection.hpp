// Nested dissection: an order of elimination for the nodes of a large graph with loops.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Neighbours of the nodes of a graph, each list ascending.
using GraphNeighbours = std::vector<std::vector<std::int32_t>>;

/// Nested dissection (George 1973) of a connected graph: a small set of nodes separates the rest into two
/// parts, each of which is ordered in the same way, and comes last. A factor of a net of n nodes then has
/// O(n log n) entries. Separators lie across differences and sums of the distances from nodes at the graph's
/// ends: in a net with four borders these are its rows and columns. Depends on the graph alone.
class Dissection {
 public:
  explicit Dissection(const GraphNeighbours& graph) : graph_(graph), side_(graph.size(), 0) {
    const auto from = [&](std::int32_t node) { return distances(node); };
    const auto farthest = [](const std::vector<std::int32_t>& d) {
      return std::int32_t(std::max_element(d.begin(), d.end()) - d.begin());
    };
    const std::vector<std::int32_t> a = from(farthest(from(0))), b = from(farthest(a));
    std::int32_t middle = 0;  // between both ends, and far from their shortest connection to one side
    for (std::size_t i = 0; i < a.size(); ++i)
      if (std::abs(a[i] - b[i]) < std::abs(a[std::size_t(middle)] - b[std::size_t(middle)]))
        middle = std::int32_t(i);
    const std::vector<std::int32_t> c = from(farthest(from(middle)));
    for (std::size_t i = 0; i < a.size(); ++i)
      coordinates_.push_back({a[i] - c[i], b[i] - c[i], a[i] - b[i], c[i], a[i]});
    std::vector<std::int32_t> all(graph.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::int32_t(i);
    split(all);
  }
  /// The nodes in the order of their elimination.
  const std::vector<std::int32_t>& order() const { return order_; }

 private:
  static constexpr std::size_t least_split = 6;  // nodes
  static constexpr int ways = 5;

  /// The number of edges between a node and each other one; those out of reach are farther than all.
  std::vector<std::int32_t> distances(std::int32_t node) const {
    std::vector<std::int32_t> d(graph_.size(), -1), queue{node};
    d[std::size_t(node)] = 0;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const std::int32_t near : graph_[std::size_t(queue[k])])
        if (d[std::size_t(near)] < 0) {
          d[std::size_t(near)] = d[std::size_t(queue[k])] + 1;
          queue.push_back(near);
        }
    for (std::int32_t& x : d)
      if (x < 0) x = std::int32_t(graph_.size());
    return d;
  }

  struct Cut {
    std::size_t size = 0, largest = 0;  ///< of the separator, of the larger part
    int way = -1;
    std::int32_t at = 0;
  };
  /// Marks the sides of a cut in side_: 1 below, 2 beyond, 3 the separator, which is of the side beyond.
  Cut mark(std::span<const std::int32_t> nodes, int way, std::int32_t at) {
    std::size_t count[4] = {};
    for (const std::int32_t i : nodes)
      side_[std::size_t(i)] = coordinates_[std::size_t(i)][std::size_t(way)] < at ? 1 : 2;
    for (const std::int32_t i : nodes) {
      if (side_[std::size_t(i)] == 2)
        for (const std::int32_t near : graph_[std::size_t(i)])
          if (side_[std::size_t(near)] == 1) {
            side_[std::size_t(i)] = 3;
            break;
          }
      ++count[side_[std::size_t(i)]];
    }
    return {count[3], std::max(count[1], count[2]), count[1] > 0 && count[2] > 0 ? way : -1, at};
  }
  void unmark(std::span<const std::int32_t> nodes) {
    for (const std::int32_t i : nodes) side_[std::size_t(i)] = 0;
  }

  void split(const std::vector<std::int32_t>& nodes) {
    Cut best;
    double least = 1e300;
    std::vector<std::int32_t> values;
    for (int way = 0; way < ways && nodes.size() >= least_split; ++way) {
      values.clear();
      for (const std::int32_t i : nodes) values.push_back(coordinates_[std::size_t(i)][std::size_t(way)]);
      std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
      const std::int32_t half = values[values.size() / 2];
      for (std::int32_t at = half - 2; at <= half + 2; ++at) {
        const Cut cut = mark(nodes, way, at);
        unmark(nodes);
        // work grows with the cube of a separator, and with that of what is left of a part
        const double work =
            double(cut.size) + 0.3 * double(cut.largest) / double(nodes.size()) * double(cut.size + 1);
        if (cut.way >= 0 && cut.largest < nodes.size() * 3 / 4 && work < least) best = cut, least = work;
      }
    }
    if (best.way < 0) {
      order_.insert(order_.end(), nodes.begin(), nodes.end());
      return;
    }
    mark(nodes, best.way, best.at);
    std::array<std::vector<std::int32_t>, 3> parts;
    for (const std::int32_t i : nodes) parts[std::size_t(side_[std::size_t(i)] - 1)].push_back(i);
    unmark(nodes);
    split(parts[0]), split(parts[1]);
    order_.insert(order_.end(), parts[2].begin(), parts[2].end());
  }

  const GraphNeighbours& graph_;
  std::vector<std::uint8_t> side_;
  std::vector<std::array<std::int32_t, ways>> coordinates_;
  std::vector<std::int32_t> order_;
};

}  // namespace limber
