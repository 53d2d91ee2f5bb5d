// Forces of the air, as reports have them.
#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <tuple>

#include "engine/core/members.hpp"

namespace limber {

/// The force of the air on everything in the last substep of a frame: no state, nothing is computed from it.
struct AirLoad {
  glm::dvec3 force{0.0};  ///< N
  double drag = 0.0;      ///< N, sum over plates, segments and bodies of the forces against their own wind
  glm::dvec3 lift{0.0};   ///< N, sum of the forces across it

  void add(const AirLoad& other) {
    force += other.force;
    drag += other.drag;
    lift += other.lift;
  }
  /// `on`: N, force of the air on an element that moves at u (m/s) against it.
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
