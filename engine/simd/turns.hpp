// Orientations in lanes: unit quaternions {x, y, z, w}, which turn a frame's own axes into the world.
#pragma once

#include "engine/simd/atan2.hpp"
#include "engine/simd/points.hpp"

namespace limber {

template <class L>
struct Quaternion {
  Vec3<L> v;
  L w;
};

/// First b, then a.
template <class L>
LIMBER_INLINE Quaternion<L> operator*(const Quaternion<L>& a, const Quaternion<L>& b) {
  return {a.w * b.v + b.w * a.v + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}
template <class L>
LIMBER_INLINE Quaternion<L> conjugate(const Quaternion<L>& q) {
  return {-q.v, q.w};
}

/// `q` turned by the rotation vector r in the world, by Cayley's map: about r by 2 atan(|r|/2), which is |r|
/// less |r|^3/12. It needs no angle, and r is the short turn that a substep's corrections add up to.
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

/// The rotation vector of a unit quaternion (its logarithm), the shorter way round, and the number k with
/// which its derivative is J = 1 - [r]x/2 + k [r]x^2 for turns in the frame that q turns into:
/// k = (1 - (|r|/2) cot(|r|/2)) / |r|^2, 1/12 where r is short.
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
