// Contact parameters of a pair of materials.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

/// Coulomb mu: the geometric mean. Rubber on ice slips, whatever rubber does on rubber.
template <class T>
T mixed_friction(T a, T b) {
  return std::sqrt(a * b);
}

/// The livelier one decides how a pair bounces.
template <class T>
T mixed_restitution(T a, T b) {
  return std::max(a, b);
}

/// The rougher one decides how a pair rolls.
template <class T>
T mixed_rolling(T a, T b) {
  return std::max(a, b);
}

}  // namespace limber
