// Rods: the points and turns of their segments, and the turns that clamp their ends.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec4.hpp>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A segment of a rod from points[0] to points[1], with the turn whose third axis points along it.
struct RodSegment {
  std::array<std::int32_t, 2> points;  ///< internal particle indices
  std::int32_t turn;                   ///< number of the turn; its row is RodMatter::first_row + turn
  real length;                         ///< m, at rest
  real mass;                           ///< kg; each of its points has half of it

  static constexpr auto all_members =
      std::tuple(&RodSegment::points, &RodSegment::turn, &RodSegment::length, &RodSegment::mass);
};

/// The consecutive segments of one rod.
struct RodRun {
  std::int32_t first, count;  ///< range of segments
  std::int32_t object;
  bool closed;  ///< the last segment ends where the first begins

  std::int32_t end() const { return first + count; }
  static constexpr auto all_members =
      std::tuple(&RodRun::first, &RodRun::count, &RodRun::object, &RodRun::closed);
};

/// A turn of inverse inertia zero that clamps the end of a rod.
struct RodHold {
  std::int32_t turn;
  glm::dvec4 rest;             ///< unit quaternion at the start, in the frame of its carrier
  double spin;                 ///< rad/s, about its own third axis
  std::int32_t collider = -1;  ///< carrier of the turn and of the point at this end; -1: none
  std::int32_t body = -1;

  static constexpr auto all_members =
      std::tuple(&RodHold::turn, &RodHold::rest, &RodHold::spin, &RodHold::collider, &RodHold::body);
};

struct RodMatter {
  std::vector<RodSegment> segments;
  std::vector<RodRun> runs;
  std::vector<RodHold> holds;
  std::vector<Index> home;     ///< per turn: the point of its segment in whose patch it is scheduled
  std::int32_t first_row = 0;  ///< row of the first turn in the arrays of particles

  bool empty() const { return segments.empty(); }
  std::int32_t turns() const { return std::int32_t(home.size()); }

  using Self = RodMatter;
  static constexpr auto all_members =
      std::tuple(&Self::segments, &Self::runs, &Self::holds, &Self::home, &Self::first_row);
};

}}  // namespace limber::LIMBER_PRECISION
