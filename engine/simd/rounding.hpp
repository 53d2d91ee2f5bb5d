// Energy that rounding adds to motion whose velocities are taken from positions.
#pragma once

#include <limits>

#include "engine/simd/lanes.hpp"

namespace limber {

/// sqrt(n / 12) for n = 192 corrections of a coordinate in a substep: constraints, and contact and friction
/// of a vertex on which bodies lie, swept eight times.
inline constexpr double rounding_walk = 4.0;
/// Below rounding_floor times that walk a fixed share of the velocity is taken off, 8 % in a substep. A fixed
/// amount would hold an object that a small force ought to move, as dry friction does.
inline constexpr double rounding_floor = 2.5;

/// The share of a squared velocity (or energy) that is kept, as a factor for the velocity: 1 - e / 2 (s + f^2
/// e) of the square s, for the amount e that rounding adds to it in a substep.
template <class L>
LIMBER_INLINE L kept_of_rounding(L squared, L added) {
  using T = typename L::Real;
  const L floor = squared + L(T(rounding_floor * rounding_floor)) * added;
  return L(T(1)) - L(T(0.5)) * added / max(floor, L(std::numeric_limits<T>::min()));
}

/// The displacement d (m) of a substep that ends at the coordinate x (m), without the energy that rounding
/// gave it.
///
/// Every correction rounds x by up to half the spacing u <= eps |x| of numbers there, at random: n of them
/// add n u^2 / 12 to d^2 in the mean, and v = d / h takes that for motion. It is a random walk that only
/// damping ends, so that cloth at rest would tremble (by 3 mm/s at 1.25 m from the origin with 20 substeps a
/// frame; more with h^-3/2). The same amount is taken off d^2: a point that moves by much more than the
/// spacing of numbers in a substep loses nothing that can be seen.
///
/// `relative`: rounding_walk times eps; 0 takes nothing off.
template <class L>
LIMBER_INLINE L without_rounding(L d, L x, typename L::Real relative) {
  const L error = L(relative) * x;
  return d * kept_of_rounding(d * d, error * error);
}

}  // namespace limber
