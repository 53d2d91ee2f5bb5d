// The joints of a scene as pairs of bodies: the precision-neutral half of the builder.
#pragma once

#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct JointDesc;
struct SceneDesc;

/// Most joints of a scene over all copies.
inline constexpr std::size_t max_joints = 20'000;

/// A joint between copies of bodies, which are counted over all bodies of the scene.
struct JointedPair {
  long a = 0, b = -1;  ///< -1: the world
  long first = 0;      ///< the copy of a for which the scene gives anchors and axes
};

/// The pairs that `joint` joins. Fails if a name is not that of a body, if there is no such copy, if the
/// copies do not go together, and if no body of a pair can move.
Expected<std::vector<JointedPair>> joined_pairs(const SceneDesc& scene, const JointDesc& joint);

/// Checks conditions between the settings of a joint: axes have a direction, limits are the right way round,
/// and joined_pairs() succeeds.
Expected<void> check_joint(const SceneDesc& scene, const JointDesc& joint);

/// Applies check_joint() to all joints of the scene.
Expected<void> check_joints(const SceneDesc& scene);

}  // namespace limber
