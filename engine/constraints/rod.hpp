// Elastic rods: Cosserat's rod (Kugelstadt and Schoemer 2016) as constraints between points and turns, with
// compliances from the rod's elastic constants.
//
//   p0 --q0-- p1 --q1-- p2 ...   points, and on each segment a frame whose third axis e3 runs along it
#pragma once

#include <array>
#include <string_view>

#include "engine/constraints/stencil_traits.hpp"
#include "engine/constraints/tearing.hpp"

namespace limber {

inline constexpr std::string_view rods_cannot_tear =
    "a rod cannot be torn or cut along a mesh: only surfaces can";

/// Stretch and shear of a segment of length l and cross-section A:
///
///   C = R(q)^T (p1 - p0) - l e3,   energy 1/2 (k G A C1^2/l + k G A C2^2/l + E A C3^2/l)
///
/// k = 6 (1 + nu)/(7 + 6 nu), Timoshenko's coefficient of a round cross-section. With a_k the axes of the
/// frame and d = p1 - p0: grad_1 C_k = a_k, grad_0 C_k = -a_k, and a_k x d with respect to a rotation of the
/// frame.
///
/// A rope only pulls: C3 = (a_3.d - l)^+. If d has reversed against its frame, a_3.d < 0, C3 = (|d| - l)^+
/// pulls along d; a_3.d would make such a segment slack at any length.
struct RodStretch {
  static constexpr std::string_view name = "rod_stretch";
  static constexpr int arity = 3;
  static constexpr std::array nodes{Node::point, Node::point, Node::turn};
  static constexpr TearTrait tearing = TearTrait::refused;
  static constexpr std::string_view cannot_tear = rods_cannot_tear;
  static constexpr int rest_count = 2;  ///< l in m; 1 if the segment only pulls (a rope), otherwise 0
  static constexpr int rows = 3;
  static constexpr int softness_count = 2;  ///< l/(E A) and l/(k G A), m/N
  static constexpr bool unit_gradients = false;

  template <class L>
  static LIMBER_INLINE Block<L, 3, 3> evaluate(const Vec3<L> (&p)[3], const Quaternion<L> (&q)[3],
                                               const L (&rest)[2]) {
    const Vec3<L> d = p[1] - p[0];
    Vec3<L> axis[3];
    axes_of(q[2], axis);
    Block<L, 3, 3> g;
    for (int k = 0; k < 3; ++k) {
      g.C[k] = dot(axis[k], d);
      g.grad[k][0] = -axis[k], g.grad[k][1] = axis[k], g.grad[k][2] = cross(axis[k], d);
    }
    const L zero(typename L::Real(0)), one(typename L::Real(1));
    const L over = select(g.C[2] < zero, rest[1], zero), length = sqrt(dot(d, d));
    const Vec3<L> along = (over / select(zero < length, length, one)) * d;
    g.C[2] = (one - over) * g.C[2] + over * length - rest[0];
    g.grad[2][1] = (one - over) * g.grad[2][1] + along;
    g.grad[2][0] = -g.grad[2][1], g.grad[2][2] = (one - over) * g.grad[2][2];
    const L pulls = select(g.C[2] < zero, one - rest[1], one);
    g.C[2] = pulls * g.C[2];
    for (Vec3<L>& grad : g.grad[2]) grad = pulls * grad;
    return g;
  }

  /// Products with the gradients, from the components x = R^T d in the frame: the gradient of row k with
  /// respect to p1 is R u_k, with respect to a rotation R (u_k x x), with u = e1, e2 and, for C3, e3 or
  /// d/|d|, or 0 for a slack rope.
  template <class L>
  struct Form {
    L C[3];
    Vec3<L> axis[3], x, u;  ///< u: u_3 before `pulls`
    L keep, unit, pulls;    ///< 1 or 0: row 3 rotates the frame; |u|^2; row 3 acts

    LIMBER_INLINE Form(const LoadedNodes<L, 3>& at, const L (&rest)[2], const L (&)[2]) {
      const L zero(typename L::Real(0)), one(typename L::Real(1));
      const Vec3<L> d = at.p[1] - at.p[0];
      const Quaternion<L>& q = at.loose[2];
      axes_of(q, double_inverse_square(q) * q.v, axis);
      x = {dot(axis[0], d), dot(axis[1], d), dot(axis[2], d)};
      u = {zero, zero, one}, keep = unit = one;
      L length = x.z;
      const L over = select(x.z < zero, rest[1], zero);
      const auto reversed = zero < abs(over);
      if (bits(reversed) != 0) {
        const L far = sqrt(dot(d, d)), inverse = over / select(zero < far, far, one);
        keep = one - over;
        u = {select(reversed, inverse * x.x, zero), select(reversed, inverse * x.y, zero),
             select(reversed, keep + inverse * x.z, one)};
        unit = select(reversed, dot(u, u), one);
        length = select(reversed, keep * x.z + over * far, x.z);
      }
      C[0] = x.x, C[1] = x.y, C[2] = length - rest[0];
      pulls = select(C[2] < zero, one - rest[1], one);
      C[2] = pulls * C[2];
    }
    LIMBER_INLINE void add_masses(const Point<L> (&point)[3], L (&S)[3][3]) const {
      const L s = point[0].w + point[1].w, w = point[2].w;
      const L xx = w * x.x * x.x, yy = w * x.y * x.y, zz = w * x.z * x.z, kept = keep * w * x.z;
      S[0][0] = s + (yy + zz), S[1][0] = -(w * x.x * x.y), S[1][1] = s + (xx + zz);
      S[2][0] = pulls * (s * u.x - kept * x.x), S[2][1] = pulls * (s * u.y - kept * x.y);
      S[2][2] = pulls * pulls * (s * unit + keep * keep * (xx + yy));
    }
    LIMBER_INLINE void change(const Vec3<L> (&way)[3], L (&out)[3]) const {
      const Vec3<L> d = way[1] - way[0];
      const Vec3<L> p{dot(axis[0], d), dot(axis[1], d), dot(axis[2], d)},
          turn{dot(axis[0], way[2]), dot(axis[1], way[2]), dot(axis[2], way[2])}, c = cross(x, turn);
      out[0] = p.x + c.x, out[1] = p.y + c.y, out[2] = pulls * (dot(u, p) + keep * c.z);
    }
    LIMBER_INLINE void push(const L (&dlambda)[3], Vec3<L> (&out)[3]) const {
      const L last = pulls * dlambda[2];
      const auto rotate = [&](const Vec3<L>& v) { return v.x * axis[0] + v.y * axis[1] + v.z * axis[2]; };
      out[1] = rotate({dlambda[0] + last * u.x, dlambda[1] + last * u.y, last * u.z});
      out[0] = -out[1];
      out[2] = rotate(cross(Vec3<L>{dlambda[0], dlambda[1], keep * last}, x));
    }
  };

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[2], L (&A)[3][3]) {
    const L zero(typename L::Real(0));
    A[0][0] = A[1][1] = softness[1], A[2][2] = softness[0];
    A[1][0] = A[2][0] = A[2][1] = zero;
  }
  /// `scale`: l/A.
  template <class Material>
  static std::array<double, 2> softness(const Material& m, double scale) {
    const double nu = m.poisson_ratio, G = m.youngs_modulus / (2.0 * (1.0 + nu));
    const double coefficient = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
    return {scale / m.youngs_modulus, scale / (coefficient * G)};
  }
  static std::array<double, 2> stiffnesses(double k) { return {k, k}; }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.stretch_stiffness;
  }
};

/// Bending and twist between two frames that are l apart along the rod:
///
///   C = log(q0^-1 q1) - l Omega0,   energy 1/2 (E I1 C1^2 + E I2 C2^2 + G J C3^2)/l
///
/// The strain is the rotation vector r = log(q0^-1 q1). (Kugelstadt and Schoemer 2016 take 2 Im(q0^-1 q1),
/// whose length 2 sin(phi/2) is 4 % too short at 1 rad.) With J(r) as in rotation_vector(): grad_1 C_k = R0
/// J^T e_k, grad_0 C_k = -grad_1 C_k.
struct RodBend {
  static constexpr std::string_view name = "rod_bend";
  static constexpr int arity = 2;
  static constexpr std::array nodes{Node::turn, Node::turn};
  static constexpr TearTrait tearing = TearTrait::refused;
  static constexpr std::string_view cannot_tear = rods_cannot_tear;
  static constexpr int rest_count = 5;  ///< l Omega0 (rad), I1/I2, 2 I1/J
  static constexpr int rows = 3;
  static constexpr int softness_count = 2;  ///< l/(E I1), l/(2 G I1), 1/(N m)
  static constexpr bool unit_gradients = false;

  template <class L>
  static LIMBER_INLINE Block<L, 2, 3> evaluate(const Vec3<L> (&)[2], const Quaternion<L> (&q)[2],
                                               const L (&rest)[5]) {
    using T = typename L::Real;
    const L zero(T(0)), one(T(1)), half(T(0.5));
    L k;
    const Vec3<L> r = loose_rotation_vector(conjugate(q[0]) * q[1], k);
    const L diagonal = one - k * dot(r, r);
    Vec3<L> axis[3];
    axes_of(q[0], axis);
    Block<L, 2, 3> g;
    const L component[3] = {r.x, r.y, r.z};
    const Vec3<L> unit[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    for (int i = 0; i < 3; ++i) {  // J^T e_i = e_i + r x e_i / 2 + k (r r_i - |r|^2 e_i)
      const Vec3<L> own = diagonal * unit[i] + half * cross(r, unit[i]) + (k * component[i]) * r;
      g.C[i] = component[i] - rest[i];
      g.grad[i][1] = own.x * axis[0] + own.y * axis[1] + own.z * axis[2];
      g.grad[i][0] = -g.grad[i][1];
    }
    return g;
  }

  /// Products with the gradients, which are those of J J^T = 1 + b [r]^2 with b = 2 k - 1/4 - k^2 |r|^2.
  template <class L>
  struct Form {
    L C[3];
    Quaternion<L> from;  ///< of turn 0, of any length
    Vec3<L> r;
    L k, square;

    LIMBER_INLINE Form(const LoadedNodes<L, 2>& at, const L (&rest)[5], const L (&)[2]) : from(at.loose[0]) {
      r = loose_rotation_vector(conjugate(from) * at.loose[1], k), square = dot(r, r);
      C[0] = r.x - rest[0], C[1] = r.y - rest[1], C[2] = r.z - rest[2];
    }
    LIMBER_INLINE void add_masses(const Point<L> (&point)[2], L (&S)[3][3]) const {
      using T = typename L::Real;
      const L w = point[0].w + point[1].w, b = w * (k + k - L(T(0.25)) - k * k * square);
      const Vec3<L> s = b * r;
      S[0][0] = w - (s.y * r.y + s.z * r.z), S[1][1] = w - (s.x * r.x + s.z * r.z);
      S[2][2] = w - (s.x * r.x + s.y * r.y);
      S[1][0] = s.x * r.y, S[2][0] = s.x * r.z, S[2][1] = s.y * r.z;
    }
    /// J^T v for sign = 1, J v for sign = -1.
    LIMBER_INLINE Vec3<L> through(const Vec3<L>& v, typename L::Real sign) const {
      return (L(typename L::Real(1)) - k * square) * v + L(typename L::Real(0.5) * sign) * cross(r, v) +
             (k * dot(r, v)) * r;
    }
    LIMBER_INLINE void change(const Vec3<L> (&way)[2], L (&out)[3]) const {
      const Vec3<L> v = through(in_world(conjugate(from), way[1] - way[0]), -1);
      out[0] = v.x, out[1] = v.y, out[2] = v.z;
    }
    LIMBER_INLINE void push(const L (&dlambda)[3], Vec3<L> (&out)[2]) const {
      out[1] = in_world(from, through({dlambda[0], dlambda[1], dlambda[2]}, 1));
      out[0] = -out[1];
    }
  };

  template <class L>
  static LIMBER_INLINE void compliance_matrix(const L (&softness)[2], const L (&rest)[5], L (&A)[3][3]) {
    const L zero(typename L::Real(0));
    A[0][0] = softness[0], A[1][1] = rest[3] * softness[0], A[2][2] = rest[4] * softness[1];
    A[1][0] = A[2][0] = A[2][1] = zero;
  }
  /// `scale`: l/I1.
  template <class Material>
  static std::array<double, 2> softness(const Material& m, double scale) {
    return {scale / m.youngs_modulus, scale * (1.0 + m.poisson_ratio) / m.youngs_modulus};
  }
  static std::array<double, 2> stiffnesses(double k) { return {k, k}; }
  template <class Material>
  static double stiffness(const Material& m) {
    return m.bend_stiffness;
  }
};

}  // namespace limber
