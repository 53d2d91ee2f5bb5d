// The public model of a scene after tears, or with bodies added while it runs.
#pragma once

#include <memory>

#include "engine/scene/build/scene_model.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The model of `world`, made from `built`, the model of its scene before it ran. Has the version of `built`.
std::shared_ptr<const SceneModel> changed_model(const SceneModel& built, const World& world);

}}  // namespace limber::LIMBER_PRECISION
