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

/// The axes of a frame in the world: the columns of its rotation matrix.
template <class L>
LIMBER_INLINE void axes_of(const Quaternion<L>& q, Vec3<L> (&axis)[3]) {
  using T = typename L::Real;
  const L one(T(1));
  const Vec3<L> d = q.v + q.v;
  const L xx = q.v.x * d.x, yy = q.v.y * d.y, zz = q.v.z * d.z;
  const L xy = q.v.x * d.y, xz = q.v.x * d.z, yz = q.v.y * d.z;
  const L wx = q.w * d.x, wy = q.w * d.y, wz = q.w * d.z;
  axis[0] = {one - yy - zz, xy + wz, xz - wy};
  axis[1] = {xy - wz, one - xx - zz, yz + wx};
  axis[2] = {xz + wy, yz - wx, one - xx - yy};
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

}  // namespace limber
