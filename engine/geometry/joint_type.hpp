#pragma once

namespace limber {

/// Types of joints, by the motion that they leave free: ball all turns; hinge a turn about the axis; slider a
/// motion along it; fixed none; distance all but the length between two points; universal turns about two
/// axes, one of each body.
enum class JointType : int { ball, hinge, slider, fixed, distance, universal };

/// Whether two points are held together.
constexpr bool holds_points(JointType type) {
  return type != JointType::slider && type != JointType::distance;
}

}  // namespace limber
