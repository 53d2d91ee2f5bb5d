// Weighted moments of points around a point.
#pragma once

#include <array>
#include <cstddef>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/simd/lanes.hpp"

namespace limber {

/// Points as three arrays, padded with points so far away that their weight is zero.
class PointRows {
 public:
  void clear() {
    for (std::vector<float>& row : rows_) row.clear();
  }
  void add(const glm::vec3& point) {
    for (int axis = 0; axis < 3; ++axis) rows_[std::size_t(axis)].push_back(point[axis]);
  }
  void pad() {
    for (std::vector<float>& row : rows_)
      while (row.size() % Wide::width != 0) row.push_back(1e12f);
  }

 private:
  friend struct PointMoments;
#if defined(__SSE2__)
  using Wide = Lanes<float, 4>;
#else
  using Wide = Lanes<float, 1>;
#endif
  std::array<std::vector<float>, 3> rows_;
};

/// Sums over points at distances r from a centre below `reach`, with the weights 1 - (r / reach)^3: of the
/// weights, and of first and second moments about the centre in units of the reach.
struct PointMoments {
  float weight = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
  float xx = 0.0f, yy = 0.0f, zz = 0.0f, xy = 0.0f, xz = 0.0f, yz = 0.0f;

  glm::vec3 mean() const { return glm::vec3(x, y, z) / weight; }
  glm::dmat3 covariance() const {
    const glm::dmat3 second(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    const glm::dvec3 m(mean());
    return second / double(weight) - glm::outerProduct(m, m);
  }

  /// Computes the sums; `points` must be padded.
  static PointMoments around(const glm::vec3& center, float reach, const PointRows& points) {
    using Wide = PointRows::Wide;
    const Wide scale(1.0f / reach), none(0.0f), one(1.0f), cx(center.x), cy(center.y), cz(center.z);
    std::array<Wide, 10> sums;
    sums.fill(none);
    for (std::size_t j = 0; j < points.rows_[0].size(); j += Wide::width) {
      const Wide dx = scale * (Wide::load(&points.rows_[0][j]) - cx),
                 dy = scale * (Wide::load(&points.rows_[1][j]) - cy),
                 dz = scale * (Wide::load(&points.rows_[2][j]) - cz);
      const Wide r2 = dx * dx + dy * dy + dz * dz;
      const Wide w = select(r2 < one, one - r2 * sqrt(r2), none);
      const Wide wx = w * dx, wy = w * dy, wz = w * dz;
      const std::array<Wide, 10> terms{w, wx, wy, wz, wx * dx, wy * dy, wz * dz, wx * dy, wx * dz, wy * dz};
      for (std::size_t k = 0; k < terms.size(); ++k) sums[k] = sums[k] + terms[k];
    }
    std::array<float, 10> total{};
    for (std::size_t k = 0; k < total.size(); ++k) {
      std::array<float, Wide::width> lanes;
      sums[k].store(lanes.data());
      for (const float lane : lanes) total[k] += lane;
    }
    const auto [w, x, y, z, xx, yy, zz, xy, xz, yz] = total;
    return {w, x, y, z, xx, yy, zz, xy, xz, yz};
  }
};

}  // namespace limber
