// Vectors of numbers: Lanes<T, N> is N numbers that are processed together. Kernels are templates over Lanes
// and are compiled once per instruction set; width 1 (float or double) is the scalar instance of the same
// source.
//
// Everything here is forced inline: a function that stayed out of line would be merged by the linker across
// translation units with different instruction sets. For the same reason kernels use nothing from <cmath>.
// Square roots and divisions are the correctly rounded ones, so every width gives the same bits.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define LIMBER_INLINE inline __attribute__((always_inline))

namespace limber {

template <class T, int N>
struct Lanes;

/// A single lane: plain arithmetic.
template <class T>
struct Lanes<T, 1> {
  using Real = T;
  using Mask = bool;
  static constexpr int width = 1;
  T v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(T x) : v(x) {}
  static LIMBER_INLINE Lanes load(const T* p) { return *p; }
  LIMBER_INLINE void store(T* p) const { *p = v; }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return a.v + b.v; }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return a.v - b.v; }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return a.v * b.v; }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return a.v / b.v; }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return -a.v; }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return a.v < b.v; }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return a.v < b.v ? a.v : b.v; }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return a.v > b.v ? a.v : b.v; }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return a.v < 0 ? -a.v : a.v; }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) { return m ? yes : no; }
};

LIMBER_INLINE Lanes<float, 1> sqrt(Lanes<float, 1> a) { return __builtin_sqrtf(a.v); }
LIMBER_INLINE Lanes<double, 1> sqrt(Lanes<double, 1> a) { return __builtin_sqrt(a.v); }
LIMBER_INLINE bool all(bool m) { return m; }
/// Bit l is set if lane l is.
LIMBER_INLINE unsigned bits(bool m) { return m ? 1u : 0u; }

#if defined(__SSE2__)
/// Four floats in an SSE register.
template <>
struct Lanes<float, 4> {
  using Real = float;
  using Mask = __m128;
  static constexpr int width = 4;
  __m128 v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m128 x) : v(x) {}
  LIMBER_INLINE Lanes(float x) : v(_mm_set1_ps(x)) {}
  static LIMBER_INLINE Lanes load(const float* p) { return _mm_loadu_ps(p); }
  LIMBER_INLINE void store(float* p) const { _mm_storeu_ps(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm_add_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm_sub_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm_mul_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm_div_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm_xor_ps(a.v, _mm_set1_ps(-0.0f)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm_cmplt_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm_min_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm_max_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm_sqrt_ps(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) {
    return _mm_or_ps(_mm_and_ps(m, yes.v), _mm_andnot_ps(m, no.v));
  }
};
LIMBER_INLINE bool all(__m128 m) { return _mm_movemask_ps(m) == 0xf; }
LIMBER_INLINE unsigned bits(__m128 m) { return unsigned(_mm_movemask_ps(m)); }

/// Two doubles, for the few kernels that need them (rod_system.hpp).
template <>
struct Lanes<double, 2> {
  using Real = double;
  using Mask = __m128d;
  static constexpr int width = 2;
  __m128d v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m128d x) : v(x) {}
  LIMBER_INLINE Lanes(double x) : v(_mm_set1_pd(x)) {}
  static LIMBER_INLINE Lanes load(const double* p) { return _mm_loadu_pd(p); }
  LIMBER_INLINE void store(double* p) const { _mm_storeu_pd(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm_add_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm_sub_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm_mul_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm_div_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm_xor_pd(a.v, _mm_set1_pd(-0.0)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm_cmplt_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm_min_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm_max_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm_sqrt_pd(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) {
    return _mm_or_pd(_mm_and_pd(m, yes.v), _mm_andnot_pd(m, no.v));
  }
};
LIMBER_INLINE bool all(__m128d m) { return _mm_movemask_pd(m) == 0x3; }
LIMBER_INLINE unsigned bits(__m128d m) { return unsigned(_mm_movemask_pd(m)); }
#endif

#if defined(__AVX2__)
/// Eight floats in an AVX register.
template <>
struct Lanes<float, 8> {
  using Real = float;
  using Mask = __m256;
  static constexpr int width = 8;
  __m256 v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m256 x) : v(x) {}
  LIMBER_INLINE Lanes(float x) : v(_mm256_set1_ps(x)) {}
  static LIMBER_INLINE Lanes load(const float* p) { return _mm256_loadu_ps(p); }
  LIMBER_INLINE void store(float* p) const { _mm256_storeu_ps(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm256_add_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm256_sub_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm256_mul_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm256_div_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm256_xor_ps(a.v, _mm256_set1_ps(-0.0f)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm256_min_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm256_max_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm256_sqrt_ps(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) { return _mm256_blendv_ps(no.v, yes.v, m); }
};
LIMBER_INLINE bool all(__m256 m) { return _mm256_movemask_ps(m) == 0xff; }
LIMBER_INLINE unsigned bits(__m256 m) { return unsigned(_mm256_movemask_ps(m)); }

/// Four doubles, for the few kernels that need them (rod_system.hpp).
template <>
struct Lanes<double, 4> {
  using Real = double;
  using Mask = __m256d;
  static constexpr int width = 4;
  __m256d v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m256d x) : v(x) {}
  LIMBER_INLINE Lanes(double x) : v(_mm256_set1_pd(x)) {}
  static LIMBER_INLINE Lanes load(const double* p) { return _mm256_loadu_pd(p); }
  LIMBER_INLINE void store(double* p) const { _mm256_storeu_pd(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm256_add_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm256_sub_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm256_mul_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm256_div_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm256_xor_pd(a.v, _mm256_set1_pd(-0.0)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm256_min_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm256_max_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm256_sqrt_pd(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) { return _mm256_blendv_pd(no.v, yes.v, m); }
};
LIMBER_INLINE bool all(__m256d m) { return _mm256_movemask_pd(m) == 0xf; }
LIMBER_INLINE unsigned bits(__m256d m) { return unsigned(_mm256_movemask_pd(m)); }
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
/// Sixteen floats in an AVX-512 register.
template <>
struct Lanes<float, 16> {
  using Real = float;
  using Mask = __mmask16;
  static constexpr int width = 16;
  __m512 v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m512 x) : v(x) {}
  LIMBER_INLINE Lanes(float x) : v(_mm512_set1_ps(x)) {}
  static LIMBER_INLINE Lanes load(const float* p) { return _mm512_loadu_ps(p); }
  LIMBER_INLINE void store(float* p) const { _mm512_storeu_ps(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm512_add_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm512_sub_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm512_mul_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm512_div_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm512_xor_ps(a.v, _mm512_set1_ps(-0.0f)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm512_min_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm512_max_ps(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm512_sqrt_ps(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) {
    return _mm512_mask_blend_ps(m, no.v, yes.v);
  }
};
LIMBER_INLINE bool all(__mmask16 m) { return m == 0xffff; }
LIMBER_INLINE unsigned bits(__mmask16 m) { return unsigned(m); }

/// Eight doubles, for the few kernels that need them (joint_system.hpp).
template <>
struct Lanes<double, 8> {
  using Real = double;
  using Mask = __mmask8;
  static constexpr int width = 8;
  __m512d v;

  LIMBER_INLINE Lanes() = default;
  LIMBER_INLINE Lanes(__m512d x) : v(x) {}
  LIMBER_INLINE Lanes(double x) : v(_mm512_set1_pd(x)) {}
  static LIMBER_INLINE Lanes load(const double* p) { return _mm512_loadu_pd(p); }
  LIMBER_INLINE void store(double* p) const { _mm512_storeu_pd(p, v); }

  friend LIMBER_INLINE Lanes operator+(Lanes a, Lanes b) { return _mm512_add_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a, Lanes b) { return _mm512_sub_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator*(Lanes a, Lanes b) { return _mm512_mul_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator/(Lanes a, Lanes b) { return _mm512_div_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes operator-(Lanes a) { return _mm512_xor_pd(a.v, _mm512_set1_pd(-0.0)); }
  friend LIMBER_INLINE Mask operator<(Lanes a, Lanes b) { return _mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ); }
  friend LIMBER_INLINE Lanes min(Lanes a, Lanes b) { return _mm512_min_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes max(Lanes a, Lanes b) { return _mm512_max_pd(a.v, b.v); }
  friend LIMBER_INLINE Lanes abs(Lanes a) { return _mm512_andnot_pd(_mm512_set1_pd(-0.0), a.v); }
  friend LIMBER_INLINE Lanes sqrt(Lanes a) { return _mm512_sqrt_pd(a.v); }
  friend LIMBER_INLINE Lanes select(Mask m, Lanes yes, Lanes no) {
    return _mm512_mask_blend_pd(m, no.v, yes.v);
  }
};
LIMBER_INLINE bool all(__mmask8 m) { return m == 0xff; }
LIMBER_INLINE unsigned bits(__mmask8 m) { return unsigned(m); }
#endif

}  // namespace limber
