#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "engine/geometry/joint_type.hpp"

namespace limber {

/// A joint for pictures: its point on either side, and the axis about which it rotates or along which it
/// slides.
struct JointMark {
  JointType type = JointType::ball;
  std::int32_t source = 0;     ///< in the scene's list
  glm::vec3 a{0.0f}, b{0.0f};  ///< m
  /// m, centres of mass of its bodies; of the world: its point there
  glm::vec3 center_a{0.0f}, center_b{0.0f};
  glm::vec3 axis{0.0f};  ///< unit
  bool broken = false;
};

}  // namespace limber
