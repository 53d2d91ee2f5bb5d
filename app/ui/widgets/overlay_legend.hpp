#pragma once

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// The meanings of the overlay's marks and their counts, in the corner of `view` below the heat map's legend.
/// Draws nothing without an overlay or in a view too small for it.
Rect overlay_legend(const Rect& view, const RenderFrame& frame);

}  // namespace limber::ui
