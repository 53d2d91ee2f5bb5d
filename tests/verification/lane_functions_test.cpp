// Functions over lanes against those of the standard library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "engine/core/real.hpp"
#include "engine/simd/atan2.hpp"
#include "engine/simd/inverse_sqrt.hpp"
#include "engine/simd/lanes.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace lane_functions_test { namespace {

TEST(Atan2, IsAccurateToAFewRoundings) {
  const double eps = std::numeric_limits<real>::epsilon();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const real y = real(uniform(random)), x = real(uniform(random) * std::pow(10.0, 6 * uniform(random)));
    const double exact = std::atan2(double(y), double(x));
    EXPECT_NEAR(double(atan2(Lanes<real, 1>(y), Lanes<real, 1>(x)).v), exact,
                3 * eps * std::max(1.0, std::abs(exact)));
  }
  const Lanes<real, 1> zero(real(0)), one(real(1));
  EXPECT_EQ(atan2(zero, zero).v, 0);
  EXPECT_EQ(atan2(zero, one).v, 0);
  EXPECT_NEAR(double(atan2(zero, -one).v), 3.14159265358979323846, 2 * eps * 3.2);
}

TEST(InverseSqrt, IsWithinItsNewtonSteps) {
  const double most = std::is_same_v<real, float> ? 5e-6 : 4e-16;
  for (double x = 1e-24; x < 1e30; x *= 1.0173) {
    const double exact = 1.0 / std::sqrt(double(real(x)));
    EXPECT_NEAR(double(inverse_sqrt(Lanes<real, 1>(real(x))).v) / exact, 1.0, most) << x;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::lane_functions_test
