// The share of a fluid particle's kernel support that walls fill, and its gradient.
#pragma once

#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The walls near one particle as independent half spaces: each fills a share of the part that the others
/// leave free.
struct FluidWall {
  vec3 push{0};   ///< 1/m, minus the gradient of the share that walls fill; points away from the walls
  real free = 1;  ///< share of the support that walls leave free
  real give = 0;  ///< 1/(kg m^2), response of the walls to the pressure of all particles on them

  /// Adds a wall that fills `share` of the support. `slope`: 1/m, decrease of the share along the unit
  /// normal.
  void add(real share, real slope, const vec3& normal) {
    push = (1 - share) * push + (free * slope) * normal;
    free *= 1 - share;
  }
};

/// Largest share of a single wall, so that `free` stays positive and further walls can be added.
inline constexpr real fullest_wall = real(0.99);

}}  // namespace limber::LIMBER_PRECISION
