// The friction cone, |v| <= most, over lanes; law.hpp has the version for contacts that are solved one by
// one.
#pragma once

#include "engine/simd/points.hpp"

namespace limber {

/// Factor that shortens a vector of `length` to at most `most`; 1 if it is shorter.
template <class L>
LIMBER_INLINE L share_within(L length, L most) {
  const L zero(typename L::Real(0)), one(typename L::Real(1));
  return select(most < length, most / select(zero < length, length, one), one);
}

/// The number nearest to v that is at most `most` in magnitude.
template <class L>
LIMBER_INLINE L within_bound(L v, L most) {
  return max(min(v, most), -most);
}

/// The vector nearest to v that is at most `most` long.
template <class L>
LIMBER_INLINE Vec3<L> within_cone(const Vec3<L>& v, L most) {
  return share_within(sqrt(dot(v, v)), most) * v;
}

}  // namespace limber
