// Elastic tetrahedra with the lengths of their six edges as rows.
#pragma once

#include "engine/constraints/length.hpp"
#include "engine/constraints/tet.hpp"

namespace limber {

///   C_e = |x_b - x_a|/L_e - 1,   grad_b C_e = n_e/L_e,   grad_a C_e = -n_e/L_e,
///   n_e = (x_b - x_a)/|x_b - x_a|
///
/// for the edges e = (a, b) of a tetrahedron, with the directions d_e at rest. For a small strain e, C_e =
/// d_e . e d_e, and the six C_e are another basis of the six strains. Independent springs (a diagonal
/// compliance matrix) have only one elastic constant, which depends on the mesh. A force along edge e is a
/// stress f d_e d_e^T/V; with the compliance of an isotropic material, (1 + nu)/E for shear and (1 - 2 nu)/(3
/// E) for uniform pressure, the matrix is
///
///   A_ef = ((1 + nu) ((d_e . d_f)^2 - 1/3) + (1 - 2 nu)/3)/(E V)
///
/// so that a mesh of any shape has E and nu. Lengths are the same for an element and its mirror image: below
/// a volume ratio of least_ratio the first row controls the volume instead, as in stvk_tet.hpp.
struct TetEdges {
  static constexpr std::string_view name = "tet_edges";
  static constexpr int arity = 4;
  static constexpr int rows = 6;
  static constexpr int softness_count = 2;  ///< (1 + nu)/(E V) and (1 - 2 nu)/(3 E V)
  static constexpr int rest_count = 10;  ///< the three edges at corner 0, m; the longest step of a point, m
  static constexpr bool unit_gradients = false;
  static constexpr TearTrait tearing = TearTrait::refused;
  static constexpr std::string_view cannot_tear = tets_cannot_tear;
  static constexpr int step_rest = TetStencil::step_rest;
  static constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

  template <class L>
  static LIMBER_INLINE Block<L, 4, 6> evaluate(const Vec3<L> (&p)[4], const L (&rest)[10]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), least(T(1e-12));
    Vec3<L> at_rest[6];
    edges_of(rest, at_rest);
    Block<L, 4, 6> g;
    for (int e = 0; e < 6; ++e) {
      for (int j = 0; j < 4; ++j) g.grad[e][j] = {zero, zero, zero};
      const int a = ends[e][0], b = ends[e][1];
      const Vec3<L> d = p[b] - p[a];
      const L length = sqrt(dot(d, d)), per = one / sqrt(max(dot(at_rest[e], at_rest[e]), least));
      g.C[e] = length * per - one;
      g.grad[e][b] = per * direction(d, length);
      g.grad[e][a] = -g.grad[e][b];
    }
    turn_outward(p, rest, g);
    return g;
  }

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[2], const L (&rest)[10], L (&A)[6][6]) {
    using T = typename L::Real;
    const L least(T(1e-12)), third(T(1.0 / 3.0));
    Vec3<L> d[6];
    edges_of(rest, d);
    L inverse[6];
    for (int e = 0; e < 6; ++e) inverse[e] = L(T(1)) / max(dot(d[e], d[e]), least);
    for (int e = 0; e < 6; ++e)
      for (int f = 0; f <= e; ++f) {
        const L along = dot(d[e], d[f]);
        A[e][f] = softness[0] * (along * along * inverse[e] * inverse[f] - third) + softness[1];
      }
  }

  /// The six edges at rest.
  template <class L>
  static LIMBER_INLINE void edges_of(const L (&rest)[10], Vec3<L> (&d)[6]) {
    for (int k = 0; k < 3; ++k) d[k] = {rest[3 * k], rest[3 * k + 1], rest[3 * k + 2]};
    d[3] = d[1] - d[0];
    d[4] = d[2] - d[0];
    d[5] = d[2] - d[1];
  }

  /// If V < least_ratio V_0, row 0 becomes V/V_0 - 1 and the other rows do nothing (C = 0, zero gradients).
  /// If the corners lie on a line, the gradient of the volume is taken with half of the rest edges added.
  template <class L>
  static LIMBER_INLINE void turn_outward(const Vec3<L> (&p)[4], const L (&rest)[10], Block<L, 4, 6>& g) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    Vec3<L> d[6];
    edges_of(rest, d);
    const L whole = dot(d[0], cross(d[1], d[2]));
    const L inverse = select(zero < abs(whole), one / select(zero < abs(whole), whole, one), zero);
    const Vec3<L> a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
    const L ratio = inverse * dot(a, cross(b, c));
    const auto flat = ratio < L(T(TetStencil::least_ratio));
    if (bits(flat) == 0) return;
    const L thin = select(area(a, b, c) < L(T(1e-6)) * area(d[0], d[1], d[2]), half, zero);
    const Vec3<L> u = a + thin * d[0], v = b + thin * d[1], w = c + thin * d[2];
    Vec3<L> outward[4] = {
        {zero, zero, zero}, inverse * cross(v, w), inverse * cross(w, u), inverse * cross(u, v)};
    outward[0] = -(outward[1] + outward[2] + outward[3]);
    for (int k = 0; k < 6; ++k) {
      g.C[k] = select(flat, k == 0 ? ratio - one : zero, g.C[k]);
      for (int j = 0; j < 4; ++j) {
        const Vec3<L> to = k == 0 ? outward[j] : Vec3<L>{zero, zero, zero};
        Vec3<L>& own = g.grad[k][j];
        own = {select(flat, to.x, own.x), select(flat, to.y, own.y), select(flat, to.z, own.z)};
      }
    }
  }
  /// Sum of the squared areas of the parallelograms of each two of the vectors, m^4.
  template <class L>
  static LIMBER_INLINE L area(const Vec3<L>& a, const Vec3<L>& b, const Vec3<L>& c) {
    const Vec3<L> ab = cross(a, b), bc = cross(b, c), ca = cross(c, a);
    return dot(ab, ab) + dot(bc, bc) + dot(ca, ca);
  }

  static std::array<double, rest_count> rest_of(const std::array<glm::dvec3, 4>& x) {
    std::array<double, rest_count> out{};
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a) out[std::size_t(3 * k + a)] = x[std::size_t(k + 1)][a] - x[0][a];
    out[step_rest] = TetStencil::rest_of(x)[TetStencil::step_rest];
    return out;
  }

  /// `scale`: 1/V.
  template <class Material>
  static std::array<double, 2> softness(const Material& m, double scale) {
    const double nu = m.poisson_ratio, per = scale / m.youngs_modulus;
    return {(1.0 + nu) * per, (1.0 - 2.0 * nu) / 3.0 * per};
  }
  static std::array<double, 2> stiffnesses(double k) { return {k, 0.0}; }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.solid_stiffness;
  }
};

}  // namespace limber
