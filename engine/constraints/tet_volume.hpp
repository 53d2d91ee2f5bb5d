// The volume of a tetrahedron (Mueller et al. 2006, section 4.4, of one element).
#pragma once

#include "engine/constraints/tet.hpp"

namespace limber {

///   C = (p1 - p0) x (p2 - p0) . (p3 - p0)/6 - V0
///   grad_1 = (p2 - p0) x (p3 - p0)/6,  grad_2 = (p3 - p0) x (p1 - p0)/6,  grad_3 = (p1 - p0) x (p2 - p0)/6
///   alpha = V0/kappa, kappa = E/(3 (1 - 2 nu)) the bulk modulus: C^2/(2 alpha) = V0 kappa/2 (V/V0 - 1)^2
///
/// The right corner of edge 1 has V0 = 1/6 and gradients of length 1/6 each but |grad_0| = sqrt(3)/6.
/// An element without any face of area has no gradient and waits: its edges draw it apart.
struct TetVolume {
  static constexpr std::string_view name = "tet_volume";
  static constexpr int arity = 4;
  static constexpr int rest_count = 2;  ///< V0 in m^3; the longest step of a point in m
  static constexpr bool unit_gradients = false;
  static constexpr TearTrait tearing = TearTrait::refused;
  static constexpr std::string_view cannot_tear = TetStencil::cannot_tear;
  static constexpr int step_rest = 1;

  template <class L>
  static LIMBER_INLINE Gradient<L, 4> evaluate(const Vec3<L> (&p)[4], const L (&rest)[2]) {
    using T = typename L::Real;
    const Vec3<L> a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
    const L sixth(T(1.0 / 6.0));
    const Vec3<L> g1 = sixth * cross(b, c), g2 = sixth * cross(c, a), g3 = sixth * cross(a, b);
    return {dot(g1, a) - rest[0], {-(g1 + g2 + g3), g1, g2, g3}};
  }

  template <class L>
  static void add_curvature(const Vec3<L> (&p)[4], const L (&)[2], const L (&m)[1], L (&H)[12][12]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1));
    const L unit[10] = {one, zero, zero, zero, one, zero, zero, zero, one, zero};  // B = 1: det F = 6 V
    TetStencil::add_volume_curvature(TetStencil::deformation(p, unit), unit, L(T(1.0 / 6.0)) * m[0], H);
  }

  static std::array<double, rest_count> rest_of(const std::array<glm::dvec3, 4>& x) {
    return {TetStencil::volume_of(x), TetStencil::rest_of(x)[TetStencil::step_rest]};
  }

  /// The geometric factor is V0.
  template <class Material>
  static double compliance(const Material& m) {
    return 3.0 * (1.0 - 2.0 * m.poisson_ratio) / m.youngs_modulus;
  }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.solid_stiffness;
  }
};

}  // namespace limber
