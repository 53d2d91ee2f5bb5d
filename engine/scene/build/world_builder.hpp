// From a SceneDesc to a World: meshes, masses, pins, constraints, colours.
#pragma once

#include <memory>

#include "engine/core/expected.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct SceneDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

struct BuiltWorld {
  World world;
  std::shared_ptr<const SceneModel> model;
};

/// Builds the start state of `scene`. The settings of the world have the number of substeps that is chosen
/// where the scene leaves it to the program. Fails with the object's name and, where there is one, the file
/// and line.
Expected<BuiltWorld> build_world(const SceneDesc& scene);

/// The World's copy of the scene's live settings (solver, materials, colliders), after a SetValue. `start` is
/// the world as it was built.
void apply_settings(const SceneDesc& scene, const World& start, World& world);

}}  // namespace limber::LIMBER_PRECISION
