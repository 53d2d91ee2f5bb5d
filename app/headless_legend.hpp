// What stands over a picture that is drawn without a window.
#pragma once

#include "app/sim/run_status.hpp"

namespace limber {

/// The legends of the heat map and the overlay, if there is one, and the labels of several pictures beside
/// each other. Needs a current OpenGL context with the picture's framebuffer bound, and no ImGui context.
void draw_headless_legend(const Publications& shown, int width, int height);

}  // namespace limber
