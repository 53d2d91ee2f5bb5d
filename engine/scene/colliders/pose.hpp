// Pose of an object, body or collider of a scene.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

/// Position and rotation. A point is scaled first, then rotated, then translated.
struct Pose {
  glm::dvec3 position{0.0};          ///< m
  glm::dvec3 rotation_degrees{0.0};  ///< Euler angles, applied about x, then y, then z
};

}  // namespace limber
