// Settings of contacts that no material has.
#pragma once

namespace limber {

/// Friction of colliders. Positional: inside the iterations, limited by the depth just removed (Macklin et
/// al. 2014, eq. 24). Velocity filter: once after the iterations, line (16) of Mueller et al. 2006.
enum class FrictionModel : int { positional, velocity_filter };

struct ContactSettings {
  bool cloth_collision = false;  ///< cloth touches itself and other cloth
  double untangle_speed = 0.5;   ///< m/s, at which cloth that has crossed other cloth is let back; 0: never
  FrictionModel friction_model = FrictionModel::positional;
  double contact_margin = 0.0;       ///< m, how much farther than needed contacts with colliders are made
  double depenetration_speed = 1.0;  ///< m/s, at which particles that start inside a collider come out
  double particle_radius = 0.02;     ///< m, of every grain and particle of a solid
};

}  // namespace limber
