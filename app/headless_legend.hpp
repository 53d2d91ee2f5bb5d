// The heat map's legend on a picture that no window shows.
#pragma once

#include "app/view/render_frame.hpp"

namespace limber {

/// Draws the legend of `frame` into the framebuffer that is bound, width x height pixels; nothing without a
/// heat map. Needs the OpenGL context that is current.
void draw_headless_legend(const RenderFrame& frame, int width, int height);

}  // namespace limber
