// Bending by the unsigned angle of Mueller et al. 2006, appendix A, for teaching.
#pragma once

#include <string_view>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"
#include "engine/simd/atan2.hpp"

namespace limber {

/// Bending by acos as in Mueller et al. 2006, section 4.1 and appendix A, with corrected gradients, relative
/// to p0:
///
///   n1 = p1 x p2/|p1 x p2|,  n2 = p1 x p3/|p1 x p3|,  d = n1.n2,  C = acos(d) - phi0
///   q2 = (p1 x n2 + d n1 x p1)/|p1 x p2|,   q3 = (p1 x n1 + d n2 x p1)/|p1 x p3|
///   q1 = -(p2 x n2 + d n1 x p2)/|p1 x p2| - (p3 x n1 + d n2 x p3)/|p1 x p3|,   q0 = -q1 - q2 - q3
///   grad_j C = q_j/sqrt(1 - d^2)
///
/// A flat hinge has acos(d) = pi; there the gradient is 0/0 and changes sign. In float, angles within 3.45e-4
/// of pi cannot be resolved, and acos cannot distinguish a fold up from a fold down, so near flat the
/// constraint does nothing. The signed angle of Bending has none of these faults; this type shows what they
/// cost. Corners are numbered as in Bending.
struct AcosBending {
  static constexpr std::string_view name = "acos_bending";
  static constexpr int arity = 4;
  static constexpr TearTrait tearing = TearTrait::on_hinge;
  static constexpr int rest_count = 1;  ///< phi0, rad
  static constexpr bool unit_gradients = false;

  template <class L>
  static LIMBER_INLINE Gradient<L, 4> evaluate(const Vec3<L> (&p)[4], const L (&rest)[1]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1));
    const Vec3<L> e = p[1] - p[0], a = p[2] - p[0], b = p[3] - p[0];
    const Vec3<L> ea = cross(e, a), eb = cross(e, b);
    const L length_a = sqrt(dot(ea, ea)), length_b = sqrt(dot(eb, eb));
    const auto sound = L(T(1e-15)) < min(length_a, length_b);
    const L inverse_a = one / select(sound, length_a, one), inverse_b = one / select(sound, length_b, one);
    const Vec3<L> n1 = inverse_a * ea, n2 = inverse_b * eb;
    const L d = max(-one, min(one, dot(n1, n2)));
    const L sine2 = (one - d) * (one + d), sine = sqrt(sine2);
    const L C = select(sound, atan2(sine, d) - rest[0], zero);
    // (3.45e-4)^2, see above
    const auto bent = L(T(1.2e-7)) < select(sound, sine2, zero);
    const L scale = select(bent, one / select(bent, sine, one), zero);
    const Vec3<L> q2 = inverse_a * (cross(e, n2) + d * cross(n1, e));
    const Vec3<L> q3 = inverse_b * (cross(e, n1) + d * cross(n2, e));
    const Vec3<L> q1 =
        -(inverse_a * (cross(a, n2) + d * cross(n1, a))) - inverse_b * (cross(b, n1) + d * cross(n2, b));
    const Vec3<L> q0 = -(q1 + q2 + q3);
    return {C, {scale * q0, scale * q1, scale * q2, scale * q3}};
  }
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
