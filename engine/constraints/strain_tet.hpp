// Strain based tetrahedra (Mueller, Chentanez, Kim, Macklin 2014): stretch and shear along the axes at rest.
#pragma once

#include "engine/constraints/tet.hpp"

namespace limber {

/// Stretch and shear along the axes of the rest pose, with n_a = f_a/|f_a|:
///
///   stretch (xx, yy, zz):  C = |f_a| - 1,  dC/df_a = n_a
///   shear (yz, xz, xy):    C = n_a . n_b,  dC/df_a = (n_b - C n_a)/|f_a|, dC/df_b likewise
///
/// For small strains C is e_aa and 2 e_ab. The compliance matrix A is that of an isotropic material of E and
/// nu, times 1/V: for the stretches 1/E on the diagonal and -nu/E beside it, for each shear 1/mu = 2 (1 +
/// nu)/E. With a diagonal matrix of 1/(lambda + 2 mu) a bar would have the stiffness lambda + 2 mu in place
/// of E and would not become thinner.
///
/// The square root makes stretch linear in lengths; the division keeps shear from shortening the fibres
/// (worked case strain_based_triangle of tests/vectors.json, in the plane). The axes are fibres, so at large
/// strains the material is not isotropic. Inverted elements are treated as in stvk_tet.hpp.
struct StrainTet : TetStencil {
  static constexpr std::string_view name = "strain_tet";
  static constexpr int rows = 6;
  /// Volume ratio below which turn_outward() acts. A cosine does not exceed 1, so an element that is sheared
  /// flat would rest in balance between its stretches and the volume of its neighbours.
  static constexpr double folded = 0.3;
  static constexpr int softness_count = 3;  ///< entries of A: diagonal and off-diagonal of stretches; shear

  template <class L>
  static LIMBER_INLINE Block<L, 4, 6> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L one(T(1)), least(T(1e-6));
    const Columns3<L> F = deformation(p, rest);
    L inverse[3];
    Vec3<L> n[3];
    Block<L, 4, 6> g;
    for (int a = 0; a < 3; ++a) {
      const L length = sqrt(dot(F.c[a], F.c[a]));
      inverse[a] = one / max(length, least);
      n[a] = inverse[a] * F.c[a];
      g.C[a] = length - one;
      spread_along(n[a], a, rest, g.grad[a]);
    }
    for (int k = 0; k < 3; ++k) {
      const int a = shear_axes[k][0], b = shear_axes[k][1];
      const L cosine = dot(n[a], n[b]);
      g.C[3 + k] = cosine;
      spread_along(inverse[a] * (n[b] - cosine * n[a]), a, inverse[b] * (n[a] - cosine * n[b]), b, rest,
                   g.grad[3 + k]);
    }
    turn_outward(F, rest, g, folded);
    return g;
  }

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[3], L (&A)[6][6]) {
    isotropic_compliance(softness, A);
  }

  /// `scale`: 1/V.
  template <class Material>
  static std::array<double, 3> softness(const Material& m, double scale) {
    const double nu = m.poisson_ratio, per = scale / m.youngs_modulus;
    return {per, -nu * per, 2.0 * (1.0 + nu) * per};
  }
  static std::array<double, 3> stiffnesses(double k) { return {k, 0.0, 0.0}; }
};

}  // namespace limber
