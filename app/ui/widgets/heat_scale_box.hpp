#pragma once

#include <optional>

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// A switch that locks the scale of a heat map, and while it is locked a box to type its end into, in the
/// window that was begun. `lock` is where it is locked, nothing where it follows the numbers.
void heat_scale_rows(const HeatScale& scale, std::optional<float>& lock);

/// The rows in a window of their own at the right of the legend, which has `legend` (heat_legend()); nothing
/// where there is none. Returns what it covers.
Rect heat_scale_box(const Rect& legend, const RenderFrame& frame, std::optional<float>& lock);

}  // namespace limber::ui
