// Finds the pairs of bodies that the joints of a scene connect. Independent of the precision.
#pragma once

#include <vector>

#include "engine/core/expected.hpp"

namespace limber {

struct JointDesc;
struct SceneDesc;

/// Largest number of joints of a scene, over all copies.
inline constexpr std::size_t max_joints = 20'000;

/// Two bodies that a joint connects. Indices run over all copies of all bodies of the scene.
struct JointedPair {
  long a = 0, b = -1;  ///< -1: the world
  long first = 0;      ///< the first copy that the joint's "a" names: anchors are given for it
};

/// The pairs that `joint` connects. Fails on a joint without an `a`, a name that is no body, a copy that does
/// not exist, numbers of copies that do not match, a chain of fewer than two copies or with a `b`, a body
/// joined to itself, a pair in which no body can move, and beyond max_joints.
Expected<std::vector<JointedPair>> joined_pairs(const SceneDesc& scene, const JointDesc& joint);

/// Checks conditions between the settings of a joint: axes are not zero, those of a universal joint not
/// parallel, lower limits are at most the upper ones, and joined_pairs() succeeds.
Expected<void> check_joint(const SceneDesc& scene, const JointDesc& joint);

/// Applies check_joint() to all joints of the scene.
Expected<void> check_joints(const SceneDesc& scene);

}  // namespace limber
