// How a stage is lit: a sun, a dome of light around it, and what the ground gives back.
#pragma once

#include <array>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

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

  glm::vec3 far{0.5f},
      above{0.5f};  ///< of the backdrop: at the horizon, where the ground ends, and far above
  float exposure = 0.68f;
};

const StageLook& default_look();

/// From a direction (unit) of the dome; below the horizon from the ground.
glm::vec3 light_from(const StageLook& look, const glm::vec3& direction);

/// Light on surfaces by their normal n, to second order (R. Ramamoorthi and P. Hanrahan, "An Efficient
/// Representation for Irradiance Environment Maps", 2001): the factors of 1, y, z, x, xy, yz, 3zz - 1, xz and
/// xx - yy.
std::array<glm::vec3, 9> light_by_normal(const StageLook& look);

}  // namespace limber
