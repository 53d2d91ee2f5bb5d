// The public model of a scene after tears, and with bodies that were added while it runs.
#pragma once

#include <memory>

#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The model of `world`, whose scene was built as `built`, of the same version.
std::shared_ptr<const SceneModel> changed_model(const SceneModel& built, const World& world);

}}  // namespace limber::LIMBER_PRECISION
