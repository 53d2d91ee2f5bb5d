// Surfaces of a scene as they are drawn: triangles, creases, skins, and tetrahedra inside them.
#pragma once

#include <memory>

#include "app/view/render_frame.hpp"
#include "app/view/rod_tubes.hpp"
#include "app/view/soft_skins.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// Makes the surfaces of all objects, with rods as tubes. Resets `tubes` and `skins` to this model.
std::shared_ptr<const SurfaceTopology> make_surfaces(const SceneModel& model, RodTubes& tubes,
                                                     SoftSkins& skins);

}  // namespace limber
