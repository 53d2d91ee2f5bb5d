#pragma once

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// The colours of the frame's heat map with the numbers they stand for, in the upper left of `view`; nothing
/// without a heat map. Draws behind all windows.
void heat_legend(const Rect& view, const RenderFrame& frame);

float heat_legend_height(const RenderFrame& frame);

}  // namespace limber::ui
