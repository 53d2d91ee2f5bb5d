#pragma once

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// What the marks of the overlay mean and how many there are: in the corner of `view`, below the heat map's
/// legend. Nothing without an overlay, and in a view too small for it.
Rect overlay_legend(const Rect& view, const RenderFrame& frame);

}  // namespace limber::ui
