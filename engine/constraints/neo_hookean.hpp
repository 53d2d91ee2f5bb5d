// Stable neo-Hookean tetrahedra (Smith, de Goes, Kim 2018), as a block of two constraints.
#pragma once

#include "engine/constraints/tet.hpp"

namespace limber {

/// E = V (mu/2 (|F|^2 - 3) + l/2 (J - 1 - mu/l)^2),  J = det F. For small strains this is linear elasticity
/// with Lame's mu and lambda = l - mu (Smith et al., section 3.4), so l = lambda + mu here.
///
/// Taken apart as C_D = |F| and C_H = J - (1 + mu/l) (Macklin, Mueller 2021; vector stable_neo_hookean_tet),
/// both rows pull hard at rest, where their forces cancel, and XPBD, which leaves out the change of
/// gradients, holds shear by nothing else: a free element of E = 1e7 stays at half its volume at h = 1/60.
/// The same energy, up to a constant, is
///
///   E = V (mu/2 D^2 + lambda/2 (J - 1)^2),   D^2 = |F|^2 + (J - 2)^2 - 4
///
/// whose rows both vanish at rest and nowhere else: D is zero for rotations only (and for F = 0), since
/// |F|^2 >= 3 J^(2/3). For small strains e, D = sqrt(2) |e|.
///
///   C_D = D,      dC_D/dF = (F + (J - 2) cof F)/D,   alpha_D = 1/(mu V)
///   C_H = J - 1,  dC_H/dF = cof F,                   alpha_H = 1/(lambda V)
///
/// One block, so that neither undoes the other. D^2 would lose half of its digits near rest; in Green's
/// strain G = (F^T F - 1)/2 with its invariants I1, I2, I3 and j = J - 1, every term is of second order:
///
///   D^2 = (4 I2 + 8 I3 - j^2)(j + I1) + 2 G:G - 8 I3
///
/// Collapsed in two directions or three the shape draws an element to a point; there the volume acts alone.
struct NeoHookean : TetStencil {
  static constexpr std::string_view name = "neo_hookean";
  static constexpr int rows = 2;
  static constexpr int softness_count = 2;
  /// Square of |cof F| below which an element counts as collapsed: three edges at half of their length have
  /// 0.19.
  static constexpr double collapsed = 0.05;

  template <class L>
  static LIMBER_INLINE Block<L, 4, 2> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), least(sizeof(T) == 4 ? T(1e-6) : T(1e-13));
    const Columns3<L> F = deformation(p, rest), cof = cofactors(F);
    const L j = dot(F.c[0], cross(F.c[1], F.c[2])) - one;
    const L D = sqrt(max(shape_squared(F, j), zero));
    const auto shaped = select(L(T(collapsed)) < dot(cof, cof), least, L(T(1e30))) < D;
    const L inverse = select(shaped, one / select(shaped, D, one), zero);
    const L of_volume = inverse * (j - one);
    Block<L, 4, 2> g;
    g.C[0] = select(shaped, D, zero);
    g.C[1] = j;
    spread(cof, rest, g.grad[1]);
    spread(inverse * F, rest, g.grad[0]);
    for (int i = 0; i < 4; ++i) g.grad[0][i] = g.grad[0][i] + of_volume * g.grad[1][i];
    return g;
  }

  /// D^2; `j`: det F - 1.
  template <class L>
  static LIMBER_INLINE L shape_squared(const Columns3<L>& F, const L& j) {
    using T = typename L::Real;
    const L one(T(1)), half(T(0.5)), two(T(2)), four(T(4)), eight(T(8));
    const L xx = half * (dot(F.c[0], F.c[0]) - one), yy = half * (dot(F.c[1], F.c[1]) - one),
            zz = half * (dot(F.c[2], F.c[2]) - one), yz = half * dot(F.c[1], F.c[2]),
            xz = half * dot(F.c[0], F.c[2]), xy = half * dot(F.c[0], F.c[1]);
    const L shear = yz * yz + xz * xz + xy * xy;
    const L I1 = xx + yy + zz, I2 = xx * yy + yy * zz + zz * xx - shear;
    const L I3 = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    return (four * I2 + eight * I3 - j * j) * (j + I1) + two * (xx * xx + yy * yy + zz * zz + two * shear) -
           eight * I3;
  }

  /// E, grad E and hess E, which exist at rest too, where D has no gradient (energy.hpp).
  template <class L>
  static void whole_energy(const Vec3<L> (&p)[4], const L (&rest)[10], const L (&softness)[2], L& E,
                           Vec3<L> (&gradient)[4], L (&H)[12][12]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    const L mu = one / softness[0], lambda = one / softness[1];  // times V
    const Columns3<L> F = deformation(p, rest);
    const Columns3<L> cof{{cross(F.c[1], F.c[2]), cross(F.c[2], F.c[0]), cross(F.c[0], F.c[1])}};
    const L j = dot(F.c[0], cof.c[0]) - one;
    E = half * (mu * shape_squared(F, j) + lambda * j * j);
    Vec3<L> of_F[4], of_J[4];
    spread(F, rest, of_F), spread(cof, rest, of_J);
    const L volume = mu * (j - one) + lambda * j;
    for (int i = 0; i < 4; ++i) gradient[i] = mu * of_F[i] + volume * of_J[i];
    const L S[3][3] = {{mu, zero, zero}, {zero, mu, zero}, {zero, zero, mu}};
    add_isotropic(rest, S, H);
    add_volume_curvature(F, rest, volume, H);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k) {
        const L a[3] = {of_J[i].x, of_J[i].y, of_J[i].z}, b[3] = {of_J[k].x, of_J[k].y, of_J[k].z};
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            H[3 * i + c][3 * k + d] = H[3 * i + c][3 * k + d] + (mu + lambda) * (a[c] * b[d]);
      }
  }

  /// `scale`: 1/V.
  template <class Material>
  static std::array<double, 2> softness(const Material& m, double scale) {
    const Lame k = lame(m.youngs_modulus, m.poisson_ratio);
    return {scale / k.mu, scale / std::max(k.lambda, 1e-6 * k.mu)};
  }
  static std::array<double, 2> stiffnesses(double k) { return {k, 0.0}; }
};

}  // namespace limber
