#pragma once

#include <span>
#include <vector>

#include "app/ui/layout.hpp"
#include "app/view/render_frame.hpp"

namespace limber::ui {

/// How much of a legend there is room for beside what is looked at: all of it, a strip along the upper edge,
/// nothing.
enum class LegendRoom { full, strip, none };
LegendRoom legend_room(const Rect& view);

/// Where the legend has numbers, from 0 to 1: five, or at whole numbers of what is counted.
std::vector<float> tick_places(const HeatScale& scale);

/// A histogram: the frame's numbers in each of `steps` equal steps of the scale, lowest first; numbers beyond
/// its ends count in the outermost steps.
std::vector<int> heat_counts(const RenderFrame& frame, int steps);

/// The largest part of `view` that lies beside, above or below all that is `covered`.
Rect clear_of(Rect view, std::span<const Rect> covered);

/// The colours of the frame's heat map with the numbers they stand for and how often each occurs, in the
/// upper left of `view`; nothing without a heat map. Draws behind all windows. Returns what it covers.
Rect heat_legend(const Rect& view, const RenderFrame& frame);

/// Corner for legends of the size `block` (px, with their margins): the corner of `view` numbered
/// `before` (0 upper left, 1 upper right, 2 lower left, 3 lower right), or the first that covers none of the
/// points `keep_free`, if one does not.
int legend_corner(const Rect& view, ImVec2 block, std::span<const ImVec2> keep_free, int before);

/// `view` moved so that what is drawn in its upper left stands in that corner of it.
Rect in_corner(const Rect& view, ImVec2 block, int corner);

/// px of it from the upper edge of `view`, with a margin above; 0 where none is drawn.
float heat_legend_end(const Rect& view, const RenderFrame& frame);

}  // namespace limber::ui
