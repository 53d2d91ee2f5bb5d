#pragma once

namespace limber {

/// What a joint leaves free: ball all turns; hinge a turn about the axis; slider a way along it; fixed
/// nothing; distance all but the length between two points; universal turns about two axes, one of each body.
enum class JointType : int { ball, hinge, slider, fixed, distance, universal };

/// Whether two points are held together.
constexpr bool holds_points(JointType type) {
  return type != JointType::slider && type != JointType::distance;
}

}  // namespace limber
