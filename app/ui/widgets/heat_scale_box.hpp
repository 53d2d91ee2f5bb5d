#pragma once

#include <optional>

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// A switch that locks the scale of a heat map and, while locked, a box for its upper end, in the current
/// window. `lock`: the locked end; none: the scale follows the numbers.
void heat_scale_rows(const HeatScale& scale, std::optional<float>& lock);

/// Draws heat_scale_rows() in a window at the right of `legend`, the area of heat_legend(); nothing without a
/// legend. Returns the covered area.
Rect heat_scale_box(const Rect& legend, const RenderFrame& frame, std::optional<float>& lock);

}  // namespace limber::ui
