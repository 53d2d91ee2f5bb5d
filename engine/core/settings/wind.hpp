// Settings of moving air.
#pragma once

#include <glm/vec3.hpp>
#include <span>

namespace limber {

struct Field;

/// Moving air around every cloth: flat plates with lift and drag (engine/solver/wind.hpp).
struct WindSettings {
  bool enabled = false;
  glm::dvec3 velocity{0.0};     ///< m/s, everywhere the same
  double gust_amplitude = 0.0;  ///< share of the velocity: v (1 + a sin(2 pi t / period))
  double gust_period = 2.0;     ///< s
  double air_density = 1.225;   ///< kg/m^3
  double drag = 1.0;            ///< C_D of a flat plate across the wind
  double lift = 0.8;            ///< C_L
};
std::span<const Field> wind_fields();

}  // namespace limber
