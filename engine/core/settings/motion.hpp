// Settings: gravity, damping and other effects on everything that moves, apart from constraints and contacts.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

/// Damping of line (6): rigid-mode preserving (Mueller et al. 2006, section 3.5) or plain v -= k v.
enum class DampingLaw : int { rigid_modes, plain };

struct MotionSettings {
  glm::dvec3 gravity{0.0, -9.81, 0.0};  ///< m/s^2
  DampingLaw damping_law = DampingLaw::plain;
  double damping = 0.1;      ///< 1/s, share of the damped velocity lost per second (damping_per_substep)
  bool keep_spin = true;     ///< gives free parts the momenta back that line (13) took from them
  double max_speed = 200.0;  ///< m/s, speed limit that keeps any input finite
};

}  // namespace limber
