#pragma once

namespace limber {

/// Types of joints and the motion that they leave free. ball: all rotations; hinge: rotation about the axis;
/// slider: translation along it; fixed: none; distance: all except the distance between two points;
/// universal: rotations about two axes, one fixed in each body.
enum class JointType : int { ball, hinge, slider, fixed, distance, universal };

/// Whether a joint of this type keeps its two points together.
constexpr bool holds_points(JointType type) {
  return type != JointType::slider && type != JointType::distance;
}

}  // namespace limber
