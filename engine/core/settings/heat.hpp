// Settings of heat: what exchanges it, and how fast.
#pragma once

#include <span>
#include <vector>

namespace limber {

struct Field;

/// Colder than anything can be, degrees C: a collider at this temperature exchanges no heat.
inline constexpr double no_temperature = -300.0;

/// Conduction, exchange and melting. Temperatures are in degrees C.
struct HeatSettings {
  bool enabled = false;
  double speed = 1.0;             ///< multiplies all rates
  double ambient = 20.0;          ///< of the air; warmer fluid than that is lighter
  double exchange = 10.0;         ///< W/(m^2 K), with the air
  double contact = 1000.0;        ///< W/(m^2 K), between things that touch
  std::vector<double> starts;     ///< per object of the world: where it begins
  std::vector<double> colliders;  ///< per collider of the scene; no_temperature: none
};
std::span<const Field> heat_fields();

}  // namespace limber
