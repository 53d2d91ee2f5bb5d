// Solver for symmetric systems of a few unknowns, one system per lane.
#pragma once

#include "engine/simd/lanes.hpp"

namespace limber {

/// A pivot below this share of its diagonal entry counts as rounding error of a zero.
template <class T>
inline constexpr T smallest_pivot = sizeof(T) == 4 ? T(1e-6) : T(1e-14);

/// Solves M x = b by M = L D L^T and writes x over b. M is positive semi-definite; only its lower triangle is
/// read. A row whose pivot is lost in rounding depends on earlier rows: its x is zero.
template <class L, int N>
LIMBER_INLINE void solve_symmetric(L (&m)[N][N], L (&b)[N]) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), least(smallest_pivot<T>);
  L inverse[N];
  for (int i = 0; i < N; ++i) {
    L scaled[N];  // m[i][j], before it becomes the entry of L
    L pivot = m[i][i];
    for (int j = 0; j < i; ++j) {
      scaled[j] = m[i][j];
      for (int k = 0; k < j; ++k) scaled[j] = scaled[j] - scaled[k] * m[j][k];
      m[i][j] = scaled[j] * inverse[j];
      pivot = pivot - scaled[j] * m[i][j];
      b[i] = b[i] - m[i][j] * b[j];
    }
    const auto sound = least * m[i][i] < pivot;
    inverse[i] = select(sound, one / select(sound, pivot, one), zero);
  }
  for (int i = N - 1; i >= 0; --i) {
    b[i] = inverse[i] * b[i];
    for (int k = i + 1; k < N; ++k) b[i] = b[i] - m[k][i] * b[k];
  }
}

}  // namespace limber
