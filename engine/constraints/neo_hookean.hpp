// Stable neo-Hookean tetrahedra (Smith, de Goes, Kim 2018), as a block of two constraints.
#pragma once

#include "engine/constraints/tet.hpp"

namespace limber {

/// E = V (mu/2 (|F|^2 - 3) + l/2 (J - 1 - mu/l)^2),  J = det F. For small strains this is linear elasticity
/// with Lame's mu and lambda = l - mu (Smith et al., section 3.4), so l = lambda + mu here.
///
/// Macklin and Mueller 2021 divide E into the rows C_D = |F| and C_H = J - (1 + mu/l) (worked case
/// stable_neo_hookean_tet of tests/vectors.json). At rest both rows have large forces, and only their
/// difference resists shear. XPBD neglects the change of gradients and so loses that difference: a free
/// element of E = 1e7 stays at half its volume at h = 1/60. The same energy, up to a constant, is
///
///   E = V (mu/2 D^2 + lambda/2 (J - 1)^2),   D^2 = |F|^2 + (J - 2)^2 - 4
///
/// At lambda = 0 this D vanishes for F = 0 as well as for a rotation, so an element that is compressed to
/// less than half of its height also collapses sideways. The reason is that (J - 2)^2 has only the first two
/// terms of the Taylor series of -2 log J, the term of the neo-Hookean energy. Two cubic terms replace the
/// missing ones; each is zero unless the element is crushed. With x^+ = max(x, 0):
///
///   D^2 = |F|^2 + (J - 2)^2 - 4 + 2 k/3 ((J_k - J)^+)^3 + I_k/3 ((1 - |F|^2/I_k)^+)^3
///   dD^2/dF = 2 (g F - p cof F),   p = 2 - J + k ((J_k - J)^+)^2,   g = 1 - ((1 - |F|^2/I_k)^+)^2
///
/// Below J = 0 the first cubic term continues as a straight line.
///
/// p J = 1, as for -log J, within 15 % for 0.2 < J < 1: a compressed element keeps its width at lambda = 0. E
/// is finite everywhere, and its only stationary points are rotations and F = 0, which is no minimum: in
/// singular values, g mu s_i^2 = J (mu p + lambda (1 - J)) for each i, so that the s_i are equal, J > 0, and
/// the two sides are equal at s = 1 only. For small strains e, D = sqrt(2) |e|.
///
///   C_D = D,      dC_D/dF = (g F - p cof F)/D,  alpha_D = 1/(mu V)
///   C_H = J - 1,  dC_H/dF = cof F,              alpha_H = 1/(lambda V)
///
/// The rows are solved as one block, so that neither undoes the other. Computed as above, D^2 would lose half
/// of its digits near rest. In Green's strain G = (F^T F - 1)/2 with its invariants I1, I2, I3, and j = J -
/// 1, every term is of second order:
///
///   |F|^2 + (J - 2)^2 - 4 = (4 I2 + 8 I3 - j^2)(j + I1) + 2 G:G - 8 I3
struct NeoHookean : TetStencil {
  static constexpr std::string_view name = "neo_hookean";
  static constexpr int rows = 2;
  static constexpr int softness_count = 2;
  /// Constants of the cubic terms: J_k, the volume ratio below which an element counts as crushed; k; and
  /// I_k, |F|^2 of an element that is scaled by 0.3.
  static constexpr double crushed = 0.8, against_crushing = 7.0, least_square = 0.27;

  template <class L>
  static LIMBER_INLINE Block<L, 4, 2> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), least(sizeof(T) == 4 ? T(1e-6) : T(1e-13));
    const Columns3<L> F = deformation(p, rest), cof = cofactors(F);
    const L j = dot(F.c[0], cross(F.c[1], F.c[2])) - one;
    const Shape<L> shape = shape_of(F, j);
    const L D = sqrt(max(shape.squared, zero));
    const auto shaped = least < D;
    const L inverse = select(shaped, one / select(shaped, D, one), zero);
    const L of_shape = inverse * shape.pull, of_volume = inverse * shape.push;
    Block<L, 4, 2> g;
    g.C[0] = D;
    g.C[1] = j;
    spread(cof, rest, g.grad[1]);
    spread(of_shape * F, rest, g.grad[0]);
    for (int i = 0; i < 4; ++i) g.grad[0][i] = g.grad[0][i] - of_volume * g.grad[1][i];
    return g;
  }

  /// D^2, and dD^2/dF = 2 (pull F - push cof F).
  template <class L>
  struct Shape {
    L squared, pull, push;
  };
  template <class L>
  static LIMBER_INLINE Shape<L> shape_of(const Columns3<L>& F, const L& j) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), third(T(1.0 / 3.0)), k = T(against_crushing), least = T(least_square);
    const L lost = max(L(T(crushed - 1.0)) - j, zero), curved = min(lost, L(T(crushed)));
    const L small = max(one - L(T(1.0 / least_square)) * dot(F, F), zero);
    const L push = k * curved * curved, small2 = small * small;
    const L two(T(2)), two_thirds(T(2.0 / 3.0));
    return {shape_squared(F, j) + two * push * (lost - two_thirds * curved) + third * least * small2 * small,
            one - small2, one - j + push};
  }

  /// |F|^2 + (J - 2)^2 - 4; `j`: det F - 1.
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

  /// E, grad E and hess E (energy.hpp). They exist at rest too, where D has no gradient.
  template <EnergyParts parts = EnergyParts::with_hessian, class L>
  static void whole_energy(const Vec3<L> (&p)[4], const L (&rest)[10], const L (&softness)[2], L& E,
                           Vec3<L> (&gradient)[4], L (&H)[12][12]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    const L mu = one / softness[0], lambda = one / softness[1];  // times V
    const Columns3<L> F = deformation(p, rest);
    const Columns3<L> cof{{cross(F.c[1], F.c[2]), cross(F.c[2], F.c[0]), cross(F.c[0], F.c[1])}};
    const L j = dot(F.c[0], cof.c[0]) - one;
    const Shape<L> shape = shape_of(F, j);
    E = half * (mu * shape.squared + lambda * j * j);
    Vec3<L> of_F[4], of_J[4];
    spread(F, rest, of_F), spread(cof, rest, of_J);
    const L stretch = mu * shape.pull, volume = lambda * j - mu * shape.push;
    for (int i = 0; i < 4; ++i) gradient[i] = stretch * of_F[i] + volume * of_J[i];
    if constexpr (parts == EnergyParts::without_hessian) return;
    const L S[3][3] = {{stretch, zero, zero}, {zero, stretch, zero}, {zero, zero, stretch}};
    add_isotropic(rest, S, H);
    add_volume_curvature(F, rest, volume, H);
    const L k = T(against_crushing), least = T(least_square);
    const L lost = max(L(T(crushed - 1.0)) - j, zero);
    const L by_volume = lambda + mu * (one + (k + k) * select(lost < L(T(crushed)), lost, zero));
    const L by_square = L(T(4)) * mu * max(one - dot(F, F) / least, zero) / least;
    for (int i = 0; i < 4; ++i)
      for (int n = 0; n < 4; ++n) {
        const L a[3] = {of_J[i].x, of_J[i].y, of_J[i].z}, b[3] = {of_J[n].x, of_J[n].y, of_J[n].z};
        const L p[3] = {of_F[i].x, of_F[i].y, of_F[i].z}, q[3] = {of_F[n].x, of_F[n].y, of_F[n].z};
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            H[3 * i + c][3 * n + d] =
                H[3 * i + c][3 * n + d] + by_volume * (a[c] * b[d]) + by_square * (p[c] * q[d]);
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
