#include "engine/core/rates.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// log and exp from basic arithmetic only: IEEE 754 rounds +, -, *, / alike everywhere, while each libm rounds
// its own way, and the state hash must be the same on every machine.
constexpr double ln2 = 0.69314718055994530942;

/// log(1 - k) for k in [0, 1). Relative error below 1e-15: 1 - k = m 2^e with m in [sqrt(1/2), sqrt(2)), then
/// log m = 2 artanh((m-1)/(m+1)), whose series in s^2 <= 0.0295 is cut after s^23 (next term < 1e-19 of the
/// first).
double log_one_minus(double k) {
  int exponent = 0;
  double m = std::frexp(1.0 - k, &exponent);  // exact; m in [1/2, 1)
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  // For m near 1 the numerator m - 1 is computed from k itself, because 1 - k has lost its low bits.
  const double s = exponent == 0 ? -k / (2.0 - k) : (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 0.0;
  for (int n = 23; n >= 1; n -= 2) series = series * s2 + 1.0 / n;
  return 2.0 * s * series + exponent * ln2;
}

/// 1 - exp(y) for y <= 0. Relative error below 1e-15 : y = n ln2 + r with |r| <= ln2/2, Taylor to r^17
/// (next term < 1e-23).
double one_minus_exp(double y) {
  const double n = std::floor(std::max(y, -1e4) / ln2 + 0.5);  // below -1e4, exp(y) is 0 in double anyway
  const double r = std::max(y, -1e4) - n * ln2;
  double tail = 0.0;  // (exp(r) - 1) / r by Horner
  for (int i = 17; i >= 1; --i) tail = (tail * r + 1.0) / i;
  const double exp_minus_one = tail * r;
  if (n == 0.0) return -exp_minus_one;  // keeps full relative precision as y -> 0
  return 1.0 - std::ldexp(1.0 + exp_minus_one, static_cast<int>(n));
}

/// 1 - (1-k)^exponent with k clamped to [0, 1] and exponent > 0.
double complement_of_power(double k, double exponent) {
  if (!(k > 0.0)) return 0.0;
  if (k >= 1.0) return 1.0;
  return one_minus_exp(exponent * log_one_minus(k));
}

}  // namespace

double damping_per_substep(double rate, double h) { return complement_of_power(rate, h); }

double stiffness_per_iteration(double k, int iterations) {
  if (iterations <= 1) return std::clamp(k, 0.0, 1.0);
  return complement_of_power(k, 1.0 / iterations);
}

}  // namespace limber
