// Bending that is quadratic in the positions (Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <string_view>

#include "engine/constraints/length.hpp"
#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

/// Cloth deforms almost isometrically, and then the integrated mean curvature of a hinge is linear in x:
///
///   v = sum_j K_j x_j,   K = (c03 + c04, c01 + c02, -c01 - c03, -c02 - c04)   from the rest shape
///   E = 1/2 . 3/(A0+A1) . |v|^2  =  1/2 sum_ij Q_ij x_i . x_j,   Q = 3/(A0+A1) K K^T
///
///              x2         c01, c02: cotangents at x0 against the edges to x2, x3
///             /  |        c03, c04: cotangents at x1 against the edges to x2, x3
///           x0 --x1       A0, A1:   areas of the two triangles
///             |  /
///              x3         the energy of a fold by t is 6 |e|^2/(A0+A1) sin^2(t/2)
///
/// C = E would have a double root, so that a projection only halves the fold. The constraint whose XPBD
/// energy C^2/(2 alpha) equals E/alpha is
///
///   C = sqrt(2 E) - C0 = |u| - C0,  u = sum_j k_j x_j,  k = sqrt(3/(A0+A1)) K,  grad_j C = k_j u/|u|
///
/// with C0 = |u| at rest, 0 when flat. |grad_j C| = |k_j| in every pose. The builder scales alpha so that a
/// small fold has the same energy as in Bending. sum_j k_j = 0, so u needs only differences to x0.
struct IsometricBending {
  static constexpr std::string_view name = "isometric_bending";
  static constexpr int arity = 4;
  static constexpr TearTrait tearing = TearTrait::on_hinge;
  static constexpr int rest_count = 4;  ///< k1, k2, k3 in 1/m, C0
  static constexpr bool unit_gradients = false;

  template <class L>
  static LIMBER_INLINE Gradient<L, 4> evaluate(const Vec3<L> (&p)[4], const L (&rest)[4]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1));
    const Vec3<L> u = rest[0] * (p[1] - p[0]) + rest[1] * (p[2] - p[0]) + rest[2] * (p[3] - p[0]);
    const L length = sqrt(dot(u, u));
    // a flat hinge has no direction of correction: zero gradients
    const Vec3<L> n = select(zero < length, one / select(zero < length, length, one), zero) * u;
    const L k0 = -(rest[0] + rest[1] + rest[2]);
    return {length - rest[3], {k0 * n, rest[0] * n, rest[1] * n, rest[2] * n}};
  }

  template <class L>
  static void add_curvature(const Vec3<L> (&p)[4], const L (&rest)[4], const L (&m)[1], L (&H)[12][12]) {
    L k[1][4];
    difference(rest, k);
    add_length_curvature(k[0][1] * (p[1] - p[0]) + k[0][2] * (p[2] - p[0]) + k[0][3] * (p[3] - p[0]), k[0],
                         m[0], H);
  }
  /// Projective Dynamics: q = u, projected to the nearest vector of length C0.
  static constexpr int projected_rows = 1;
  template <class L>
  static void difference(const L (&rest)[4], L (&a)[1][4]) {
    a[0][0] = -(rest[0] + rest[1] + rest[2]);
    for (int j = 1; j < 4; ++j) a[0][j] = rest[j - 1];
  }
  template <class L>
  static LIMBER_INLINE void nearest(Vec3<L> (&q)[1], const L (&rest)[4]) {
    q[0] = at_length(q[0], rest[3]);
  }

  /// Rest values of a hinge with the rest positions `x`. If a triangle has no area they are all zero, and the
  /// constraint does nothing.
  static std::array<double, rest_count> rest_of(const std::array<glm::dvec3, 4>& x) {
    const auto area = [](const glm::dvec3& a, const glm::dvec3& b) {
      return 0.5 * glm::length(glm::cross(a, b));
    };
    const glm::dvec3 e = x[1] - x[0];
    const double a0 = area(e, x[2] - x[0]), a1 = area(e, x[3] - x[0]);
    if (!(std::min(a0, a1) > 0.0)) return {};
    const double c01 = glm::dot(e, x[2] - x[0]) / (2 * a0), c02 = glm::dot(e, x[3] - x[0]) / (2 * a1);
    const double c03 = glm::dot(-e, x[2] - x[1]) / (2 * a0), c04 = glm::dot(-e, x[3] - x[1]) / (2 * a1);
    const double scale = std::sqrt(3.0 / (a0 + a1));
    const double k1 = scale * (c01 + c02), k2 = -scale * (c01 + c03), k3 = -scale * (c02 + c04);
    const double c0 = glm::length(k1 * e + k2 * (x[2] - x[0]) + k3 * (x[3] - x[0]));
    return {k1, k2, k3, c0};
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
