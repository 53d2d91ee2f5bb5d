// Curvature and direction for constraints on a length |u|, where u is a linear combination of points.
#pragma once

#include "engine/simd/points.hpp"

namespace limber {

/// Curvature of C = sign |u| - C0 with u = sum_j a_j x_j, times m:
///   d^2 C/dx_i dx_j = sign a_i a_j (1 - n n^T)/|u|,  n = u/|u|;  nothing where u = 0
template <class L, int Arity>
LIMBER_INLINE void add_length_curvature(const Vec3<L>& u, const L (&a)[Arity], const L& signed_m,
                                        L (&H)[3 * Arity][3 * Arity]) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), length = sqrt(dot(u, u));
  const auto sound = zero < length;
  const L inverse = select(sound, one / select(sound, length, one), zero);
  const L n[3] = {inverse * u.x, inverse * u.y, inverse * u.z};
  for (int i = 0; i < Arity; ++i)
    for (int j = 0; j < Arity; ++j)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          H[3 * i + c][3 * j + d] =
              H[3 * i + c][3 * j + d] +
              signed_m * (inverse * (a[i] * a[j] * ((c == d ? one : zero) - n[c] * n[d])));
}

/// u/|u|; the x axis if u is zero.
template <class L>
LIMBER_INLINE Vec3<L> direction(const Vec3<L>& u, const L& length) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1));
  const auto sound = zero < length;
  const L inverse = one / select(sound, length, one);
  return {select(sound, inverse * u.x, one), inverse * u.y, inverse * u.z};
}

/// u scaled to `length`.
template <class L>
LIMBER_INLINE Vec3<L> at_length(const Vec3<L>& u, const L& length) {
  return length * direction(u, sqrt(dot(u, u)));
}

}  // namespace limber
