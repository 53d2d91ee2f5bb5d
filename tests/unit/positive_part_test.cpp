#include "engine/core/positive_part.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

using Square = std::array<std::array<double, 12>, 12>;

/// Q diag(values) Q^T of Householder's Q = 1 - 2 v v^T over the first `size` coordinates.
Square reflected(const std::array<double, 12>& values, int size) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::array<double, 12> v{};
  double length = 0.0;
  for (int i = 0; i < size; ++i)
    v[std::size_t(i)] = normal(random), length += v[std::size_t(i)] * v[std::size_t(i)];
  const auto q = [&](std::size_t i, std::size_t k) {
    return (i == k ? 1.0 : 0.0) - 2.0 * v[i] * v[k] / length;
  };
  Square out{};
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 12; ++k)
      for (std::size_t j = 0; j < 12; ++j) out[i][k] += q(i, j) * values[j] * q(k, j);
  return out;
}

TEST(PositivePart, RaisesNegativeEigenvaluesToZero) {
  const std::array<double, 12> values{3.0, -2.0, 1.0, 0.5, -0.1, 4.0, 0.0, -7.0, 2.0, 1.0, 1.0, -1.0};
  std::array<double, 12> raised = values;
  for (double& value : raised) value = std::max(value, 0.0);
  Square matrix = reflected(values, 12);
  take_positive_part(matrix);
  const Square wanted = reflected(raised, 12);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(matrix[i][k], wanted[i][k], 1e-14 * 7.0 * 12.0);
}

/// Also where both blocks have negative eigenvalues.
TEST(PositivePart, LeavesApartWhatIsApart) {
  const std::array<double, 12> values{3.0, -2.0, 1.0, 0.5, -0.1, 4.0, -3.0, 2.0, -7.0, 2.0, 1.0, 1.0};
  Square matrix = reflected(values, 8);  // the other four are diagonal
  take_positive_part(matrix);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 8; k < 12; ++k)
      EXPECT_EQ(matrix[i][k], i == k ? std::max(values[i], 0.0) : 0.0) << i << ' ' << k;
}

}  // namespace
}  // namespace limber
