// Distance constraint (Mueller et al. 2006, section 3.3, eq. 10 and 11; in dp2 the factor is w2/(w1+w2)).
#pragma once

#include <string_view>

#include "engine/constraints/length.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

///   C(p0, p1) = |p1 - p0| - l          p0 -------- p1
///   grad_1 C = n = (p1-p0)/|p1-p0|,  grad_0 C = -n
struct Distance {
  static constexpr std::string_view name = "distance";
  static constexpr int arity = 2;
  static constexpr TearTrait tearing = TearTrait::on_edge;
  static constexpr int rest_count = 1;  ///< l, m
  static constexpr bool unit_gradients =
      true;  ///< |grad_j C| = 1, so the sum of weights needs no dot products

  template <class L>
  static LIMBER_INLINE Gradient<L, 2> evaluate(const Vec3<L> (&p)[2], const L (&rest)[1]) {
    const Vec3<L> d = p[1] - p[0];
    const L length = sqrt(dot(d, d));
    const Vec3<L> n = direction(d, length);
    return {length - rest[0], {-n, n}};
  }

  template <class L>
  static void add_curvature(const Vec3<L> (&p)[2], const L (&)[1], const L (&m)[1], L (&H)[6][6]) {
    using T = typename L::Real;
    const L ends[2] = {L(T(-1)), L(T(1))};
    add_length_curvature(p[1] - p[0], ends, m[0], H);
  }
  /// Projective Dynamics: q = p1 - p0, projected to the nearest vector of length l.
  static constexpr int projected_rows = 1;
  template <class L>
  static void difference(const L (&)[1], L (&a)[1][2]) {
    using T = typename L::Real;
    a[0][0] = L(T(-1)), a[0][1] = L(T(1));
  }
  template <class L>
  static LIMBER_INLINE void nearest(Vec3<L> (&q)[1], const L (&rest)[1]) {
    q[0] = at_length(q[0], rest[0]);
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
