// Arc tangent over Lanes from arithmetic alone: the same bits on every machine and width.
#pragma once

#include "engine/simd/lanes.hpp"

namespace limber {

namespace detail {

/// atan(t) for |t| <= tan(pi/8), float: odd minimax polynomial of degree 9 (Cephes atanf, error 2e-8).
template <int N>
LIMBER_INLINE Lanes<float, N> atan_reduced(Lanes<float, N> t) {
  using L = Lanes<float, N>;
  const L z = t * t;
  const L p = ((L(8.05374449538e-2f) * z - L(1.38776856032e-1f)) * z + L(1.99777106478e-1f)) * z -
              L(3.33329491539e-1f);
  return p * z * t + t;
}

/// atan(t) in double: rational function of Cephes atan (error 2e-16).
template <int N>
LIMBER_INLINE Lanes<double, N> atan_reduced(Lanes<double, N> t) {
  using L = Lanes<double, N>;
  const L z = t * t;
  const L p = (((L(-8.750608600031904122785e-1) * z - L(1.615753718733365076637e1)) * z -
                L(7.500855792314704667340e1)) *
                   z -
               L(1.228866684490136173410e2)) *
                  z -
              L(6.485021904942025371773e1);
  const L q = ((((z + L(2.485846490142306297962e1)) * z + L(1.650270098316988542046e2)) * z +
                L(4.328810604912902668951e2)) *
                   z +
               L(4.853903996359136964868e2)) *
                  z +
              L(1.945506571482613964425e2);
  return t * z * (p / q) + t;
}

}  // namespace detail

/// Angle of (x, y) in (-pi, pi]; 0 for (0, 0). y = -0 counts as +0.
template <class L>
LIMBER_INLINE L atan2(L y, L x) {
  using T = typename L::Real;
  const L zero(T(0)), pi(T(3.14159265358979323846));
  const L ax = abs(x), ay = abs(y);
  const L lo = min(ax, ay), hi = max(ax, ay);
  // t = lo/hi in [0,1]; above tan(pi/8) use atan t = pi/4 + atan((t-1)/(t+1)), still one division
  const auto wide = L(T(0.41421356237309504880)) * hi < lo;
  const L denominator = select(wide, hi + lo, hi);
  const L t = select(wide, lo - hi, lo) / select(zero < denominator, denominator, L(T(1)));
  L angle = detail::atan_reduced(t) + select(wide, L(T(0.78539816339744830962)), zero);
  angle = select(ax < ay, L(T(1.57079632679489661923)) - angle, angle);
  angle = select(x < zero, pi - angle, angle);
  return select(y < zero, -angle, angle);
}

}  // namespace limber
