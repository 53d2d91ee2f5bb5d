// Adds the joints of a scene to a World.
#pragma once

#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct JointDesc;
struct SceneDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds all joints of the scene. All bodies must have been added, and check_joints() must have passed.
void add_joints(const SceneDesc& scene, World& world, Topology& topology, SceneModel& model);

/// Parameters of a joint, in SI units.
JointMaterial joint_material(const JointDesc& desc);

}}  // namespace limber::LIMBER_PRECISION
