// The names of variants in saved pictures, which have no panels.
#pragma once

#include <glm/vec2.hpp>

#include "app/lab/run_status.hpp"

namespace limber {

/// Draws the labels at once into the bound framebuffer of `size` px, independently of this frame's panels.
/// Needs the ImGui context of the window.
void draw_picture_labels(glm::ivec2 size, const Publications& shown);

}  // namespace limber
