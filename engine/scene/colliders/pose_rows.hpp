// Setting rows of a Pose: files write `position` and `rotation_degrees` beside the owner's other keys.
#pragma once

#include "engine/core/tunable.hpp"
#include "engine/scene/colliders/pose.hpp"

namespace limber {

template <class S>
constexpr Field position_row() {
  return vector<&S::pose, &Pose::position>({"position", "Position", "m", -1000, 1000,
                                            "Translation, applied after the rotation. y is up.",
                                            Effect::rebuild});
}
template <class S>
constexpr Field rotation_row() {
  return vector<&S::pose, &Pose::rotation_degrees>(
      {"rotation_degrees", "Rotation", "deg", -360, 360,
       "Euler angles about x, then y, then z, about the object's own origin.", Effect::rebuild});
}

}  // namespace limber
