// Distance constraint (paper section 3.3, eq. 10-11; erratum 1: dp2 carries w2/(w1+w2)).
#pragma once

#include <string_view>

#include "engine/constraints/stencil.hpp"

namespace limber {

///   C(p0, p1) = |p1 - p0| - l          p0 -------- p1
///   grad_1 C = n = (p1-p0)/|p1-p0|,  grad_0 C = -n
struct Distance {
  static constexpr std::string_view name = "distance";
  static constexpr int arity = 2;
  static constexpr int rest_count = 1;  ///< l, m
  static constexpr bool unit_gradients =
      true;  ///< |grad_j C| = 1, so the sum of weights needs no dot products

  template <class L>
  static LIMBER_INLINE Gradient<L, 2> evaluate(const Vec3<L> (&p)[2], const L (&rest)[1]) {
    using T = typename L::Real;
    const Vec3<L> d = p[1] - p[0];
    const L length = sqrt(dot(d, d));
    // coincident points have no direction: n = 0 and the constraint waits
    const L inverse = L(T(1)) / select(L(T(0)) < length, length, L(T(1)));
    const Vec3<L> n = inverse * d;
    return {length - rest[0], {-n, n}};
  }

  template <class Material>
  static double compliance(const Material& m) {
    return m.stretch_compliance;
  }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.stretch_stiffness;
  }
};

}  // namespace limber
