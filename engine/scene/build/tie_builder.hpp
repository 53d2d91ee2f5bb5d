// Adds the ties of a scene to a World.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct SceneDesc;
struct TieDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds the ties of `scene`. Objects and bodies must be at their start positions in `world`; `topology`
/// becomes the topology of `world`. Fails if the two ends of a tie have different numbers of points, or if
/// both ends are fixed.
Expected<void> add_ties(const SceneDesc& scene, const Topology& topology, const SceneModel& model,
                        World& world);

TieMaterial tie_material(const TieDesc& tie);

}}  // namespace limber::LIMBER_PRECISION
