#include "engine/geometry/clusters/point_binding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <map>
#include <utility>

namespace limber {
namespace {

constexpr std::array<std::size_t, 5> tried{12, 16, 24, 32, 48};  // numbers of points
constexpr double largest_sum = 3.0;                              // of |w_i| at which no more points are added

/// Solves the symmetric 4 x 4 system M a = e_0 by Gauss elimination with pivots; false if M is singular.
bool solve_first(std::array<std::array<double, 4>, 4> m, std::array<double, 4>& a) {
  std::array<double, 4> b{1.0, 0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < 4; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 4; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (!(std::abs(m[pivot][k]) > 1e-6)) return false;
    std::swap(m[k], m[pivot]), std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < 4; ++i) {
      const double f = m[i][k] / m[k][k];
      for (std::size_t j = k; j < 4; ++j) m[i][j] -= f * m[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = 4; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < 4; ++j) sum -= m[k][j] * a[j];
    a[k] = sum / m[k][k];
  }
  return true;
}

using Near = std::vector<std::pair<double, std::int32_t>>;  ///< square of the distance, point; ascending

/// Weights of the first `count` points; returns the sum of their magnitudes, 0 if they are degenerate.
double weigh(const glm::dvec3& place, std::span<const glm::dvec3> points, const Near& near, std::size_t count,
             PointBinding& out) {
  out = {};
  // nothing is left out of a small set: its kernel ends a little beyond its last point
  const double last = count < near.size() ? near[count].first : 1.2 * near.back().first;
  const double reach = std::sqrt(last);
  std::array<std::array<double, 4>, 4> m{};
  std::vector<std::array<double, 4>> basis;
  std::vector<double> kernel;
  for (std::size_t k = 0; k < count; ++k) {
    const glm::dvec3 d = (points[std::size_t(near[k].second)] - place) / reach;
    const double share = std::max(0.0, 1.0 - near[k].first / last);
    basis.push_back({1.0, d.x, d.y, d.z}), kernel.push_back(share * share);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) m[i][j] += kernel.back() * basis.back()[i] * basis.back()[j];
  }
  std::array<double, 4> a{};
  if (!solve_first(m, a)) return 0.0;
  double sum = 0.0, whole = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    double w = 0.0;
    for (std::size_t i = 0; i < 4; ++i) w += a[i] * basis[k][i];
    w *= kernel[k];
    sum += std::abs(w), whole += w;
    if (w != 0.0) out.point.push_back(near[k].second), out.weight.push_back(w);
  }
  for (double& w : out.weight) w /= whole;  // rounding
  return sum;
}

PointBinding bind_to(const glm::dvec3& place, std::span<const glm::dvec3> points, const Near& near) {
  PointBinding best, now;
  double least = 0.0;
  for (const std::size_t count : tried) {
    const std::size_t own = std::min(count, near.size());
    if (own < 4) break;
    const double sum = weigh(place, points, near, own, now);
    if (sum > 0.0 && (least == 0.0 || sum < least)) least = sum, best = now;
    if ((sum > 0.0 && sum <= largest_sum) || own == near.size()) break;
  }
  if (least > 20.0) best = {};  // the points lie nearly in a plane
  return best;
}

}  // namespace

PointBinding bind_point(const glm::dvec3& place, std::span<const glm::dvec3> points,
                        std::span<const std::int32_t> candidates) {
  Near near;
  for (const std::int32_t i : candidates) {
    const glm::dvec3 d = points[std::size_t(i)] - place;
    near.emplace_back(glm::dot(d, d), i);
  }
  std::sort(near.begin(), near.end());
  return near.empty() ? PointBinding{} : bind_to(place, points, near);
}

std::vector<PointBinding> bind_points(std::span<const glm::dvec3> places, std::span<const glm::dvec3> points,
                                      double spacing) {
  using Cell = std::array<long, 3>;
  std::map<Cell, std::vector<std::int32_t>> cells;
  const double width = 2.0 * spacing;
  const auto cell_of = [&](const glm::dvec3& x) {
    return Cell{long(std::floor(x.x / width)), long(std::floor(x.y / width)), long(std::floor(x.z / width))};
  };
  for (std::size_t i = 0; i < points.size(); ++i) cells[cell_of(points[i])].push_back(std::int32_t(i));
  std::vector<PointBinding> out;
  for (const glm::dvec3& place : places) {
    const Cell middle = cell_of(place);
    // The points within `rings` cells of the place include all within rings * width of it.
    PointBinding binding;
    for (long rings = 1;; rings *= 2) {
      Near near;
      bool all = false;
      const auto look = [&](std::int32_t i) {
        const glm::dvec3 d = points[std::size_t(i)] - place;
        const double square = glm::dot(d, d), within = double(rings) * width;
        if (all || square <= within * within) near.emplace_back(square, i);
      };
      if (rings > 4) {
        all = true;
        for (std::size_t i = 0; i < points.size(); ++i) look(std::int32_t(i));
      } else {
        for (long dx = -rings; dx <= rings; ++dx)
          for (long dy = -rings; dy <= rings; ++dy)
            for (long dz = -rings; dz <= rings; ++dz)
              if (const auto found = cells.find({middle[0] + dx, middle[1] + dy, middle[2] + dz});
                  found != cells.end())
                for (const std::int32_t i : found->second) look(i);
      }
      if (!all && near.size() <= tried.back()) continue;
      std::sort(near.begin(), near.end());
      if (!near.empty()) binding = bind_to(place, points, near);
      break;
    }
    out.push_back(std::move(binding));
  }
  return out;
}

}  // namespace limber
