// Ties of a World.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct SceneDesc;
struct TieDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds the ties of `scene`, whose objects and bodies stand in `world` where they start. `topology` is to be
/// that of the world. Fails where the points of both ends are not as many, and where nothing of a tie can
/// move.
Expected<void> add_ties(const SceneDesc& scene, const Topology& topology, const SceneModel& model,
                        World& world);

TieMaterial tie_material(const TieDesc& tie);

}}  // namespace limber::LIMBER_PRECISION
