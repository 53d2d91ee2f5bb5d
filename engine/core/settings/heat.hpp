// Settings of heat: conduction, exchange and temperatures.
#pragma once

#include <span>
#include <vector>

namespace limber {

struct Field;

/// degrees C, below absolute zero: a collider or body with this "temperature" exchanges no heat.
inline constexpr double no_temperature = -300.0;

/// Thermal properties of a rigid body. It has one temperature and does not melt.
struct BodyHeat {
  double start = no_temperature;  ///< degrees C at the beginning; no_temperature: the body exchanges no heat
  double conductivity = 0.5;      ///< W/(m K)
  double capacity = 2000.0;       ///< J/(kg K)
};

/// Conduction, exchange and melting. Temperatures are in degrees C.
struct HeatSettings {
  bool enabled = false;
  double speed = 1.0;             ///< multiplies all rates
  double ambient = 20.0;          ///< degrees C, of the air; fluid that is warmer than this is lighter
  double exchange = 10.0;         ///< W/(m^2 K), with the air
  double contact = 1000.0;        ///< W/(m^2 K), between things that touch
  std::vector<double> starts;     ///< degrees C, per object of the world: temperature at the beginning
  std::vector<double> colliders;  ///< degrees C, per collider of the scene; no_temperature: exchanges no heat
  std::vector<BodyHeat> bodies;   ///< per body of the scene's list
};
std::span<const Field> heat_fields();

}  // namespace limber
