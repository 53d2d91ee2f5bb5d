// Surfaces of a scene as they are drawn: triangles, creases, skins, tetrahedra behind them.
#pragma once

#include <memory>

#include "app/view/render_frame.hpp"
#include "app/view/rod_tubes.hpp"
#include "app/view/soft_skins.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// The surfaces of all objects, and of rods as tubes. `tubes` and `skins` forget those of the scene before.
std::shared_ptr<const SurfaceTopology> make_surfaces(const SceneModel& model, RodTubes& tubes,
                                                     SoftSkins& skins);

}  // namespace limber
