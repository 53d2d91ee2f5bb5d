// Moves and rotates the clipping plane with the mouse.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/tools/mouse_drag.hpp"
#include "app/view/clip_plane.hpp"

namespace limber {

/// The user drags the dot of the plane (clip_handle()). A drag moves the plane along its normal as it appears
/// in the picture; if the normal points towards the camera or away from it, dragging upwards moves the plane
/// away. With `turn`, a drag rotates the plane about the dot.
class ClipDrag {
 public:
  /// Begins a drag if the cursor is on the dot. Returns whether it is.
  bool press(const ClipPlane& plane, const RenderFrame& frame, const Viewpoint& view, glm::vec2 pixel,
             bool turn);
  void move(ClipPlane& plane, const Viewpoint& view, glm::vec2 pixel);

 private:
  ClipPlane start_;
  glm::vec3 handle_{0.0f};  ///< m, position of the dot when the drag began
  glm::vec2 from_{0.0f};
  bool turns_ = false;
};

}  // namespace limber
