// Bodies and links of jointed trees over lanes, and the arithmetic of conditions as numbers: a flag is 1
// where it holds and 0 elsewhere, so that lanes which have finished go along unchanged.
#pragma once

#include "engine/kernels/joint_tree.hpp"
#include "engine/simd/turns.hpp"

namespace limber { namespace detail {

inline constexpr int most_tree_rows = 6;

template <class L>
struct TreeBodyLanes {
  Vec3<L> shift, turn, pushed, turned, position, place;  ///< place: where shift leads
  Vec3<L> kept_shift, kept_turn, kept_pushed, kept_turned;
  Quaternion<L> start, middle, now;
  Vec3<L> principal;            ///< inverse, in the body's axes
  L w, xx, yy, zz, xy, xz, yz;  ///< inverse mass and inertia
  L turned_middle;              ///< 1: middle and inertia are others than the rows'

  LIMBER_INLINE Vec3<L> inverse(const Vec3<L>& t) const {
    return {xx * t.x + xy * t.y + xz * t.z, xy * t.x + yy * t.y + yz * t.z, xz * t.x + yz * t.y + zz * t.z};
  }
};

template <class L>
struct TreeLinkLanes {
  Vec3<L> r_a, r_b, axis[3];
  L low, high;
  L mode, spent;  ///< of the row with limits: -1 at the low one, 1 at the high one, 0 idle
};

static_assert(sizeof(TreeBodyLanes<Lanes<double, 1>>) == tree_body_numbers * sizeof(double));
static_assert(sizeof(TreeLinkLanes<Lanes<double, 1>>) == tree_link_numbers * sizeof(double));

template <class L>
LIMBER_INLINE L chosen(const L& flag, const L& yes, const L& no) {
  return select(L(0.5) < flag, yes, no);
}
template <class L>
LIMBER_INLINE Vec3<L> chosen(const L& flag, const Vec3<L>& yes, const Vec3<L>& no) {
  return {chosen(flag, yes.x, no.x), chosen(flag, yes.y, no.y), chosen(flag, yes.z, no.z)};
}
template <class L>
LIMBER_INLINE L less(const L& a, const L& b) {
  return select(a < b, L(1.0), L(0.0));
}
template <class L>
LIMBER_INLINE L clamped(const L& x, const L& low, const L& high) {
  return max(low, min(x, high));
}
template <class L>
LIMBER_INLINE bool any(const L& flag) {
  return bits(L(0.5) < flag) != 0;
}
template <class L>
LIMBER_INLINE L either(const L& a, const L& b) {
  return max(a, b);
}
template <class L>
LIMBER_INLINE L negated(const L& flag) {
  return L(1.0) - flag;
}

template <class L>
LIMBER_INLINE Vec3<L> by_quaternion(const Quaternion<L>& q, const Vec3<L>& x) {
  const Vec3<L> t = L(2.0) * cross(q.v, x);
  return x + q.w * t + cross(q.v, t);
}

/// turn_quaternion() (state/bodies.hpp) for turns up to 0.4 rad.
template <class L>
LIMBER_INLINE Quaternion<L> short_turn(const Vec3<L>& turn) {
  const L z = L(0.25) * dot(turn, turn);
  L sine(1.0), cosine(1.0);
  for (int k = 10; k >= 2; k -= 2) {
    sine = L(1.0) - L(1.0 / (k * (k + 1))) * z * sine;
    cosine = L(1.0) - L(1.0 / (k * (k - 1))) * z * cosine;
  }
  return {(L(0.5) * sine) * turn, cosine};
}

}}  // namespace limber::detail
