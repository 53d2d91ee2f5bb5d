// Forces of the air, for reports.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <tuple>

#include "engine/core/members.hpp"

namespace limber {

/// Force of the air on everything in the last substep of a frame. It is a result only: no step reads it.
struct AirLoad {
  glm::dvec3 force{0.0};  ///< N
  double drag = 0.0;  ///< N, sum over plates, segments and bodies of the forces along their own relative wind
  glm::dvec3 lift{0.0};  ///< N, sum of the forces perpendicular to their relative wind

  void add(const AirLoad& other) {
    force += other.force;
    drag += other.drag;
    lift += other.lift;
  }
  /// Adds the force `on` (N) on an element that moves at u (m/s) relative to the air.
  void add(const glm::dvec3& on, const glm::dvec3& u) {
    force += on;
    const double squared = u.x * u.x + u.y * u.y + u.z * u.z;
    if (!(squared > 0.0)) return;
    const double along = (on.x * u.x + on.y * u.y + on.z * u.z) / squared;
    drag -= along * std::sqrt(squared);
    lift += on - along * u;
  }
  static constexpr auto all_members = std::tuple(&AirLoad::force, &AirLoad::drag, &AirLoad::lift);
};

}  // namespace limber
