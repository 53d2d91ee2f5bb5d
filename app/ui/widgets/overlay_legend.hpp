#pragma once

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// Draws what each mark of the overlay means and how many there are, in the corner of `view` below the heat
/// map's legend. Returns the rectangle taken; empty without an overlay, or in a view too small for it.
Rect overlay_legend(const Rect& view, const RenderFrame& frame);

}  // namespace limber::ui
