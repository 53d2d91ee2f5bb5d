// Corotated tetrahedra: linear elasticity about the nearest rotation. With nu = 0, as rigid as possible
// (ARAP).
#pragma once

#include "engine/constraints/small_system.hpp"
#include "engine/constraints/tet.hpp"

namespace limber {

/// One step towards orthonormal columns: R (3 - R^T R)/2.
template <class L>
LIMBER_INLINE Columns3<L> straightened(const Columns3<L>& R) {
  using T = typename L::Real;
  const L half(T(0.5)), three_halves(T(1.5));
  Columns3<L> out;
  L square[3][3];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b <= a; ++b) square[a][b] = square[b][a] = half * dot(R.c[a], R.c[b]);
  for (int a = 0; a < 3; ++a)
    out.c[a] =
        three_halves * R.c[a] - (square[0][a] * R.c[0] + square[1][a] * R.c[1] + square[2][a] * R.c[2]);
  return out;
}

/// A step of Newton's method towards the rotation that maximises tr R^T F (shape_matching.hpp): R exp(w) with
/// B w = g, g = sum r_k x a_k in R's frame, B = tr S - sym S, S = R^T F. No step is taken where B is not
/// positive definite.
template <class L>
LIMBER_INLINE Columns3<L> polished(const Columns3<L>& F, const Columns3<L>& from) {
  using T = typename L::Real;
  const L zero(T(0)), half(T(0.5));
  const Columns3<L> R = straightened(from);
  L S[3][3];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) S[a][b] = dot(R.c[a], F.c[b]);
  L B[3][3], w[3] = {S[2][1] - S[1][2], S[0][2] - S[2][0], S[1][0] - S[0][1]};
  B[0][0] = S[1][1] + S[2][2], B[1][1] = S[0][0] + S[2][2], B[2][2] = S[0][0] + S[1][1];
  B[1][0] = -(half * (S[0][1] + S[1][0])), B[2][0] = -(half * (S[0][2] + S[2][0]));
  B[2][1] = -(half * (S[1][2] + S[2][1]));
  const L minor = B[0][0] * B[1][1] - B[1][0] * B[1][0];
  const L det = B[2][2] * minor + B[1][0] * B[2][0] * B[2][1] + B[1][0] * B[2][0] * B[2][1] -
                B[0][0] * B[2][1] * B[2][1] - B[1][1] * B[2][0] * B[2][0];
  const auto peak = L(T(1e-4)) < min(min(B[0][0], minor), det);
  solve_symmetric(B, w);
  const L turn = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  const auto near = turn < select(peak, L(T(0.25)), zero);
  for (L& x : w) x = select(near, x, zero);
  Columns3<L> out;  // R (1 + [w])
  out.c[0] = R.c[0] + w[2] * R.c[1] - w[1] * R.c[2];
  out.c[1] = R.c[1] - w[2] * R.c[0] + w[0] * R.c[2];
  out.c[2] = R.c[2] + w[1] * R.c[0] - w[0] * R.c[1];
  return straightened(out);
}

/// The rotation R nearest to F, det R = +1 whatever the sign of det F (Irving, Teran, Fedkiw 2004), without
/// eigenvectors. Let F = R S with the singular values s_1 >= s_2 >= |s_3|, s_3 of det F's sign, and
///
///   i1 = s_1 + s_2 + s_3 = tr S,   i2 = (i1^2 - |F|^2)/2,   i3 = det F
///
/// i1 is the largest root of l^4 - 2 |F|^2 l^2 - 8 det F l + |F|^4 - 4 |cof F|^2 (Horn 1987), to which
/// Newton's method descends from sqrt(3) |F|. Eliminating S^2 and S^3 by Cayley and Hamilton leaves
///
///   R = ((i1^2 - i2) F + i1 cof F - F F^T F)/(i1 i2 - i3)
///
/// whose denominator (s_1 + s_2)(s_2 + s_3)(s_1 + s_3) is zero only where the nearest rotation is not unique.
/// One step of Newton's method on the rotation group and two towards orthonormal columns remove the rounding
/// errors of the root. Tested by the worked case pd_arap_tet of tests/vectors.json.
///
/// R is the identity where the nearest rotation is not unique (a point, a line).
template <class L>
LIMBER_INLINE Columns3<L> rotation_near(const Columns3<L>& F) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), half(T(0.5));
  const Columns3<L> cof{{cross(F.c[1], F.c[2]), cross(F.c[2], F.c[0]), cross(F.c[0], F.c[1])}};
  const L size2 = dot(F, F), det = dot(F.c[0], cof.c[0]);
  const L constant = size2 * size2 - L(T(4)) * dot(cof, cof), linear = L(T(-8)) * det;
  L i1 = sqrt(L(T(3)) * size2);
  constexpr int steps = sizeof(T) == 4 ? 8 : 40;
  for (int k = 0; k < steps; ++k) {
    const L square = i1 * i1;
    const L value = (square - L(T(2)) * size2) * square + linear * i1 + constant;
    const L slope = L(T(4)) * (square - size2) * i1 + linear;
    i1 = i1 - select(zero < slope, value / select(zero < slope, slope, one), zero);
  }
  const L i2 = half * (i1 * i1 - size2), denominator = i1 * i2 - det;
  const auto sound = L(T(1e-12)) < denominator;
  const L inverse = one / select(sound, denominator, one);
  Columns3<L> R;
  for (int a = 0; a < 3; ++a) {
    Vec3<L> cube{zero, zero, zero};  // column a of F F^T F
    for (int b = 0; b < 3; ++b) cube = cube + dot(F.c[b], F.c[a]) * F.c[b];
    R.c[a] = inverse * ((i1 * i1 - i2) * F.c[a] + i1 * cof.c[a] - cube);
  }
  R = polished(F, R);
  // near a double root i1 and R are inaccurate: R is discarded if its determinant is not about 1
  const L handed = dot(R.c[0], cross(R.c[1], R.c[2]));
  const auto rotation = L(T(0.98)) < select(handed < L(T(1.02)), handed, zero);
  const Columns3<L> identity{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  return select<L>(rotation, R, identity);
}

/// Two rows, |F - R| and tr R^T F - 3, solved as one block:
///
///   C_1 = |F - R|,         dC_1/dF = (F - R)/|F - R|,   alpha_1 = 1/(2 mu V)
///   C_2 = tr(R^T F) - 3,   dC_2/dF = R,                 alpha_2 = 1/(lambda V)
///   E = V (mu |F - R|^2 + lambda/2 tr^2(R^T F - 1))
///
/// The change of R does not contribute to these derivatives. An inverted element has a nearest rotation too;
/// it is pulled back through the plane through which it was inverted.
struct CorotatedTet : TetStencil {
  static constexpr std::string_view name = "corotated_tet";
  static constexpr int rows = 2;
  static constexpr int softness_count = 2;

  template <class L>
  static LIMBER_INLINE Block<L, 4, 2> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1));
    const Columns3<L> F = deformation(p, rest), R = rotation_near(F);
    const Columns3<L> off{{F.c[0] - R.c[0], F.c[1] - R.c[1], F.c[2] - R.c[2]}};
    const L size = sqrt(dot(off, off));
    const L inverse = select(zero < size, one / select(zero < size, size, one), zero);
    Block<L, 4, 2> g;
    g.C[0] = size;
    g.C[1] = dot(R, F) - L(T(3));
    spread(inverse * off, rest, g.grad[0]);
    spread(R, rest, g.grad[1]);
    return g;
  }

  /// E, grad E, and as hess E the Hessian at constant R, which is positive definite, and exact if F is a
  /// rotation and nu = 0 (energy.hpp).
  template <EnergyParts parts = EnergyParts::with_hessian, class L>
  static void whole_energy(const Vec3<L> (&p)[4], const L (&rest)[10], const L (&softness)[2], L& E,
                           Vec3<L> (&gradient)[4], L (&H)[12][12]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    const L twice_mu = one / softness[0], lambda = one / softness[1];  // times V
    const Columns3<L> F = deformation(p, rest), R = rotation_near(F);
    const Columns3<L> off{{F.c[0] - R.c[0], F.c[1] - R.c[1], F.c[2] - R.c[2]}};
    const L trace = dot(R, F) - L(T(3));
    E = half * (twice_mu * dot(off, off) + lambda * trace * trace);
    Vec3<L> of_off[4], of_R[4];
    spread(off, rest, of_off), spread(R, rest, of_R);
    for (int i = 0; i < 4; ++i) gradient[i] = twice_mu * of_off[i] + (lambda * trace) * of_R[i];
    if constexpr (parts == EnergyParts::without_hessian) return;
    const L S[3][3] = {{twice_mu, zero, zero}, {zero, twice_mu, zero}, {zero, zero, twice_mu}};
    add_isotropic(rest, S, H);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k) {
        const L a[3] = {of_R[i].x, of_R[i].y, of_R[i].z}, b[3] = {of_R[k].x, of_R[k].y, of_R[k].z};
        for (int c = 0; c < 3; ++c)
          for (int d = 0; d < 3; ++d)
            H[3 * i + c][3 * k + d] = H[3 * i + c][3 * k + d] + lambda * (a[c] * b[d]);
      }
  }

  /// Projective Dynamics: q has the columns of F; the nearest z is the nearest rotation. Only the mu term.
  static constexpr int projected_rows = 3;
  template <class L>
  static void difference(const L (&rest)[10], L (&a)[3][4]) {
    L b[4][3];
    TetStencil::rows(rest, b);
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < 4; ++j) a[r][j] = b[j][r];
  }
  template <class L>
  static LIMBER_INLINE void nearest(Vec3<L> (&q)[3], const L (&)[10]) {
    const Columns3<L> R = rotation_near(Columns3<L>{{q[0], q[1], q[2]}});
    for (int k = 0; k < 3; ++k) q[k] = R.c[k];
  }

  /// `scale`: 1/V.
  template <class Material>
  static std::array<double, 2> softness(const Material& m, double scale) {
    const Lame k = lame(m.youngs_modulus, m.poisson_ratio);
    return {0.5 * scale / k.mu, scale / std::max(k.lambda, 1e-6 * k.mu)};
  }
  static std::array<double, 2> stiffnesses(double k) { return {k, 0.0}; }
};

}  // namespace limber
