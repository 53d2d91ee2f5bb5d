// Keeps what a camera shows in sight while the window or the area between the panels changes its shape.
#pragma once

#include "app/render/camera.hpp"

namespace limber {

class SteadyView {
 public:
  /// Must be called after a camera was chosen for this area.
  void chosen_for(const OpenArea& area);
  /// Must be called after the camera was fitted to the box in this area. It is fitted again when the area
  /// changes.
  void framed_in(const OpenArea& area);

  /// Adapts the camera to a changed area. Steps back from the target until the box is inside, but no farther
  /// than until everything is visible that was visible in the area of the chosen camera. Comes back as the
  /// area grows again. Moving objects never move the camera.
  void follow(Camera& camera, glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area);

 private:
  glm::vec2 chosen_{0.0f};  ///< sides of the area for which the camera was chosen, over the picture's height
  glm::vec2 last_{0.0f};    ///< sides of the area in the last call
  bool framed_ = false;     ///< the camera was fitted, so no distance was chosen
  float back_ = 1.0f;       ///< present distance relative to the chosen one
};

}  // namespace limber
