// Joints of a World.
#pragma once

#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct JointDesc;
struct SceneDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// All joints of the scene, whose bodies are there and whose names are sound (check_joints).
void add_joints(const SceneDesc& scene, World& world, Topology& topology, SceneModel& model);

/// What a joint is like, in SI units.
JointMaterial joint_material(const JointDesc& desc);

}}  // namespace limber::LIMBER_PRECISION
