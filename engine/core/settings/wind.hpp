// Settings of moving air and of fields of force.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct Field;

/// The law by which air acts on a triangle (engine/parts/air/wind.hpp).
enum class AirLaw : int { plate, lift_drag };

enum class AirFieldType : int { uniform, gusts, vortex, fan, turbulence };

/// A field of air velocity. The velocities of all fields are added to that of WindSettings.
struct AirField {
  std::string name;
  AirFieldType type = AirFieldType::uniform;
  /// m/s: uniform, of the air; gusts, of the strongest gust (their mean is half of it)
  glm::dvec3 velocity{0.0};
  glm::dvec3 position{0.0, 1.0, 0.0};   ///< m: vortex, a point of its axis; fan, the middle of its mouth
  glm::dvec3 direction{0.0, 1.0, 0.0};  ///< vortex: axis; fan: direction of the jet
  double speed = 3.0;   ///< m/s: vortex, at its radius; fan, at its mouth; turbulence, root mean square
  double radius = 0.5;  ///< m: vortex, of its core; fan, of its mouth
  double cone_degrees = 12.0;  ///< fan: half the angle by which it widens
  double period = 2.0;         ///< s: gusts, turbulence: mean time of a swell
  double length = 1.0;         ///< m: turbulence, its largest eddies
  int seed = 1;                ///< gusts, turbulence
};
std::span<const Field> air_field_fields();
/// Whether the setting `field` of air_field_fields() acts for the type of `air`.
bool applies(const AirField& air, const Field& field);

enum class ForceFieldType : int { uniform, point, vortex, box };
enum class ForceFieldUnit : int { acceleration, force };

/// A field that acts on all matter: on particles of every kind and on bodies.
struct ForceField {
  std::string name;
  ForceFieldType type = ForceFieldType::uniform;
  ForceFieldUnit as = ForceFieldUnit::acceleration;
  double strength = 5.0;                ///< m/s^2, or N on each particle and body
  glm::dvec3 position{0.0, 1.0, 0.0};   ///< m: all types except uniform
  glm::dvec3 direction{0.0, 1.0, 0.0};  ///< uniform, box: of the force; vortex: axis
  double radius = 1.0;                  ///< m: point, vortex: distance at which the force has faded to zero
  glm::dvec3 half_extents{0.5};         ///< m: box
};
std::span<const Field> force_field_fields();
bool applies(const ForceField& force, const Field& field);

/// Moving air around surfaces, rods and bodies.
struct WindSettings {
  bool enabled = false;
  AirLaw law = AirLaw::plate;
  glm::dvec3 velocity{0.0};     ///< m/s, the same everywhere
  double gust_amplitude = 0.0;  ///< a in velocity * (1 + a sin(2 pi t / gust_period))
  double gust_period = 2.0;     ///< s
  double air_density = 1.225;   ///< kg/m^3
  double drag = 1.0;            ///< law lift_drag: C_D; law plate: C_n, normal force coefficient
  double lift = 0.8;            ///< law lift_drag: C_L
  double skin_drag = 0.02;      ///< law plate: C_t, tangential force coefficient
  double rod_drag = 1.2;        ///< C_D of a round rod across the wind
  std::vector<AirField> fields;
  std::vector<ForceField> forces;  ///< fields of force; they act without air too
  std::vector<double> gas;  ///< kg/m^3, per object of the world: density of the gas in a closed skin under
                            ///< pressure; below 0: that of the air
};
std::span<const Field> wind_fields();

}  // namespace limber
