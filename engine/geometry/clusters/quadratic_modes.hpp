// Quadratic modes of a set of weighted points.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// Computes six functions of points q with weights w (their fourth numbers): the parts of xx, yy, zz, yz, xz,
/// xy that are orthogonal to all linear functions and to each other, of sum w u_a u_b = delta_ab. Writes two
/// rows of four per point, of which the first six numbers count. A function that the points do not determine
/// is zero; returns the number of the others. Cholesky's factors of the Gram matrix of the ten functions 1, x,
/// y, z, xx, ... give the coefficients.
template <class Row>
int quadratic_modes_of(const Row* points, std::int32_t count, Row* modes) {
  constexpr std::size_t linear = 4, all = 10;
  constexpr double dependent = 1e-4;  // share of a function's square that must be independent of the others
  using Functions = std::array<double, all>;
  double mass = 0.0, square = 0.0;
  for (std::int32_t i = 0; i < count; ++i) {
    const glm::dvec3 q(points[i]);
    mass += double(points[i].w), square += double(points[i].w) * glm::dot(q, q);
  }
  const double scale = square > 0.0 ? std::sqrt(mass / square) : 0.0;
  const auto functions = [&](const Row& point) {
    const glm::dvec3 q = scale * glm::dvec3(point);
    return Functions{1.0, q.x, q.y, q.z, q.x * q.x, q.y * q.y, q.z * q.z, q.y * q.z, q.x * q.z, q.x * q.y};
  };
  std::array<Functions, all> gram{}, factor{};
  for (std::int32_t i = 0; i < count; ++i) {
    const Functions f = functions(points[i]);
    for (std::size_t a = 0; a < all; ++a)
      for (std::size_t b = 0; b <= a; ++b) gram[a][b] += double(points[i].w) * f[a] * f[b];
  }
  int found = 0;
  for (std::size_t a = 0; a < all; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double rest = gram[a][b];
      for (std::size_t k = 0; k < b; ++k) rest -= factor[a][k] * factor[b][k];
      if (b < a)
        factor[a][b] = factor[b][b] > 0.0 ? rest / factor[b][b] : 0.0;
      else
        factor[a][a] = rest > dependent * gram[a][a] ? std::sqrt(rest) : 0.0;
    }
    found += a >= linear && factor[a][a] > 0.0;
  }
  for (std::int32_t i = 0; i < count; ++i) {
    const Functions f = functions(points[i]);
    Functions u{};
    for (std::size_t a = 0; a < all; ++a) {
      if (!(factor[a][a] > 0.0)) continue;
      double rest = f[a];
      for (std::size_t k = 0; k < a; ++k) rest -= factor[a][k] * u[k];
      u[a] = rest / factor[a][a];
    }
    for (int a = 0; a < 8; ++a)
      modes[2 * i + a / 4][a % 4] = typename Row::value_type(a < 6 ? u[linear + std::size_t(a)] : 0.0);
  }
  return found;
}

}  // namespace limber
