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
/// becomes the topology of `world`. Fails if `b_points` are neither a single point nor as many as `a_points`,
/// and if a tie connects nothing that can move.
Expected<void> add_ties(const SceneDesc& scene, const Topology& topology, const SceneModel& model,
                        World& world);

TieMaterial tie_material(const TieDesc& tie);

}}  // namespace limber::LIMBER_PRECISION
