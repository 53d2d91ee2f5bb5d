// Throwing a ball at what the mouse points at.
#pragma once

#include "app/tools/mouse_drag.hpp"

namespace limber {

/// A ball from the camera, aimed so that it falls onto the place under `pixel`. Its size and speed suit how
/// far away that is.
Command throw_ball(const Publication& shown, const Viewpoint& view, glm::vec2 pixel);

}  // namespace limber
