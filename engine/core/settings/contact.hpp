// Settings of contacts that do not belong to a material.
#pragma once

namespace limber {

/// Friction of colliders. Positional: inside the iterations, limited by the depth just removed (Macklin et
/// al. 2014, eq. 24). Velocity filter: once after the iterations, line (16) of Mueller et al. 2006.
enum class FrictionModel : int { positional, velocity_filter };

struct ContactSettings {
  bool cloth_collision = false;  ///< cloth, skins of tetrahedra and rods touch themselves and each other
  /// m/s, at which cloth that crosses other cloth at the start is drawn back; 0: never
  double untangle_speed = 0.5;
  FrictionModel friction_model = FrictionModel::positional;
  double contact_margin = 0.0;  ///< m, extra distance within which contacts with colliders are made
  /// m/s, largest speed at which particles that start inside a collider come out
  double depenetration_speed = 1.0;
  double particle_radius = 0.02;  ///< m, of all grains and of all particles of solids
};

}  // namespace limber
