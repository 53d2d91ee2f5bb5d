// Settings of heat: what exchanges it, and how fast.
#pragma once

#include <span>
#include <vector>

namespace limber {

struct Field;

/// Colder than anything can be, degrees C: a collider at this temperature exchanges no heat.
inline constexpr double no_temperature = -300.0;

/// A rigid body as far as heat goes: one temperature, and no melting.
struct BodyHeat {
  double start = no_temperature;  ///< degrees C; no_temperature: it exchanges no heat
  double conductivity = 0.5;      ///< W/(m K)
  double capacity = 2000.0;       ///< J/(kg K)
};

/// Conduction, exchange and melting. Temperatures are in degrees C.
struct HeatSettings {
  bool enabled = false;
  double speed = 1.0;             ///< multiplies all rates
  double ambient = 20.0;          ///< of the air; warmer fluid than that is lighter
  double exchange = 10.0;         ///< W/(m^2 K), with the air
  double contact = 1000.0;        ///< W/(m^2 K), between things that touch
  std::vector<double> starts;     ///< per object of the world: where it begins
  std::vector<double> colliders;  ///< per collider of the scene; no_temperature: none
  std::vector<BodyHeat> bodies;   ///< per body of the scene's list
};
std::span<const Field> heat_fields();

}  // namespace limber
