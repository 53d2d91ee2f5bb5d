// Distance inequalities: rope, strut and tether.
#pragma once

#include <string_view>

#include "engine/constraints/length.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

/// Inequalities C >= 0 over the distance r = |p1 - p0| (Mueller et al. 2006, section 3.3: projected only if C
/// < 0).
///   longest (Sign = -1):   C = l - r,  grad_0 C = n,  grad_1 C = -n,  n = (p1 - p0)/r
///   shortest (Sign = +1):  C = r - l,  grad_0 C = -n, grad_1 C = n
template <int Sign>
struct DistanceLimit {
  static constexpr int arity = 2;
  static constexpr TearTrait tearing = TearTrait::on_edge;
  static constexpr int rest_count = 1;  ///< l, m
  static constexpr bool unit_gradients = true;
  static constexpr bool unilateral = true;

  template <class L>
  static LIMBER_INLINE Gradient<L, 2> evaluate(const Vec3<L> (&p)[2], const L (&rest)[1]) {
    using T = typename L::Real;
    const Vec3<L> d = p[1] - p[0];
    const L length = sqrt(dot(d, d));
    const Vec3<L> n = L(T(Sign)) * direction(d, length);
    return {L(T(Sign)) * (length - rest[0]), {-n, n}};
  }

  template <class L>
  static void add_curvature(const Vec3<L> (&p)[2], const L (&)[1], const L (&m)[1], L (&H)[6][6]) {
    using T = typename L::Real;
    const L ends[2] = {L(T(-1)), L(T(1))};
    add_length_curvature(p[1] - p[0], ends, L(T(Sign)) * m[0], H);
  }
  /// Projective Dynamics: q = p1 - p0, projected to the nearest vector whose length is within the limit.
  static constexpr int projected_rows = 1;
  template <class L>
  static void difference(const L (&)[1], L (&a)[1][2]) {
    using T = typename L::Real;
    a[0][0] = L(T(-1)), a[0][1] = L(T(1));
  }
  template <class L>
  static LIMBER_INLINE void nearest(Vec3<L> (&q)[1], const L (&rest)[1]) {
    const L own = sqrt(dot(q[0], q[0]));
    q[0] = at_length(q[0], Sign < 0 ? min(own, rest[0]) : max(own, rest[0]));
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

/// At most l apart: pulls, never pushes.
struct Rope : DistanceLimit<-1> {
  static constexpr std::string_view name = "rope";
};
/// At least l apart: pushes, never pulls.
struct Strut : DistanceLimit<1> {
  static constexpr std::string_view name = "strut";
};

/// Long range attachment (Kim, Chentanez, Mueller 2012): p0 stays within l of the fixed point p1, with l the
/// length of the path from p1 to p0 over the surface. A sweep propagates a pull by about one edge; a tether
/// acts at once, so that edges near pins do not stretch until the pull has arrived. Always rigid. The anchor
/// p1 is only read, so hundreds of tethers of one pin can have one colour.
struct Tether : DistanceLimit<-1> {
  static constexpr std::string_view name = "tether";
  static constexpr int written = 1;
  static constexpr bool undamped = true;
  static constexpr TearTrait tearing = TearTrait::let_go;

  template <class Material>
  static double compliance(const Material&) {
    return 0.0;
  }
  template <class Material>
  static double stiffness(const Material&) {
    return 1.0;
  }
};

}  // namespace limber
