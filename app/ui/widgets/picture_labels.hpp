// The names of variants in pictures to keep, which have no panels.
#pragma once

#include <glm/vec2.hpp>

#include "app/lab/run_status.hpp"

namespace limber {

/// Draws them into the framebuffer that is bound, of `size` px, at once, whatever the panels of this frame
/// are. Needs the ImGui context of the window.
void draw_picture_labels(glm::ivec2 size, const Publications& shown);

}  // namespace limber
