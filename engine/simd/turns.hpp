// Orientations in lanes: unit quaternions {x, y, z, w}, which rotate a frame's own axes to the world.
#pragma once

#include "engine/simd/atan2.hpp"
#include "engine/simd/points.hpp"

namespace limber {

template <class L>
struct Quaternion {
  Vec3<L> v;
  L w;
};

/// The rotation b followed by a.
template <class L>
LIMBER_INLINE Quaternion<L> operator*(const Quaternion<L>& a, const Quaternion<L>& b) {
  return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}
template <class L>
LIMBER_INLINE Quaternion<L> conjugate(const Quaternion<L>& q) {
  return {-q.v, q.w};
}

/// `q` rotated about r, a vector in the world, by 2 atan(|r|/2) = |r| - |r|^3/12 + ... (Cayley's map),
/// without trigonometric functions. r must be short, such as the sum of a substep's corrections.
template <class L>
LIMBER_INLINE Quaternion<L> turned(const Quaternion<L>& q, const Vec3<L>& r) {
  using T = typename L::Real;
  const Vec3<L> half = L(T(0.5)) * r;
  const L inverse = L(T(1)) / sqrt(L(T(1)) + dot(half, half));
  return Quaternion<L>{inverse * half, inverse} * q;
}

/// The quaternion of turned(), times a positive number.
template <class L>
LIMBER_INLINE Quaternion<L> loosely_turned(const Quaternion<L>& q, const Vec3<L>& r) {
  using T = typename L::Real;
  return Quaternion<L>{L(T(0.5)) * r, L(T(1))} * q;
}

/// Square of the length of a quaternion.
template <class L>
LIMBER_INLINE L square_of(const Quaternion<L>& q) {
  return dot(q.v, q.v) + q.w * q.w;
}

/// 2/|q|^2; 0 for the quaternion 0 of a padding row.
template <class L>
LIMBER_INLINE L double_inverse_square(const Quaternion<L>& q) {
  const L zero(typename L::Real(0)), two(typename L::Real(2)), square = square_of(q);
  const auto some = zero < square;
  return select(some, two / select(some, square, two), zero);
}

/// v in the world, if v has components in the frame of a quaternion of any length.
template <class L>
LIMBER_INLINE Vec3<L> in_world(const Quaternion<L>& q, const Vec3<L>& v) {
  const Vec3<L> twice = double_inverse_square(q) * cross(q.v, v);
  return v + q.w * twice + cross(q.v, twice);
}

/// Columns of a rotation matrix from a quaternion q and the vector d = 2 q.v/|q|^2.
template <class L>
LIMBER_INLINE void axes_of(const Quaternion<L>& q, const Vec3<L>& d, Vec3<L> (&axis)[3]) {
  const L one(typename L::Real(1));
  const L xx = q.v.x * d.x, yy = q.v.y * d.y, zz = q.v.z * d.z;
  const L xy = q.v.x * d.y, xz = q.v.x * d.z, yz = q.v.y * d.z;
  const L wx = q.w * d.x, wy = q.w * d.y, wz = q.w * d.z;
  axis[0] = {one - yy - zz, xy + wz, xz - wy};
  axis[1] = {xy - wz, one - xx - zz, yz + wx};
  axis[2] = {xz + wy, yz - wx, one - xx - yy};
}

/// The axes of a frame in the world: the columns of its rotation matrix.
template <class L>
LIMBER_INLINE void axes_of(const Quaternion<L>& q, Vec3<L> (&axis)[3]) {
  axes_of(q, q.v + q.v, axis);
}

/// The rotation vector of a unit quaternion (its logarithm), of at most half a revolution. Its derivative
/// with respect to rotations in the rotated frame is J = 1 - [r]x/2 + k [r]x^2 with k = (1 - (|r|/2)
/// cot(|r|/2)) / |r|^2, or 1/12 for short r; `k` returns that number.
template <class L>
LIMBER_INLINE Vec3<L> rotation_vector(const Quaternion<L>& q, L& k) {
  using T = typename L::Real;
  const L zero(T(0)), one(T(1)), two(T(2));
  const auto far = q.w < zero;
  const L w = select(far, -q.w, q.w);
  const L square = dot(q.v, q.v), sine = sqrt(square);
  const auto turns = L(T(1e-30)) < square;
  const L half = atan2(sine, w);  // in [0, pi/2]
  const L stretch = select(turns, two * half / select(turns, sine, one), two);
  const L angle2 = L(T(4)) * half * half;
  const L series = L(T(1.0 / 12)) + angle2 * (L(T(1.0 / 720)) + angle2 * L(T(1.0 / 30240)));
  const auto wide = L(T(0.04)) < angle2;
  const L cotangent = w / select(wide, sine, one);
  k = select(wide, (one - half * cotangent) / select(wide, angle2, one), series);
  return select(far, -stretch, stretch) * q.v;
}

/// rotation_vector() of a quaternion of any length. Up to 0.39 rad, series take the place of roots and
/// trigonometric functions: with t = tan(|r|/2), r = 2 atan(t)/t v/w.
template <class L>
LIMBER_INLINE Vec3<L> loose_rotation_vector(const Quaternion<L>& q, L& k) {
  using T = typename L::Real;
  constexpr int terms = sizeof(T) == 4 ? 6 : 12;  // the first omitted one is below the rounding error
  const L zero(T(0)), one(T(1)), widest(T(0.04));
  const L inverse = one / q.w;  // infinite after half a revolution, which is not short
  const Vec3<L> tangent = inverse * q.v;
  const L z = dot(tangent, tangent);
  L series(T(2.0 / (2 * terms - 1)));
#pragma GCC unroll 12
  for (int n = terms - 2; n >= 0; --n) series = L(T(2.0 / (2 * n + 1))) - z * series;
  Vec3<L> out = series * tangent;
  const L angle2 = dot(out, out);
  k = L(T(1.0 / 12)) +
      angle2 * (L(T(1.0 / 720)) + angle2 * (L(T(1.0 / 30240)) +
                                            angle2 * (L(T(1.0 / 1209600)) + angle2 * L(T(1.0 / 47900160)))));
  const auto shorter = z < widest;
  if (all(shorter)) return out;
  const L square = square_of(q);
  const L unit = one / sqrt(select(zero < square, square, one));
  L far_k;
  const Vec3<L> far = rotation_vector(Quaternion<L>{unit * q.v, unit * q.w}, far_k);
  k = select(shorter, k, far_k);
  return {select(shorter, out.x, far.x), select(shorter, out.y, far.y), select(shorter, out.z, far.z)};
}

}  // namespace limber
