// The light of a stage: a sun, a dome of light around it, and what the ground gives back.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/view/stage.hpp"

namespace limber {

/// Light is linear RGB: what a white surface sends to the eye that gets nothing else.
struct StageLook {
  glm::vec3 sun_towards{-0.58f, 0.78f, 0.26f};
  float sun_radius = 0.035f;  ///< radians, of its disc
  glm::vec3 sun{1.0f};        ///< of a surface that faces the sun

  /// The dome shines evenly around: between `horizon` and `zenith` by height, and with a soft lamp at
  /// `lamp_towards` besides.
  glm::vec3 horizon{0.5f}, zenith{0.5f};
  glm::vec3 lamp_towards{0.7f, 0.4f, 0.6f}, lamp{0.0f};
  glm::vec3 bounce{0.2f};  ///< from the ground in full light

  enum class Ground : int { plain, checker, grid, wood, white };
  Ground pattern = Ground::plain;
  glm::vec3 ground{0.3f};       ///< share of the light that the ground gives back
  glm::vec3 ground_mark{0.3f};  ///< of the other squares, the lines, the seams
  float haze = 1.0f;            ///< how soon the ground fades: 2 in half the way of 1

  glm::vec3 far{0.5f};    ///< of the backdrop at the horizon, where the ground ends
  glm::vec3 above{0.5f};  ///< and far above
  float corner = 0.0f;    ///< share of the backdrop's and the ground's light missing in a corner
  float exposure = 0.68f;
  float white = 0.0f;  ///< light that the screen shows as white; 0: whatever the film curve makes of it
};

const StageLook& look_of(Stage stage);

/// From a direction (unit) of the dome; below the horizon from the ground.
glm::vec3 light_from(const StageLook& look, const glm::vec3& direction);

/// Light on surfaces by their normal n, to second order (R. Ramamoorthi and P. Hanrahan, "An Efficient
/// Representation for Irradiance Environment Maps", 2001): the factors of 1, y, z, x, xy, yz, 3zz - 1, xz and
/// xx - yy.
std::array<glm::vec3, 9> light_by_normal(const StageLook& look);

}  // namespace limber
