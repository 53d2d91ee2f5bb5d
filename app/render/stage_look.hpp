// Light of a stage: a sun, a dome of light around the scene, and light reflected by the ground.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/view/stage.hpp"

namespace limber {

/// Light is linear RGB, in units of the light reflected by a white surface.
struct StageLook {
  glm::vec3 sun_towards{-0.58f, 0.78f, 0.26f};
  float sun_radius = 0.035f;  ///< radians, of the sun's disc
  glm::vec3 sun{1.0f};        ///< light reflected by a white surface that faces the sun

  /// The dome is rotationally symmetric: it blends from `horizon` to `zenith` with height. A soft lamp is
  /// added in the direction `lamp_towards`.
  glm::vec3 horizon{0.5f}, zenith{0.5f};
  glm::vec3 lamp_towards{0.7f, 0.4f, 0.6f}, lamp{0.0f};
  glm::vec3 bounce{0.2f};  ///< reflected by the ground in full light

  enum class Ground : int { plain, checker, grid, wood, white };
  Ground pattern = Ground::plain;
  glm::vec3 ground{0.3f};       ///< albedo of the ground
  glm::vec3 ground_mark{0.3f};  ///< albedo of the other squares, the lines, the seams
  float haze = 1.0f;            ///< rate at which the ground fades: 2 fades in half the distance of 1

  glm::vec3 far{0.5f};    ///< backdrop at the horizon, where the ground ends
  glm::vec3 above{0.5f};  ///< backdrop far above the horizon
  float corner = 0.0f;    ///< share of the backdrop's and the ground's light missing in a corner
  float exposure = 0.68f;
  float white = 0.0f;  ///< light that is displayed as white; 0: as the film curve maps it
};

const StageLook& look_of(Stage stage);

/// Light from a direction (unit) of the dome; from below the horizon, light of the ground.
glm::vec3 light_from(const StageLook& look, const glm::vec3& direction);

/// Light on surfaces as a function of their normal n, to second order (R. Ramamoorthi and P. Hanrahan, "An
/// Efficient Representation for Irradiance Environment Maps", 2001): the coefficients of 1, y, z, x, xy, yz,
/// 3zz - 1, xz and xx - yy.
std::array<glm::vec3, 9> light_by_normal(const StageLook& look);

}  // namespace limber
