// St. Venant-Kirchhoff tetrahedra: linear elasticity in Green's strain.
#pragma once

#include "engine/constraints/tet.hpp"

namespace limber {

/// Green's strain E_ab = (f_a . f_b - delta_ab)/2, as six rows: xx, yy, zz, yz, xz, xy.
///
///   dE_aa/dF = f_a at column a;   dE_ab/dF = f_b/2 at column a, f_a/2 at column b
///   E = V (lambda/2 (tr E)^2 + mu E:E) = 1/2 C^T A^-1 C,   A = (V K)^-1
///
/// K has lambda + 2 mu and lambda for xx, yy, zz, and 4 mu for a shear strain E_ab, which appears twice in E.
/// Its inverse in terms of Young's modulus E and nu: 1/E on the diagonal, -nu/E beside it, 1/(4 mu) = (1 +
/// nu)/(2 E) for shear.
///
/// F^T F is the same for an element and its mirror image, and under strong compression the element inverts.
/// Below a volume ratio of least_ratio the first row becomes det F = 1, and the other rows do nothing
/// (turn_outward()).
struct StvkTet : TetStencil {
  static constexpr std::string_view name = "stvk_tet";
  static constexpr int rows = 6;
  static constexpr int softness_count = 3;  ///< entries of A: diagonal and off-diagonal of xx, yy, zz; shear

  /// The longest step does not grow with stretch: the stress of this material grows with the cube of the
  /// stretch, and from a random start longer steps fold a block into itself permanently.
  template <class L>
  static LIMBER_INLINE L step_growth(const Vec3<L> (&)[4], const L (&)[10]) {
    return L(typename L::Real(1));
  }

  template <class L>
  static LIMBER_INLINE Block<L, 4, 6> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L one(T(1)), half(T(0.5));
    const Columns3<L> F = deformation(p, rest);
    Block<L, 4, 6> g;
    for (int a = 0; a < 3; ++a) {
      g.C[a] = half * (dot(F.c[a], F.c[a]) - one);
      spread_along(F.c[a], a, rest, g.grad[a]);
    }
    for (int k = 0; k < 3; ++k) {
      const int a = shear_axes[k][0], b = shear_axes[k][1];
      g.C[3 + k] = half * dot(F.c[a], F.c[b]);
      spread_along(half * F.c[b], a, half * F.c[a], b, rest, g.grad[3 + k]);
    }
    turn_outward(F, rest, g);
    return g;
  }

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[3], L (&A)[6][6]) {
    isotropic_compliance(softness, A);
  }

  /// m:E is linear in F^T F: its curvature is that of sum_ab m_ab f_a . f_b / 2.
  template <class L>
  static void add_curvature(const Vec3<L> (&p)[4], const L (&rest)[10], const L (&m)[6], L (&H)[12][12]) {
    using T = typename L::Real;
    const Columns3<L> F = deformation(p, rest);
    if (dot(F.c[0], cross(F.c[1], F.c[2])).v < T(least_ratio)) return add_volume_curvature(F, rest, m[0], H);
    const L half(T(0.5));
    const L S[3][3] = {
        {m[0], half * m[5], half * m[4]}, {half * m[5], m[1], half * m[3]}, {half * m[4], half * m[3], m[2]}};
    add_isotropic(rest, S, H);
  }

  /// `scale`: 1/V.
  template <class Material>
  static std::array<double, 3> softness(const Material& m, double scale) {
    const double nu = m.poisson_ratio, per = scale / m.youngs_modulus;
    return {per, -nu * per, 0.5 * (1.0 + nu) * per};
  }
  static std::array<double, 3> stiffnesses(double k) { return {k, 0.0, 0.0}; }
};

}  // namespace limber
