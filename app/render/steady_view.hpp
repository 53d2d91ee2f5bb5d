// What a camera shows stays in sight when the window changes its shape, or what the panels leave of it.
#pragma once

#include "app/render/camera.hpp"

namespace limber {

class SteadyView {
 public:
  /// The camera as it is was chosen for this area.
  void chosen_for(const OpenArea& area);
  /// It was made to fill the area with the box, and will be with any other.
  void framed_in(const OpenArea& area);

  /// Where the area is another than in the last call: steps back from the target until the box is inside, but
  /// no farther than until all is in sight that was in the area it was chosen for; and comes back as that
  /// grows again. Things that move never move the camera.
  void follow(Camera& camera, glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area);

 private:
  glm::vec2 chosen_{0.0f};  ///< sides of the area it was chosen for, over the picture's height
  glm::vec2 last_{0.0f};    ///< and of the one that it stands for
  bool framed_ = false;     ///< no distance was chosen
  float back_ = 1.0f;       ///< how many times its own distance the camera stands back by now
};

}  // namespace limber
