// Finds the pairs of bodies that the joints of a scene connect. Independent of the precision.
#pragma once

#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct JointDesc;
struct SceneDesc;

/// Largest number of joints of a scene, over all copies.
inline constexpr std::size_t max_joints = 20'000;

/// Two connected body copies. Numbers count the copies of all bodies of the scene.
struct JointedPair {
  long a = 0, b = -1;  ///< -1: the world
  long first = 0;      ///< number of the body copy for which the scene gives anchors and axes
};

/// The pairs that `joint` connects. Fails on a name that is no body, a copy that does not exist, numbers of
/// copies that do not match, and a pair in which no body can move.
Expected<std::vector<JointedPair>> joined_pairs(const SceneDesc& scene, const JointDesc& joint);

/// Checks conditions between the settings of a joint: axes are not zero, lower limits are at most the upper
/// ones, and joined_pairs() succeeds.
Expected<void> check_joint(const SceneDesc& scene, const JointDesc& joint);

/// Applies check_joint() to all joints of the scene.
Expected<void> check_joints(const SceneDesc& scene);

}  // namespace limber
