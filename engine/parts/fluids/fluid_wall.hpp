// The share of a fluid particle's support that walls fill, and its gradient.
#pragma once

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Walls near one particle, taken as independent half spaces: what one fills, it fills of what others leave.
struct FluidWall {
  vec3 push{0};   ///< 1/m, minus the gradient of the share of the support that walls fill: away from them
  real free = 1;  ///< share of the support that they leave
  real give = 0;  ///< 1/(kg m^2), how far they give way to the pressure of all that press on them

  /// One more, which fills that share with that slope (1/m) along the unit normal.
  void add(real share, real slope, const vec3& normal) {
    push = (1 - share) * push + (free * slope) * normal;
    free *= 1 - share;
  }
};

/// A wall counts as no more than this, so that the others' part can be told from what is left.
inline constexpr real fullest_wall = real(0.99);

}}  // namespace limber::LIMBER_PRECISION
