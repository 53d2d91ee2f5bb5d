// A pair of surface features in contact, kept from frame to frame.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A vertex and a triangle, or two edges, and their multipliers.
struct SurfaceContact {
  std::array<std::int32_t, 4> vertices{};  ///< particles, in the order of SurfacePair
  std::int32_t edges = 0;                  ///< 1: two edges; 0: a vertex and a triangle
  vec3 kept{0};                  ///< kg m, multiplier, acting on the first feature; times 1/h^2 a force
  real before = 0;               ///< kg m, normal multiplier one substep earlier
  std::array<real, 2> anchor{};  ///< weights of the two points that friction keeps together

  static constexpr auto all_members =
      std::tuple(&SurfaceContact::vertices, &SurfaceContact::edges, &SurfaceContact::kept,
                 &SurfaceContact::before, &SurfaceContact::anchor);
};

}}  // namespace limber::LIMBER_PRECISION
