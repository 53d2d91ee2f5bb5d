// The curve through given points.
#pragma once

namespace limber {

/// Uniform Catmull-Rom of tension 1/2: from p1 at t = 0, with the direction p2 - p0, to p2 at t = 1, with p3
/// - p1.
template <class V>
V catmull_rom(const V& p0, const V& p1, const V& p2, const V& p3, typename V::value_type t) {
  using T = typename V::value_type;
  return p1 + (T(0.5) * t) * ((p2 - p0) + t * ((T(2) * p0 - T(5) * p1 + T(4) * p2 - p3) +
                                               t * (T(3) * (p1 - p2) + p3 - p0)));
}

/// Derivative of catmull_rom() by t.
template <class V>
V catmull_rom_slope(const V& p0, const V& p1, const V& p2, const V& p3, typename V::value_type t) {
  using T = typename V::value_type;
  return T(0.5) * ((p2 - p0) + t * (T(2) * (T(2) * p0 - T(5) * p1 + T(4) * p2 - p3) +
                                    (T(3) * t) * (T(3) * (p1 - p2) + p3 - p0)));
}

}  // namespace limber
