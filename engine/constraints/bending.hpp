// Dihedral bending by the signed angle between the two triangles of a hinge.
#pragma once

#include <string_view>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"
#include "engine/simd/atan2.hpp"

namespace limber {

///            p2              e  = p1 - p0, the shared edge
///           /  |             na = (p2-p0) x (p1-p0)
///         p0 --p1            nb = (p1-p0) x (p3-p0)
///           |  /             theta = atan2((na x nb).e/|e|, na.nb), 0 when flat
///            p3              C = theta - theta0, wrapped to (-pi, pi]
///
/// The acos form of Mueller et al. 2006 (appendix A) has no gradient for a flat hinge, the usual state of
/// cloth, and cannot distinguish a fold up from a fold down; this angle has |grad| = 1/height there.
/// Gradients (Bridson, Marino, Fedkiw 2003):
///   g2 = |e| na/|na|^2,  g3 = |e| nb/|nb|^2,  a_j = (p_j - p0).e / e.e,
///   g0 = -(1-a2) g2 - (1-a3) g3,  g1 = -a2 g2 - a3 g3
struct Bending {
  static constexpr std::string_view name = "bending";
  static constexpr int arity = 4;
  static constexpr TearTrait tearing = TearTrait::on_hinge;
  static constexpr int rest_count = 1;  ///< theta0, rad
  static constexpr bool unit_gradients = false;
  /// rad. A correction moves a corner along a straight line instead of a circle: after 1 rad the corner is 40
  /// % farther from the edge, and the springs that pull it back accelerate it. Errors this large do occur:
  /// hinges of a fine mesh that lands on something fold by up to pi.
  static constexpr double largest_step = 0.25;

  template <class L>
  static LIMBER_INLINE Gradient<L, 4> evaluate(const Vec3<L> (&p)[4], const L (&rest)[1]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), pi(T(3.14159265358979323846));
    const Vec3<L> e = p[1] - p[0], a = p[2] - p[0], b = p[3] - p[0];
    const Vec3<L> na = cross(a, e), nb = cross(e, b);
    const L ee = dot(e, e), na2 = dot(na, na), nb2 = dot(nb, nb);
    const L length = sqrt(ee);
    // a triangle without area has no normal: C = 0 and zero gradients
    const L smallest = min(min(na2, nb2), ee);
    const auto sound = L(T(1e-30)) < smallest;
    const L inverse_ee = one / select(sound, ee, one);
    const L sine = dot(cross(na, nb), e) / select(sound, length, one);
    L C = atan2(sine, dot(na, nb)) - rest[0];
    C = select(pi < C, C - (pi + pi), C);
    C = select(C < -pi, C + (pi + pi), C);
    C = select(sound, C, zero);
    const Vec3<L> g2 = select(sound, length / select(sound, na2, one), zero) * na;
    const Vec3<L> g3 = select(sound, length / select(sound, nb2, one), zero) * nb;
    const L a2 = dot(a, e) * inverse_ee, a3 = dot(b, e) * inverse_ee;
    const Vec3<L> g1 = -(a2 * g2) - a3 * g3;
    const Vec3<L> g0 = -(g1 + g2 + g3);
    return {C, {g0, g1, g2, g3}};
  }
  /// 1/height^2 of the flatter triangle: for a given motion of its tip the angle changes most.
  template <class L>
  static LIMBER_INLINE L steepness(const Gradient<L, 4>& g) {
    return max(dot(g.grad[2], g.grad[2]), dot(g.grad[3], g.grad[3]));
  }

  template <class Material>
  static double compliance(const Material& m) {
    return m.bend_compliance;
  }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.bend_stiffness;
  }
};

}  // namespace limber
