// 1 / sqrt(x) over Lanes without a division or a root: the same bits on every machine and width.
#pragma once

#include "engine/simd/lanes.hpp"

namespace limber {

namespace detail {

/// 1 / sqrt(x) within 3.5 %, by halving the exponent in the bits of the number (Lomont 2003).
LIMBER_INLINE Lanes<float, 1> inverse_sqrt_guess(Lanes<float, 1> x) {
  return __builtin_bit_cast(float, 0x5f375a86 - (__builtin_bit_cast(std::int32_t, x.v) >> 1));
}
#if defined(__SSE2__)
LIMBER_INLINE Lanes<float, 4> inverse_sqrt_guess(Lanes<float, 4> x) {
  return _mm_castsi128_ps(
      _mm_sub_epi32(_mm_set1_epi32(0x5f375a86), _mm_srli_epi32(_mm_castps_si128(x.v), 1)));
}
#endif
#if defined(__AVX2__)
LIMBER_INLINE Lanes<float, 8> inverse_sqrt_guess(Lanes<float, 8> x) {
  return _mm256_castsi256_ps(
      _mm256_sub_epi32(_mm256_set1_epi32(0x5f375a86), _mm256_srli_epi32(_mm256_castps_si256(x.v), 1)));
}
#endif
#if defined(__AVX512F__) && defined(__AVX512DQ__)
LIMBER_INLINE Lanes<float, 16> inverse_sqrt_guess(Lanes<float, 16> x) {
  return _mm512_castsi512_ps(
      _mm512_sub_epi32(_mm512_set1_epi32(0x5f375a86), _mm512_srli_epi32(_mm512_castps_si512(x.v), 1)));
}
#endif

}  // namespace detail

/// 1 / sqrt(x) for 0 < x < 1e30. In float within 5e-6: each of the two Newton steps reduces an error e to 3/2
/// e^2, and a division and a root take three times as long.
template <int N>
LIMBER_INLINE Lanes<float, N> inverse_sqrt(Lanes<float, N> x) {
  using L = Lanes<float, N>;
  const L half = L(0.5f) * x;
  L y = detail::inverse_sqrt_guess(x);
  for (int step = 0; step < 2; ++step) y = y * (L(1.5f) - (half * y) * y);
  return y;
}
/// 1 / sqrt(x) in double, exact to rounding.
LIMBER_INLINE Lanes<double, 1> inverse_sqrt(Lanes<double, 1> x) { return Lanes<double, 1>(1.0) / sqrt(x); }

}  // namespace limber
