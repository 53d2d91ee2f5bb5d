// Builds the objects of a scene's public model, which pictures, exports and warnings read.
#pragma once

#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/state/world.hpp"

namespace limber {
struct SceneDesc;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Appends the model of one copy of an object, whose first vertex id is `first`. The copy must be the last
/// one in `topology`.
void add_object_model(const SceneDesc& scene, const ObjectDesc& object, const ObjectGeometry& geometry,
                      Index first, const Topology& topology, SceneModel& model);

}}  // namespace limber::LIMBER_PRECISION
