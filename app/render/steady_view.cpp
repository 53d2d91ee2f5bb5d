#include "app/render/steady_view.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

namespace limber {
namespace {

/// Sides of the area relative to the picture's height, which the field of view spans. At least a twentieth,
/// so that a vanishing area does not move the camera away without bound.
glm::vec2 sides_of(const OpenArea& area) {
  return glm::max(area.size / std::max(area.picture.y, 1.0f), glm::vec2(0.05f));
}

}  // namespace

void SteadyView::chosen_for(const OpenArea& area) {
  chosen_ = last_ = sides_of(area);
  framed_ = false;
  back_ = 1.0f;
}

void SteadyView::framed_in(const OpenArea& area) {
  chosen_for(area);
  framed_ = true;
}

void SteadyView::follow(Camera& camera, glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area) {
  const glm::vec2 sides = sides_of(area);
  if (sides == last_) return;
  last_ = sides;
  if (framed_) return camera.frame(bounds_min, bounds_max, area);
  const glm::vec2 lack = chosen_ / sides;
  const float most = std::max({1.0f, lack.x, lack.y}), own = camera.distance / back_;
  const float needed = camera.distance_for(bounds_min, bounds_max, area) / own;
  back_ = std::isfinite(needed) ? std::clamp(needed, 1.0f, most) : most;
  camera.distance = own * back_;
}

}  // namespace limber
