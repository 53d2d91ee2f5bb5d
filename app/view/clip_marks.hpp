// The clipping plane as one sees and holds it.
#pragma once

#include <vector>

#include "app/view/clip_plane.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// Where the plane is held: its point nearest to the middle of what is in focus.
glm::vec3 clip_handle(const ClipPlane& plane, const RenderFrame& frame);

/// A frame around what is in focus, the dot, and a line to the side that is cut away. Overwritten.
void clip_marks(const ClipPlane& plane, const RenderFrame& frame, std::vector<LineDraw>& lines,
                std::vector<DotDraw>& dots);

}  // namespace limber
