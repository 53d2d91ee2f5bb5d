// Adds the rigid bodies of a scene to a World.
#pragma once

#include <cstdint>

#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/state/body_changes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds all copies of a body, and their models for drawing. `drawn`: number of random numbers taken so far;
/// increased.
void add_bodies(const SceneDesc& scene, const BodyDesc& desc, const BodyGeometry& geometry,
                std::uint64_t& drawn, World& world, BodyParts& parts, SceneModel& model);

/// A copy of a body that starts at `start`.
NewBody make_body(const BodyDesc& desc, const BodyGeometry& geometry, const Placement& start);

BodyMaterial body_material(const BodyDesc& desc);

/// Adds to `model` the bodies that were added to `world` while the scene ran.
void show_added_bodies(const World& world, SceneModel& model);

}}  // namespace limber::LIMBER_PRECISION
