// Elastic triangles: St. Venant-Kirchhoff and strain based sheets.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

/// Base of both types: the deformation gradient of a triangle, with one vector (fibre) f_a per axis.
///
///   f_a = B_1a (p1 - p0) + B_2a (p2 - p0),  a = warp, weft;   B = D_rest^-1 in the plane of the rest pose
///   grad_i phi = sum_a B_ia dphi/df_a,  grad_0 = -(grad_1 + grad_2)
///
/// A fibre of length zero has no direction. It gets the direction of the world's x (warp) or z (weft), so
/// that a sheet that was pulled together into a point opens.
struct TriangleStencil {
  static constexpr int arity = 3;
  static constexpr int rest_count = 5;  ///< B in 1/m, row by row; the longest step of a point in m
  static constexpr int rows = 3;        ///< warp, weft, shear
  static constexpr bool unit_gradients = false;
  static constexpr TearTrait tearing = TearTrait::on_triangle;
  /// Longest step of a corner, as a share of the smallest height
  static constexpr double longest_step = 0.4;
  static constexpr int step_rest = 4;

  template <class L>
  struct Fibres {
    Vec3<L> f[2];  ///< never zero
    L length2[2];  ///< squared lengths before zero vectors were replaced
  };
  template <class L>
  static LIMBER_INLINE Fibres<L> fibres(const Vec3<L> (&p)[3], const L (&rest)[5]) {
    using T = typename L::Real;
    const L zero(T(0)), little(T(1e-3));
    const Vec3<L> a = p[1] - p[0], b = p[2] - p[0];
    Fibres<L> out;
    for (int k = 0; k < 2; ++k) {
      Vec3<L>& f = out.f[k];
      f = rest[k] * a + rest[2 + k] * b;
      out.length2[k] = dot(f, f);
      const auto nil = out.length2[k] < L(T(1e-12));
      f = {select(nil, k == 0 ? little : zero, f.x), select(nil, zero, f.y),
           select(nil, k == 1 ? little : zero, f.z)};
    }
    return out;
  }
  template <class L>
  static LIMBER_INLINE void spread(const Vec3<L>& of_warp, const Vec3<L>& of_weft, const L (&rest)[5],
                                   Vec3<L> (&grad)[3]) {
    for (int i = 0; i < 2; ++i) grad[i + 1] = rest[2 * i] * of_warp + rest[2 * i + 1] * of_weft;
    grad[0] = -(grad[1] + grad[2]);
  }

  /// Rest values of a triangle with the rest positions `x`. The warp is the projection of `warp` onto the
  /// triangle's plane. If the triangle has no area they are all zero, and it exerts no force.
  static std::array<double, rest_count> rest_of(const std::array<glm::dvec3, 3>& x, const glm::dvec3& warp) {
    const glm::dvec3 a = x[1] - x[0], b = x[2] - x[0], normal = glm::cross(a, b);
    const double twice = glm::length(normal);
    if (!(twice > 0.0)) return {};
    const glm::dvec3 n = normal / twice;
    glm::dvec3 u = warp - glm::dot(warp, n) * n;
    if (!(glm::dot(u, u) > 1e-12 * glm::dot(warp, warp))) u = a;
    u = glm::normalize(u);
    const glm::dvec3 v = glm::cross(n, u);
    return rest_of({glm::dot(a, u), glm::dot(a, v)}, {glm::dot(b, u), glm::dot(b, v)});
  }
  /// Like rest_of() above, from the edges a and b in coordinates of the plane.
  static std::array<double, rest_count> rest_of(const std::array<double, 2>& a,
                                                const std::array<double, 2>& b) {
    const double det = a[0] * b[1] - a[1] * b[0];
    if (det == 0.0) return {};
    const double longest =
        std::sqrt(std::max({a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1],
                            (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])}));
    return {b[1] / det, -b[0] / det, -a[1] / det, a[0] / det, longest_step * std::abs(det) / longest};
  }

  template <class Material>
  static double stiffness(const Material& m) {
    return m.stretch_stiffness;
  }
};

/// St. Venant-Kirchhoff in the plane (worked case stvk_triangle of tests/vectors.json):
///
///   C = (E_11, E_22, E_12),  E_ab = (f_a . f_b - delta_ab)/2
///   E = V (lambda'/2 tr^2 E + mu E:E) = C^T (V K) C/2,  V = area x thickness
///   K = ((lambda' + 2 mu, lambda', 0), (lambda', lambda' + 2 mu, 0), (0, 0, 4 mu))
///   plane stress (sheets):                   lambda' = E nu/(1 - nu^2),
///                                            A = (1, -nu; (1 + nu)/2)/(E V)
///   plane strain (a slice of a thick body):  lambda' = E nu/((1 + nu)(1 - 2 nu)),
///                                            A = (1 - nu^2, -nu (1 + nu); (1 + nu)/2)/(E V)
///
/// At E = 1e5, nu = 0.3: mu = 38461.5, lambda' = 32967.0 and 57692.3.
struct StvkTriangle : TriangleStencil {
  static constexpr std::string_view name = "stvk_triangle";
  static constexpr int softness_count = 3;  ///< entries of A: diagonal and off-diagonal of warp, weft; shear

  template <class L>
  static LIMBER_INLINE Block<L, 3, 3> evaluate(const Vec3<L> (&p)[3], const L (&rest)[5]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    const Vec3<L> none{zero, zero, zero};
    const Fibres<L> of = fibres(p, rest);
    Block<L, 3, 3> g;
    g.C[0] = half * (of.length2[0] - one);
    g.C[1] = half * (of.length2[1] - one);
    g.C[2] = half * dot(of.f[0], of.f[1]);
    spread(of.f[0], none, rest, g.grad[0]);
    spread(none, of.f[1], rest, g.grad[1]);
    spread(half * of.f[1], half * of.f[0], rest, g.grad[2]);
    return g;
  }

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[3], L (&A)[3][3]) {
    const L zero(typename L::Real(0));
    A[0][0] = A[1][1] = softness[0], A[1][0] = softness[1];
    A[2][0] = A[2][1] = zero, A[2][2] = softness[2];
  }

  template <class L>
  static void add_curvature(const Vec3<L> (&)[3], const L (&rest)[5], const L (&m)[3], L (&H)[9][9]) {
    using T = typename L::Real;
    const L half(T(0.5));
    const L S[2][2] = {{m[0], half * m[2]}, {half * m[2], m[1]}};
    L b[3][2];
    for (int a = 0; a < 2; ++a) {
      b[1][a] = rest[a], b[2][a] = rest[2 + a];
      b[0][a] = -(rest[a] + rest[2 + a]);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        L sum(T(0));
        for (int a = 0; a < 2; ++a)
          for (int c = 0; c < 2; ++c) sum = sum + b[i][a] * S[a][c] * b[j][c];
        for (int c = 0; c < 3; ++c) H[3 * i + c][3 * j + c] = H[3 * i + c][3 * j + c] + sum;
      }
  }

  /// `scale`: 1/area.
  template <class Material>
  static std::array<double, 3> softness(const Material& m, double scale) {
    const double nu = m.poisson_ratio, per = scale / (m.youngs_modulus * m.membrane_thickness);
    if (m.plane == decltype(m.plane)::stress) return {per, -nu * per, 0.5 * (1.0 + nu) * per};
    return {(1.0 - nu * nu) * per, -nu * (1.0 + nu) * per, 0.5 * (1.0 + nu) * per};
  }
  static std::array<double, 3> stiffnesses(double k) { return {k, 0.0, 0.0}; }
};

/// Strain based triangle (Mueller, Chentanez, Kim, Macklin 2014): warp, weft and shear are independent rows
/// (worked case strain_based_triangle of tests/vectors.json).
///
///   C_a = |f_a| - 1,   C_12 = n_1 . n_2 with n_a = f_a/|f_a|
///   dC_a/df_a = n_a,   dC_12/df_a = (n_b - C_12 n_a)/|f_a|
///   alpha = c/area with c in m/N of warp, weft, shear: at a strain e a strip of width w has
///   the force w e/c
struct StrainTriangle : TriangleStencil {
  static constexpr std::string_view name = "strain_triangle";
  static constexpr int softness_count = 3;

  template <class L>
  static LIMBER_INLINE Block<L, 3, 3> evaluate(const Vec3<L> (&p)[3], const L (&rest)[5]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1));
    const Vec3<L> none{zero, zero, zero};
    const Fibres<L> of = fibres(p, rest);
    L inverse[2];
    Vec3<L> n[2];
    Block<L, 3, 3> g;
    for (int a = 0; a < 2; ++a) {
      inverse[a] = one / sqrt(dot(of.f[a], of.f[a]));
      n[a] = inverse[a] * of.f[a];
      g.C[a] = sqrt(of.length2[a]) - one;
    }
    const L cosine = dot(n[0], n[1]);
    g.C[2] = cosine;
    spread(n[0], none, rest, g.grad[0]);
    spread(none, n[1], rest, g.grad[1]);
    spread(inverse[0] * (n[1] - cosine * n[0]), inverse[1] * (n[0] - cosine * n[1]), rest, g.grad[2]);
    return g;
  }

  /// `scale`: 1/area.
  template <class Material>
  static std::array<double, 3> softness(const Material& m, double scale) {
    return {m.warp_compliance * scale, m.weft_compliance * scale, m.shear_compliance * scale};
  }
  static std::array<double, 3> stiffnesses(double k) { return {k, 0.0, 0.0}; }
};

}  // namespace limber
