// Where a thing of a scene stands.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

/// Where a thing stands: scale, then rotation, then translation.
struct Pose {
  glm::dvec3 position{0.0};          ///< m
  glm::dvec3 rotation_degrees{0.0};  ///< Euler angles, applied about x, then y, then z
};

}  // namespace limber
