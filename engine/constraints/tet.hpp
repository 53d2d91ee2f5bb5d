// Base of the constraints on a tetrahedron: its deformation gradient.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

/// Columns of a 3x3 matrix per lane.
template <class L>
struct Columns3 {
  Vec3<L> c[3];
};

template <class L>
LIMBER_INLINE Columns3<L> operator*(L s, const Columns3<L>& m) {
  return {{s * m.c[0], s * m.c[1], s * m.c[2]}};
}
template <class L>
LIMBER_INLINE L dot(const Columns3<L>& a, const Columns3<L>& b) {
  return dot(a.c[0], b.c[0]) + dot(a.c[1], b.c[1]) + dot(a.c[2], b.c[2]);
}
template <class L>
LIMBER_INLINE Columns3<L> select(typename L::Mask m, const Columns3<L>& a, const Columns3<L>& b) {
  Columns3<L> out;
  for (int k = 0; k < 3; ++k)
    out.c[k] = {select(m, a.c[k].x, b.c[k].x), select(m, a.c[k].y, b.c[k].y), select(m, a.c[k].z, b.c[k].z)};
  return out;
}

/// The deformation gradient F that all constraints on tetrahedra share:
///
///   F = D B,   D = (p1 - p0, p2 - p0, p3 - p0),   B = D_rest^-1, row by row in rest[0..8]
///   grad_i phi(F) = (dphi/dF) b_i,   b_1, b_2, b_3 the rows of B,   b_0 = -(b_1 + b_2 + b_3)
///
/// The geometric factor of compliances is 1/V. A type computes dphi/dF for each of its rows.
struct TetStencil {
  static constexpr int arity = 4;
  static constexpr int rest_count = 10;  ///< B in 1/m, row by row; the longest step of a point in m
  static constexpr bool unit_gradients = false;
  static constexpr TearTrait tearing = TearTrait::refused;
  static constexpr std::string_view cannot_tear = tets_cannot_tear;
  /// Longest step of a corner in one projection, as a share of the tetrahedron's smallest height. Over a
  /// longer step the gradient does not predict C, least of all in a nearly flat element.
  static constexpr double longest_step = 0.4;
  static constexpr int step_rest = 9;  ///< index of the longest step in `rest`
  /// Factor on the longest step of a stretched element. With steps of constant length the pull of an element
  /// would not grow with its stretch, and a corner of a thin element would oscillate with a growing amplitude
  /// (462 times the rest length was seen). The factor grows with the square of the stretch, so that the pull
  /// grows faster than the stretch.
  template <class L>
  static LIMBER_INLINE L step_growth(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const Columns3<L> F = deformation(p, rest);
    return max(L(T(1)), L(T(1.0 / 3.0)) * dot(F, F));
  }

  template <class L>
  static LIMBER_INLINE Columns3<L> deformation(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    const Vec3<L> a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
    return {{rest[0] * a + rest[3] * b + rest[6] * c, rest[1] * a + rest[4] * b + rest[7] * c,
             rest[2] * a + rest[5] * b + rest[8] * c}};
  }

  /// Gradients, with respect to the corners, of a function of F whose derivative is P.
  template <class L>
  static LIMBER_INLINE void spread(const Columns3<L>& P, const L (&rest)[10], Vec3<L> (&grad)[4]) {
    for (int i = 0; i < 3; ++i)
      grad[i + 1] = rest[3 * i] * P.c[0] + rest[3 * i + 1] * P.c[1] + rest[3 * i + 2] * P.c[2];
    grad[0] = -(grad[1] + grad[2] + grad[3]);
  }

  /// Like spread(), for a dphi/dF with only one non-zero column, f at column a, or two, f at a and h at b.
  template <class L>
  static LIMBER_INLINE void spread_along(const Vec3<L>& f, int a, const L (&rest)[10], Vec3<L> (&grad)[4]) {
    for (int i = 0; i < 3; ++i) grad[i + 1] = rest[3 * i + a] * f;
    grad[0] = -(grad[1] + grad[2] + grad[3]);
  }
  template <class L>
  static LIMBER_INLINE void spread_along(const Vec3<L>& f, int a, const Vec3<L>& h, int b,
                                         const L (&rest)[10], Vec3<L> (&grad)[4]) {
    for (int i = 0; i < 3; ++i) grad[i + 1] = rest[3 * i + a] * f + rest[3 * i + b] * h;
    grad[0] = -(grad[1] + grad[2] + grad[3]);
  }
  /// The axes of the shear rows yz, xz, xy.
  static constexpr int shear_axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};

  /// Derivative of det F with respect to F. For an element that is collapsed to a point or a line it
  /// vanishes; then the derivative at F + I/2 is used, whose direction leads back to the rest pose.
  template <class L>
  static LIMBER_INLINE Columns3<L> cofactors(const Columns3<L>& F) {
    using T = typename L::Real;
    const auto of = [](const Columns3<L>& M) {
      return Columns3<L>{{cross(M.c[1], M.c[2]), cross(M.c[2], M.c[0]), cross(M.c[0], M.c[1])}};
    };
    const Columns3<L> own = of(F);
    const auto thin = dot(own, own) < L(T(1e-6));
    if (bits(thin) == 0) return own;
    Columns3<L> aside = F;
    const L half(T(0.5));
    aside.c[0].x = aside.c[0].x + half;
    aside.c[1].y = aside.c[1].y + half;
    aside.c[2].z = aside.c[2].z + half;
    return select<L>(thin, of(aside), own);
  }

  /// Volume ratio V/V_0 below which turn_outward() acts by default.
  static constexpr double least_ratio = 0.1;
  /// For types whose energy is the same for an element and its mirror image: if det F < `ratio`, replaces row
  /// 0 by C = det F - 1 with the gradient of the volume, and the other rows by C = 0 with zero gradients.
  template <class L>
  static LIMBER_INLINE void turn_outward(const Columns3<L>& F, const L (&rest)[10], Block<L, 4, 6>& g,
                                         double ratio = least_ratio) {
    using T = typename L::Real;
    const L zero(T(0)), volume = dot(F.c[0], cross(F.c[1], F.c[2]));
    const auto flat = volume < L(T(ratio));
    if (bits(flat) == 0) return;
    Vec3<L> outward[4];
    spread(cofactors(F), rest, outward);
    for (int k = 0; k < 6; ++k) {
      g.C[k] = select(flat, k == 0 ? volume - L(T(1)) : zero, g.C[k]);
      for (int j = 0; j < 4; ++j) {
        const Vec3<L> to = k == 0 ? outward[j] : Vec3<L>{zero, zero, zero};
        Vec3<L>& own = g.grad[k][j];
        own = {select(flat, to.x, own.x), select(flat, to.y, own.y), select(flat, to.z, own.z)};
      }
    }
  }

  /// Rest values of a tetrahedron with the rest positions `x`. If it has no volume they are all zero, and the
  /// element exerts no force.
  static std::array<double, rest_count> rest_of(const std::array<glm::dvec3, 4>& x) {
    const glm::dmat3 D(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    if (!(std::abs(glm::determinant(D)) > 0.0)) return {};
    const glm::dmat3 B = glm::inverse(D);  // glm's B[column][row]
    std::array<double, rest_count> out{};
    double steepest = 0.0;  // 1/m, inverse of the smallest height
    glm::dvec3 first(0.0);
    for (int i = 0; i < 3; ++i) {
      const glm::dvec3 row(B[0][i], B[1][i], B[2][i]);
      for (int a = 0; a < 3; ++a) out[std::size_t(3 * i + a)] = row[a];
      first -= row;
      steepest = std::max(steepest, glm::length(row));
    }
    out[step_rest] = longest_step / std::max(steepest, glm::length(first));
    return out;
  }
  /// Signed volume, m^3.
  static double volume_of(const std::array<glm::dvec3, 4>& x) {
    return glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) / 6.0;
  }

  /// Adds to the Hessian H of the 4 points the contribution of a curvature d^2 phi/dF^2 that is a multiple of
  /// the identity in space: block (i, j) gets sum_ab (b_ia S_ab b_jb) 1, with S symmetric.
  template <class L>
  static void add_isotropic(const L (&rest)[10], const L (&S)[3][3], L (&H)[12][12]) {
    L b[4][3];
    rows(rest, b);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        L sum(typename L::Real(0));
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) sum = sum + b[i][a] * S[a][c] * b[j][c];
        for (int c = 0; c < 3; ++c) H[3 * i + c][3 * j + c] = H[3 * i + c][3 * j + c] + sum;
      }
  }
  /// Adds m d^2 det F/dx^2.
  template <class L>
  static void add_volume_curvature(const Columns3<L>& F, const L (&rest)[10], const L& m, L (&H)[12][12]) {
    L b[4][3];
    rows(rest, b);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        // sum over a, c of b_ia b_jc d^2 det/(df_a df_c): the matrix of the cross product with the third
        // column
        const Vec3<L> axis = (b[i][1] * b[j][2] - b[i][2] * b[j][1]) * F.c[0] +
                             (b[i][2] * b[j][0] - b[i][0] * b[j][2]) * F.c[1] +
                             (b[i][0] * b[j][1] - b[i][1] * b[j][0]) * F.c[2];
        const L x = m * axis.x, y = m * axis.y, z = m * axis.z;
        const auto add = [&](int c, int d, const L& v) {
          H[3 * i + c][3 * j + d] = H[3 * i + c][3 * j + d] + v;
        };
        add(0, 1, z), add(1, 0, -z), add(0, 2, -y), add(2, 0, y), add(1, 2, x), add(2, 1, -x);
      }
  }
  /// The vectors b_0 ... b_3 of the gradients (see above).
  template <class L>
  static void rows(const L (&rest)[10], L (&b)[4][3]) {
    for (int a = 0; a < 3; ++a) {
      for (int i = 0; i < 3; ++i) b[i + 1][a] = rest[3 * i + a];
      b[0][a] = -(rest[a] + rest[3 + a] + rest[6 + a]);
    }
  }

  /// Compliance matrix of an isotropic material for the rows xx, yy, zz and three shears, from three numbers:
  /// the diagonal and the off-diagonal entry of xx, yy, zz, and the diagonal entry of a shear.
  template <class L>
  static LIMBER_INLINE void isotropic_compliance(const L (&softness)[3], L (&A)[6][6]) {
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l <= k; ++l)
        A[k][l] =
            k < 3 ? (k == l ? softness[0] : softness[1]) : (k == l ? softness[2] : L(typename L::Real(0)));
  }

  template <class Material>
  static double stiffness(const Material& m) {
    return m.solid_stiffness;
  }
};

/// Lame's constants in Pa: shear modulus mu and lambda.
struct Lame {
  double mu, lambda;
};
inline Lame lame(double young, double poisson) {
  return {young / (2.0 * (1.0 + poisson)), young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))};
}

}  // namespace limber
