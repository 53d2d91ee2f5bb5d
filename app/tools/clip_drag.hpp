// Moving and turning the clipping plane with the mouse.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/tools/mouse_drag.hpp"
#include "app/view/clip_plane.hpp"

namespace limber {

/// The plane is held by its dot (clip_handle()). A move slides it along its normal, where that points across
/// the picture; where it points at the camera, up is away. A turn tilts it about its dot.
class ClipDrag {
 public:
  /// Whether the cursor is on the dot; then the drag begins.
  bool press(const ClipPlane& plane, const RenderFrame& frame, const Viewpoint& view, glm::vec2 pixel,
             bool turn);
  void move(ClipPlane& plane, const Viewpoint& view, glm::vec2 pixel);

 private:
  ClipPlane start_;
  glm::vec3 handle_{0.0f};  ///< m, where the dot was at the start
  glm::vec2 from_{0.0f};
  bool turns_ = false;
};

}  // namespace limber
