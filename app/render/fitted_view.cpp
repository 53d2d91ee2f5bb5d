#include "app/render/fitted_view.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

namespace limber {
namespace {

constexpr float longest_fall = 2.0f;  // sizes: from higher up the ground is no part of the first picture
constexpr float mostly_empty = 3.0f;  // times the size of what is in focus
constexpr float spare = 0.15f;        // of that size, on each side, of a box that moves along

bool contains(glm::vec3 low, glm::vec3 high, glm::vec3 a, glm::vec3 b) {
  return glm::all(glm::lessThanEqual(low, a)) && glm::all(glm::lessThanEqual(b, high));
}

}  // namespace

void FittedView::take_in(glm::vec3 low, glm::vec3 high) {
  const glm::vec3 all_low = glm::min(low, low_), all_high = glm::max(high, high_);
  const float size = glm::distance(low, high);
  const glm::vec3 more(spare * size);
  const bool along = glm::distance(all_low, all_high) > mostly_empty * size;
  low_ = along ? low - more : glm::mix(low_, all_low, 1.0f + spare);  // further than needed: not every frame
  high_ = along ? high + more : glm::mix(high_, all_high, 1.0f + spare);
}

bool FittedView::follow(Camera& camera, glm::vec3 low, glm::vec3 high, bool ground, const OpenArea& area) {
  if (!std::isfinite(glm::distance(low, high))) return false;
  const bool other_area = corner_ != area.corner || size_ != area.size || picture_ != area.picture;
  if (!empty_ && !other_area && contains(low_, high_, low, high)) return false;
  corner_ = area.corner, size_ = area.size, picture_ = area.picture;
  if (empty_) {
    low_ = low, high_ = high;
    if (ground && low.y > 0.0f && low.y < longest_fall * glm::distance(low, high)) low_.y = 0.0f;
    empty_ = false;
  } else if (!contains(low_, high_, low, high)) {
    take_in(low, high);
  }
  camera.frame(low_, high_, area);
  return true;
}

}  // namespace limber
