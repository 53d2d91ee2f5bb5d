// Row: the four numbers {x, y, z, w} of one aligned row, processed together whatever instruction set the
// kernels use.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace limber {

/// a && b without a branch, for comparisons that are done anyway.
constexpr bool both(bool a, bool b) { return bool(int(a) & int(b)); }

template <class T>
struct Row {
  T v[4];

  Row() = default;
  explicit Row(T x) : v{x, x, x, x} {}
  Row(T x, T y, T z, T w) : v{x, y, z, w} {}
  static Row load(const T* p) {
    return of([&](int k) { return p[k]; });
  }
  void store(T* p) const {
    for (int k = 0; k < 4; ++k) p[k] = v[k];
  }
  friend Row operator+(const Row& a, const Row& b) {
    return of([&](int k) { return a.v[k] + b.v[k]; });
  }
  friend Row operator-(const Row& a, const Row& b) {
    return of([&](int k) { return a.v[k] - b.v[k]; });
  }
  friend Row operator*(const Row& a, const Row& b) {
    return of([&](int k) { return a.v[k] * b.v[k]; });
  }
  friend Row min(const Row& a, const Row& b) {
    return of([&](int k) { return a.v[k] < b.v[k] ? a.v[k] : b.v[k]; });
  }
  friend Row max(const Row& a, const Row& b) {
    return of([&](int k) { return a.v[k] > b.v[k] ? a.v[k] : b.v[k]; });
  }
  T last() const { return v[3]; }
  bool operator==(const Row& b) const {
    return v[0] == b.v[0] && v[1] == b.v[1] && v[2] == b.v[2] && v[3] == b.v[3];
  }
  /// x, y and z of `a`, the fourth number of `b`.
  friend Row join(const Row& a, const Row& b) { return {a.v[0], a.v[1], a.v[2], b.v[3]}; }
  /// Squared length of x, y and z.
  T square() const { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }
  /// Whether a <= b in x, y and z.
  friend bool below(const Row& a, const Row& b) {
    return a.v[0] <= b.v[0] && a.v[1] <= b.v[1] && a.v[2] <= b.v[2];
  }

 private:
  template <class F>
  static Row of(F&& number) {
    Row r;
    for (int k = 0; k < 4; ++k) r.v[k] = number(k);
    return r;
  }
};

#if defined(__SSE2__)
template <>
struct Row<float> {
  __m128 v;

  Row() = default;
  explicit Row(float x) : v(_mm_set1_ps(x)) {}
  Row(float x, float y, float z, float w) : v(_mm_setr_ps(x, y, z, w)) {}
  Row(__m128 x) : v(x) {}
  static Row load(const float* p) { return _mm_loadu_ps(p); }
  void store(float* p) const { _mm_storeu_ps(p, v); }
  friend Row operator+(Row a, Row b) { return _mm_add_ps(a.v, b.v); }
  friend Row operator-(Row a, Row b) { return _mm_sub_ps(a.v, b.v); }
  friend Row operator*(Row a, Row b) { return _mm_mul_ps(a.v, b.v); }
  friend Row min(Row a, Row b) { return _mm_min_ps(a.v, b.v); }
  friend Row max(Row a, Row b) { return _mm_max_ps(a.v, b.v); }
  float last() const { return _mm_cvtss_f32(_mm_shuffle_ps(v, v, 0xff)); }
  bool operator==(Row b) const { return _mm_movemask_ps(_mm_cmpeq_ps(v, b.v)) == 0xf; }
  friend Row join(Row a, Row b) {
    return _mm_shuffle_ps(a.v, _mm_unpackhi_ps(a.v, b.v), _MM_SHUFFLE(3, 0, 1, 0));
  }
  float square() const {
    const __m128 q = _mm_mul_ps(v, v), y = _mm_shuffle_ps(q, q, 0x55), z = _mm_movehl_ps(q, q);
    return _mm_cvtss_f32(_mm_add_ss(_mm_add_ss(q, y), z));
  }
  friend bool below(Row a, Row b) { return (_mm_movemask_ps(_mm_cmple_ps(a.v, b.v)) & 7) == 7; }
};
#endif

}  // namespace limber
