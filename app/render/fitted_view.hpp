// Fits the view to a scene that has no camera of its own.
#pragma once

#include "app/render/camera.hpp"

namespace limber {

/// Keeps a box in the picture: what was in focus when the scene started, down to the ground where that is
/// near, since things fall. While everything stays inside the box the camera stands still. What leaves the
/// box makes it larger, or, once it would be mostly empty, takes it along.
class FittedView {
 public:
  void start() { empty_ = true; }  ///< the next box is a new one

  /// Moves the camera where the box or the area has changed; keeps its direction. `low`, `high`: m, what is
  /// in focus now. Returns whether it has moved it.
  bool follow(Camera& camera, glm::vec3 low, glm::vec3 high, bool ground, const OpenArea& area);

 private:
  void take_in(glm::vec3 low, glm::vec3 high);

  bool empty_ = true;
  glm::vec3 low_{0.0f}, high_{0.0f};  ///< m, the box
  glm::vec2 corner_{0.0f}, size_{0.0f}, picture_{0.0f};
};

}  // namespace limber
