// Contact parameters of a pair of materials.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

/// Coulomb mu: the geometric mean, so that rubber slips on ice.
template <class T>
T mixed_friction(T a, T b) {
  return std::sqrt(a * b);
}

/// Restitution: the larger one.
template <class T>
T mixed_restitution(T a, T b) {
  return std::max(a, b);
}

/// Rolling resistance: the larger one.
template <class T>
T mixed_rolling(T a, T b) {
  return std::max(a, b);
}

}  // namespace limber
