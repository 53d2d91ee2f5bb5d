#include "engine/geometry/nearest_rotation.hpp"

#include <array>
#include <cmath>

namespace limber {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

/// Jacobi rotation of rows and columns p and q that makes m[p][q] 0; applied to the columns of v too.
void rotate_away(Matrix4& m, Matrix4& v, std::size_t p, std::size_t q) {
  if (m[p][q] == 0.0) return;
  const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
  for (std::size_t k = 0; k < 4; ++k) {
    const double a = m[k][p], b = m[k][q];
    m[k][p] = c * a - s * b;
    m[k][q] = s * a + c * b;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double a = m[p][k], b = m[q][k];
    m[p][k] = c * a - s * b;
    m[q][k] = s * a + c * b;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double a = v[k][p], b = v[k][q];
    v[k][p] = c * a - s * b;
    v[k][q] = s * a + c * b;
  }
}

}  // namespace

glm::dvec4 nearest_rotation(const glm::dmat3& a) {
  double largest = 0.0;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      if (!std::isfinite(a[k][i])) return {0.0, 0.0, 0.0, 1.0};
      largest = std::fmax(largest, std::abs(a[k][i]));
    }
  if (largest == 0.0) return {0.0, 0.0, 0.0, 1.0};
  const auto s = [&](int i, int j) { return a[j][i] / largest; };  // row i, column j
  Matrix4 m{};                                                     // over (x, y, z, w)
  m[0] = {s(0, 0) - s(1, 1) - s(2, 2), s(0, 1) + s(1, 0), s(0, 2) + s(2, 0), s(2, 1) - s(1, 2)};
  m[1] = {0.0, s(1, 1) - s(0, 0) - s(2, 2), s(1, 2) + s(2, 1), s(0, 2) - s(2, 0)};
  m[2] = {0.0, 0.0, s(2, 2) - s(0, 0) - s(1, 1), s(1, 0) - s(0, 1)};
  m[3] = {0.0, 0.0, 0.0, s(0, 0) + s(1, 1) + s(2, 2)};
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t q = 0; q < p; ++q) m[p][q] = m[q][p];
  Matrix4 v{};
  for (std::size_t k = 0; k < 4; ++k) v[k][k] = 1.0;
  for (int round = 0; round < 12; ++round)  // it converges quadratically: 6 or 7 rounds
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = p + 1; q < 4; ++q) rotate_away(m, v, p, q);
  std::size_t best = 3;
  for (std::size_t k = 0; k < 3; ++k)
    if (m[k][k] > m[best][best]) best = k;
  return {v[0][best], v[1][best], v[2][best], v[3][best]};
}

}  // namespace limber
