#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "engine/geometry/joint_type.hpp"

namespace limber {

/// A joint as a picture shows it: its point on either side, and the axis it turns about or slides along.
struct JointMark {
  JointType type = JointType::ball;
  std::int32_t source = 0;     ///< in the scene's list
  glm::vec3 a{0.0f}, b{0.0f};  ///< m
  glm::vec3 axis{0.0f};        ///< unit
  bool broken = false;
};

}  // namespace limber
