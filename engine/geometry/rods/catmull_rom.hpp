// The curve through given points.
#pragma once

namespace limber {

/// Uniform Catmull-Rom of tension 1/2: from p1 at t = 0 to p2 at t = 1, along p2 - p0 there and p3 - p1 here.
template <class V>
V catmull_rom(const V& p0, const V& p1, const V& p2, const V& p3, typename V::value_type t) {
  using T = typename V::value_type;
  return p1 + (T(0.5) * t) * ((p2 - p0) + t * ((T(2) * p0 - T(5) * p1 + T(4) * p2 - p3) +
                                               t * (T(3) * (p1 - p2) + p3 - p0)));
}

/// Its derivative by t.
template <class V>
V catmull_rom_slope(const V& p0, const V& p1, const V& p2, const V& p3, typename V::value_type t) {
  using T = typename V::value_type;
  return T(0.5) * ((p2 - p0) + t * (T(2) * (T(2) * p0 - T(5) * p1 + T(4) * p2 - p3) +
                                    (T(3) * t) * (T(3) * (p1 - p2) + p3 - p0)));
}

}  // namespace limber
