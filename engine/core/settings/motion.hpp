// Settings: what acts on everything that moves, apart from constraints and contacts.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

/// Damping of line (6): rigid-mode preserving (Mueller et al. 2006, section 3.5) or plain v -= k v.
enum class DampingLaw : int { rigid_modes, plain };

struct MotionSettings {
  glm::dvec3 gravity{0.0, -9.81, 0.0};  ///< m/s^2
  DampingLaw damping_law = DampingLaw::plain;
  double damping = 0.1;      ///< 1/s as a rate: fraction lost per second, see damping_per_substep
  bool keep_spin = true;     ///< what line (13) takes from the momenta of free parts is given back
  double max_speed = 200.0;  ///< m/s, a bound that keeps any input finite
};

}  // namespace limber
