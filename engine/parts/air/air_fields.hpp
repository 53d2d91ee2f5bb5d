// Velocity of the air, and forces of fields, at a point.
#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "engine/core/real.hpp"

namespace limber {
// engine/core/settings/wind.hpp
struct WindSettings;
struct ForceField;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Waves of one field of turbulence: sum over j of a_j cos(k_j.x + w_j t + f_j). Each amplitude a_j is
/// perpendicular to its k_j, so the field has no divergence.
struct Eddies {
  static constexpr int waves = 12;
  struct Wave {
    glm::dvec3 along;    ///< unit vector, direction of the velocity, perpendicular to k
    glm::dvec3 number;   ///< k in periods per `length`
    double rate, phase;  ///< periods per `period`; share of a period
  };
  std::array<Wave, waves> wave;
};

class AirFields {
 public:
  void reserve(const WindSettings& wind);  ///< allocates; call between steps
  void refresh(const WindSettings& wind);  ///< after changes of settings; allocates nothing

  /// m/s, sum of all fields at x; `time` in s.
  glm::dvec3 velocity(const WindSettings& wind, const glm::dvec3& x, double time) const;

 private:
  std::vector<Eddies> eddies_;  ///< per field
  std::vector<int> seeds_;      ///< per field: the seed of its eddies
};

/// m/s, velocity of the wind including its gusts, which is the same everywhere.
glm::dvec3 steady_air(const WindSettings& wind, double time);

/// m/s, velocity of the air (wind and fields) at `places`. Allocates.
void read_air(const WindSettings& wind, double time, std::span<const glm::dvec3> places,
              std::span<glm::dvec3> out);

/// Strength of one field at x, in m/s^2 or N, depending on the field's settings.
glm::dvec3 strength_at(const ForceField& force, const glm::dvec3& x);

}}  // namespace limber::LIMBER_PRECISION
