// Updates settings of a World that may change while it runs.
#pragma once

#include "engine/state/world.hpp"

namespace limber {
struct SceneDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Copies the live settings of the scene (solver, materials, colliders) into the World after a SetValue.
/// `start`: the World as it was built.
void apply_settings(const SceneDesc& scene, const World& start, World& world);

}}  // namespace limber::LIMBER_PRECISION
