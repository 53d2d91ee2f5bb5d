// Builds a World from a SceneDesc: meshes, masses, pins, constraints, colours.
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

/// Builds the start state of `scene`. If the scene says `"substeps": "auto"`, the settings of the World hold
/// the chosen number. Fails with the object's name and, if known, the file and line.
Expected<BuiltWorld> build_world(const SceneDesc& scene);

}}  // namespace limber::LIMBER_PRECISION
