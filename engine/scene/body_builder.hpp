// Rigid bodies of a World.
#pragma once

#include <cstdint>

#include "engine/scene/body_source.hpp"
#include "engine/scene/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// All copies of a body, and what is drawn of them. `drawn`: random numbers that were used so far.
void add_bodies(const SceneDesc& scene, const BodyDesc& desc, const BodyGeometry& geometry,
                std::uint64_t& drawn, World& world, Topology& topology, SceneModel& model);

}  // namespace limber::inline LIMBER_PRECISION
