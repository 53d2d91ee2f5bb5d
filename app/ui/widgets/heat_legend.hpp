#pragma once

#include <span>
#include <vector>

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// Form of the legend for which the view has room: full, a strip along the upper edge, or none.
enum class LegendRoom { full, strip, none };
LegendRoom legend_room(const Rect& view);

/// Places of the legend's ticks, from 0 to 1: five, or at whole numbers if the scale counts something.
std::vector<float> tick_places(const HeatScale& scale);

/// Histogram of the frame's numbers: counts in `steps` equal steps of the scale, lowest first. Numbers beyond
/// the scale count in the outermost steps.
std::vector<int> heat_counts(const RenderFrame& frame, int steps);

/// The largest part of `view` beside, above or below the union of `covered`.
Rect clear_of(Rect view, std::span<const Rect> covered);

/// Draws the colour bar of the frame's heat map with numbers and histogram in the upper left of `view`;
/// nothing without a heat map. Draws behind all windows. Returns the covered area.
Rect heat_legend(const Rect& view, const RenderFrame& frame);

/// Chooses a corner for legends of the size `block` (px, with margins). Keeps the corner `before` (0 upper
/// left, 1 upper right, 2 lower left, 3 lower right) unless it covers one of the points `keep_free` and
/// another corner covers none.
int legend_corner(const Rect& view, ImVec2 block, std::span<const ImVec2> keep_free, int before);

/// `view` moved so that legends drawn in its upper left appear in `corner`.
Rect in_corner(const Rect& view, ImVec2 block, int corner);

/// Distance, px, from the upper edge of `view` to the end of the legend, with a margin above; 0 without
/// legend.
float heat_legend_end(const Rect& view, const RenderFrame& frame);

}  // namespace limber::ui
