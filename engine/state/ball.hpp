// A ball that somebody threw. Precision-neutral.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>

namespace limber {

/// kg/m^3: foam dents a sheet, stone scatters boxes.
inline constexpr double ball_of_foam = 120.0, ball_of_stone = 2500.0;

/// A sphere that flies, bounces off the scene's colliders and is slowed by what it hits (see
/// collision/balls.hpp).
struct Ball {
  glm::dvec3 position{0.0};       ///< m
  glm::dvec3 velocity{0.0};       ///< m/s
  double radius = 0.1;            ///< m
  double density = ball_of_foam;  ///< kg/m^3
  glm::dvec3 spin{0.0};           ///< rad/s

  double mass() const { return density * 4.1887902047863909846 * radius * radius * radius; }
};

/// So many exist at a time; one more takes the place of the oldest.
inline constexpr std::size_t most_balls = 8;

}  // namespace limber
