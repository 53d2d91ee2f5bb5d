// Throws a ball at the place under the cursor.
#pragma once

#include "app/tools/mouse_drag.hpp"

namespace limber {

/// A ball that starts near the camera and is aimed, with gravity, at the place under `pixel`. Its radius
/// grows with the distance of the camera, its speed with the distance of the target.
Command throw_ball(const Publication& shown, const Viewpoint& view, glm::vec2 pixel);

}  // namespace limber
