#include "engine/geometry/clusters/overlapping_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <map>

namespace limber {
namespace {

constexpr std::size_t fewest = 4;  // smallest number of points of a cluster: three do not span a volume

/// Hash grid of points with cells of `width`.
class Cells {
 public:
  Cells(std::span<const glm::dvec3> points, double width) : points_(points), width_(width) {
    for (std::size_t i = 0; i < points.size(); ++i) cells_[cell_of(points[i])].push_back(std::int32_t(i));
  }

  /// Calls act(point, square of its distance) for those within `width` of x, in a fixed order.
  template <class Act>
  void near(const glm::dvec3& x, const Act& act) const {
    const Cell middle = cell_of(x);
    for (long dx = -1; dx <= 1; ++dx)
      for (long dy = -1; dy <= 1; ++dy)
        for (long dz = -1; dz <= 1; ++dz) {
          const auto found = cells_.find({middle[0] + dx, middle[1] + dy, middle[2] + dz});
          if (found == cells_.end()) continue;
          for (const std::int32_t i : found->second) {
            const glm::dvec3 d = points_[std::size_t(i)] - x;
            if (const double square = glm::dot(d, d); square <= width_ * width_) act(i, square);
          }
        }
  }

 private:
  using Cell = std::array<long, 3>;
  Cell cell_of(const glm::dvec3& x) const {
    return {long(std::floor(x.x / width_)), long(std::floor(x.y / width_)), long(std::floor(x.z / width_))};
  }
  std::span<const glm::dvec3> points_;
  double width_;
  std::map<Cell, std::vector<std::int32_t>> cells_;
};

using Neighbours = std::vector<std::vector<std::int32_t>>;

Neighbours neighbours_of(std::span<const glm::dvec3> points, double near) {
  const Cells cells(points, near);
  Neighbours out(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    cells.near(points[i], [&](std::int32_t j, double) {
      if (std::size_t(j) != i) out[i].push_back(j);
    });
    std::sort(out[i].begin(), out[i].end());
  }
  return out;
}

/// The connected pieces of `inside`, which is ascending.
std::vector<std::vector<std::int32_t>> pieces_of(const std::vector<std::int32_t>& inside,
                                                 const Neighbours& neighbours, std::vector<char>& mark) {
  std::vector<std::vector<std::int32_t>> out;
  for (const std::int32_t i : inside) mark[std::size_t(i)] = 1;
  for (const std::int32_t first : inside) {
    if (mark[std::size_t(first)] != 1) continue;
    std::vector<std::int32_t> piece{first};
    mark[std::size_t(first)] = 2;
    for (std::size_t k = 0; k < piece.size(); ++k)
      for (const std::int32_t j : neighbours[std::size_t(piece[k])])
        if (mark[std::size_t(j)] == 1) mark[std::size_t(j)] = 2, piece.push_back(j);
    out.push_back(std::move(piece));
  }
  for (const std::int32_t i : inside) mark[std::size_t(i)] = 0;
  return out;
}

/// Adds neighbours to a piece until it has `enough` points.
void grow(std::vector<std::int32_t>& piece, const Neighbours& neighbours, std::size_t enough) {
  for (std::size_t k = 0; k < piece.size() && piece.size() < enough; ++k)
    for (const std::int32_t j : neighbours[std::size_t(piece[k])])
      if (piece.size() < enough && std::find(piece.begin(), piece.end(), j) == piece.end())
        piece.push_back(j);
}

/// Centres of boxes along one axis, evenly spaced so that the boxes cover [low, high].
std::vector<double> middles(double low, double high, const ClusterGrid& grid) {
  const double length = high - low;
  if (length <= grid.size) return {0.5 * (low + high)};
  const double step = grid.size * (1.0 - std::clamp(grid.overlap, 0.0, 0.9));
  const double count = std::ceil((length - grid.size) / step - 1e-9) + 1.0;
  std::vector<double> out;
  for (double k = 0.0; k < count; k += 1.0)
    out.push_back(low + 0.5 * grid.size + (length - grid.size) * k / (count - 1.0));
  return out;
}

/// Drops clusters that are a subset of another; of equal clusters the later one.
void drop_parts(std::vector<std::vector<std::int32_t>>& clusters, std::size_t points) {
  std::vector<std::vector<std::int32_t>> at(points);
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const std::int32_t i : clusters[c]) at[std::size_t(i)].push_back(std::int32_t(c));
  std::vector<char> dropped(clusters.size(), 0);
  for (std::size_t c = 0; c < clusters.size(); ++c)
    for (const std::int32_t other : at[std::size_t(clusters[c].front())]) {
      const std::size_t o = std::size_t(other);
      if (o == c || dropped[o] || clusters[o].size() < clusters[c].size()) continue;
      if (clusters[o].size() == clusters[c].size() && o > c) continue;
      if (std::includes(clusters[o].begin(), clusters[o].end(), clusters[c].begin(), clusters[c].end()))
        dropped[c] = 1;
    }
  std::size_t kept = 0;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (dropped[c]) continue;
    if (kept != c) clusters[kept] = std::move(clusters[c]);
    ++kept;
  }
  clusters.resize(kept);
}

}  // namespace

std::vector<std::vector<std::int32_t>> overlapping_clusters(std::span<const glm::dvec3> points,
                                                            const ClusterGrid& grid) {
  std::vector<std::vector<std::int32_t>> out;
  if (points.empty()) return out;
  glm::dvec3 low(points[0]), high(points[0]);
  for (const glm::dvec3& x : points) low = glm::min(low, x), high = glm::max(high, x);
  // a particle represents a ball, so boxes extend beyond its centre
  low -= glm::dvec3(0.25 * grid.near), high += glm::dvec3(0.25 * grid.near);
  const Neighbours neighbours = neighbours_of(points, grid.near);
  const std::vector<double> xs = middles(low.x, high.x, grid), ys = middles(low.y, high.y, grid),
                            zs = middles(low.z, high.z, grid);
  const double half = 0.5 * grid.size * (1.0 + 1e-9);
  std::vector<char> mark(points.size(), 0);
  // sorts points by x, so that a box has to test few of them
  std::vector<std::int32_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::int32_t(i);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return points[std::size_t(a)].x < points[std::size_t(b)].x;
  });
  for (const double x : xs) {
    const auto first = std::lower_bound(order.begin(), order.end(), x - half, [&](std::int32_t i, double at) {
      return points[std::size_t(i)].x < at;
    });
    std::vector<std::int32_t> slab;
    for (auto i = first; i != order.end() && points[std::size_t(*i)].x <= x + half; ++i) slab.push_back(*i);
    for (const double y : ys) {
      std::vector<std::int32_t> bar;
      for (const std::int32_t i : slab)
        if (std::abs(points[std::size_t(i)].y - y) <= half) bar.push_back(i);
      for (const double z : zs) {
        std::vector<std::int32_t> inside;
        for (const std::int32_t i : bar)
          if (std::abs(points[std::size_t(i)].z - z) <= half) inside.push_back(i);
        std::sort(inside.begin(), inside.end());
        for (std::vector<std::int32_t>& piece : pieces_of(inside, neighbours, mark)) {
          if (piece.size() < 2 * fewest) grow(piece, neighbours, 2 * fewest);
          std::sort(piece.begin(), piece.end());
          out.push_back(std::move(piece));
        }
      }
    }
  }
  drop_parts(out, points.size());
  return out;
}

std::vector<std::int32_t> nearest_points(std::span<const glm::dvec3> places,
                                         std::span<const glm::dvec3> points, double reach) {
  const Cells cells(points, reach);
  std::vector<std::int32_t> out;
  for (const glm::dvec3& x : places) {
    std::int32_t best = -1;
    double least = std::numeric_limits<double>::max();
    const auto look = [&](std::int32_t i, double square) {
      if (square < least) least = square, best = i;
    };
    cells.near(x, look);
    for (std::size_t i = 0; least > reach * reach && i < points.size(); ++i) {
      const glm::dvec3 d = points[i] - x;
      look(std::int32_t(i), std::max(glm::dot(d, d), std::nextafter(reach * reach, 2.0 * reach * reach)));
    }
    out.push_back(best);
  }
  return out;
}

namespace {

struct Box {
  glm::dvec3 middle, half;
};

/// Weight of a box at x: 1 in its centre, falling linearly to 0.02 per axis at its faces and beyond.
double tent(const Box& box, const glm::dvec3& x) {
  double weight = 1.0;
  for (int k = 0; k < 3; ++k) weight *= std::max(0.02, 1.0 - std::abs(x[k] - box.middle[k]) / box.half[k]);
  return weight;
}

/// The four largest weights, each minus the fifth, so that weights change continuously with the position.
ClusterBlend four_of(std::vector<std::pair<double, std::int32_t>>& weights) {
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  ClusterBlend out;
  const double less = weights.size() > 4 ? weights[4].first * (1.0 - 1e-6) : 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k < std::min<std::size_t>(4, weights.size()); ++k) sum += weights[k].first - less;
  for (std::size_t k = 0; k < 4; ++k) {
    const bool some = k < weights.size();
    out.cluster[k] = some ? weights[k].second : weights[0].second;
    out.weight[k] = some ? (weights[k].first - less) / sum : 0.0;
  }
  return out;
}

}  // namespace

std::vector<ClusterBlend> blend_clusters(std::span<const glm::dvec3> places,
                                         std::span<const glm::dvec3> points,
                                         std::span<const std::vector<std::int32_t>> clusters, double reach) {
  std::vector<Box> boxes;
  std::vector<std::vector<std::int32_t>> at(points.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    glm::dvec3 low(points[std::size_t(clusters[c][0])]), high = low;
    for (const std::int32_t i : clusters[c]) {
      low = glm::min(low, points[std::size_t(i)]), high = glm::max(high, points[std::size_t(i)]);
      at[std::size_t(i)].push_back(std::int32_t(c));
    }
    boxes.push_back({0.5 * (low + high), 0.5 * (high - low) + glm::dvec3(reach)});
  }
  const std::vector<std::int32_t> nearest = nearest_points(places, points, 2.0 * reach);
  std::vector<ClusterBlend> out;
  std::vector<std::pair<double, std::int32_t>> weights;
  for (std::size_t p = 0; p < places.size(); ++p) {
    weights.clear();
    for (const std::int32_t c : at[std::size_t(nearest[p])])
      weights.emplace_back(tent(boxes[std::size_t(c)], places[p]), c);
    out.push_back(four_of(weights));
  }
  return out;
}

}  // namespace limber
