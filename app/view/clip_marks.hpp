// Marks and handle of the clipping plane.
#pragma once

#include <vector>

#include "app/view/clip_plane.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// Position of the handle that drags the plane: the point of the plane nearest to the middle of the focus.
glm::vec3 clip_handle(const ClipPlane& plane, const RenderFrame& frame);

/// Writes a frame around the focus, the handle as a dot, and a line towards the side that is cut away.
/// Overwrites both lists.
void clip_marks(const ClipPlane& plane, const RenderFrame& frame, std::vector<LineDraw>& lines,
                std::vector<DotDraw>& dots);

}  // namespace limber
