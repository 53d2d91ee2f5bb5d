// Removes the kinetic energy that rounding adds when velocities are computed as differences of positions.
#pragma once

#include <limits>

#include "engine/simd/lanes.hpp"

namespace limber {

/// sqrt(n / 12) for n = 192 corrections of a coordinate in a substep: those of eight sweeps at a vertex with
/// constraints, contact and friction on which bodies lie.
inline constexpr double rounding_walk = 4.0;
/// A displacement shorter than rounding_floor times that walk loses a fixed share of its velocity, 8 % in a
/// substep. A fixed amount would act like dry friction and stop an object that a small force must move.
inline constexpr double rounding_floor = 2.5;

/// Factor for a velocity whose square is s, if rounding adds e to that square in a substep:
/// 1 - e / (2 (s + f^2 e)).
template <class L>
LIMBER_INLINE L kept_of_rounding(L squared, L added) {
  using T = typename L::Real;
  const L floor = squared + L(T(rounding_floor * rounding_floor)) * added;
  return L(T(1)) - L(T(0.5)) * added / max(floor, L(std::numeric_limits<T>::min()));
}

/// The displacement d (m) of a substep that ends at the coordinate x (m), without the energy that rounding
/// gave it.
///
/// Each correction rounds x at random by up to half the spacing u <= eps |x| of numbers near x. On average n
/// corrections add n u^2 / 12 to d^2, and v = d / h would count this as motion. This random walk would make
/// cloth at rest tremble until damping ends it (3 mm/s at 1.25 m from the origin with 20 substeps a frame;
/// the speed grows with h^-3/2). The mean amount is therefore taken off d^2. A point that moves by much more
/// than the spacing of numbers in a substep loses nothing that can be seen.
///
/// `relative`: rounding_walk times eps; 0 takes nothing off.
template <class L>
LIMBER_INLINE L without_rounding(L d, L x, typename L::Real relative) {
  const L error = L(relative) * x;
  return d * kept_of_rounding(d * d, error * error);
}

}  // namespace limber
