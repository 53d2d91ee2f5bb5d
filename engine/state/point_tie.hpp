// Ties: connections of two points, each of a deformable, a body or a collider.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <tuple>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A point of a deformable, sum w_i p_i of up to four particles (a vertex, a point on an edge, in a triangle
/// or in a tetrahedron), or a point of a rigid body or a collider, given in its frame.
struct TieEnd {
  std::array<std::int32_t, 4> points{};  ///< unused points have the weight 0
  std::array<real, 4> weight{};
  std::int32_t body = -1, collider = -1;  ///< at most one is set; the end is then its point `own`
  vec3 own{0};                            ///< m, in the frame of the body or collider

  static constexpr auto all_members =
      std::tuple(&TieEnd::points, &TieEnd::weight, &TieEnd::body, &TieEnd::collider, &TieEnd::own);

  bool is_of_particles() const { return body < 0 && collider < 0; }
};

struct PointTie {
  TieEnd a, b;
  std::int32_t source = 0;  ///< index in the scene's `ties`; one of them can make many of these
  bool broken = false;
  vec3 force{0};  ///< N, on a, mean of the last frame
  /// m, how far its ends may be apart at this substep's end, because they started apart; -1: not yet known
  real slack = -1;

  static constexpr auto all_members = std::tuple(&PointTie::a, &PointTie::b, &PointTie::source,
                                                 &PointTie::broken, &PointTie::force, &PointTie::slack);
};

/// Parameters of the ties of one name.
struct TieMaterial {
  real compliance = 0;                                       ///< m/N
  real break_force = std::numeric_limits<real>::infinity();  ///< N

  static constexpr auto all_members = std::tuple(&TieMaterial::compliance, &TieMaterial::break_force);
};

}}  // namespace limber::LIMBER_PRECISION
