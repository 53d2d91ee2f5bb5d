#include "app/render/reach.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {

ReachMeter::ReachMeter(const Camera& camera, const OpenArea& area, glm::vec3 origin) : origin_(origin) {
  const glm::mat4 view = camera.view();
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]),
      back(view[0][2], view[1][2], view[2][2]);
  const glm::vec2 t = camera.orthographic ? glm::vec2(0.0f) : slopes(camera, area);
  normals_ = {right + t.x * back, t.x * back - right, up + t.y * back, t.y * back - up, back};
}

void ReachMeter::add_support(glm::vec3 centre, const std::array<float, 5>& beyond) {
  std::array<float, 5> at;
  for (std::size_t k = 0; k < 5; ++k) at[k] = glm::dot(normals_[k], centre - origin_) + beyond[k];
  if (!std::isfinite(at[0] + at[1] + at[2] + at[3] + at[4])) return;
  reach_.above = glm::max(reach_.above, glm::vec2(at[0], at[2]));
  reach_.below = glm::max(reach_.below, glm::vec2(at[1], at[3]));
  reach_.nearest = std::max(reach_.nearest, at[4]);
}

void ReachMeter::add(glm::vec3 point) { add_support(point, {}); }

void ReachMeter::add_ball(glm::vec3 centre, float radius) {
  std::array<float, 5> beyond;
  for (std::size_t k = 0; k < 5; ++k) beyond[k] = radius * glm::length(normals_[k]);
  add_support(centre, beyond);
}

void ReachMeter::add_box(glm::vec3 low, glm::vec3 high) {
  glm::mat4 transform(1.0f);
  for (int axis = 0; axis < 3; ++axis) transform[axis][axis] = 0.5f * (high[axis] - low[axis]);
  transform[3] = glm::vec4(0.5f * (low + high), 1.0f);
  add_cube(transform);
}

void ReachMeter::add_cube(const glm::mat4& transform) {
  std::array<float, 5> beyond{};
  for (std::size_t k = 0; k < 5; ++k)
    for (int axis = 0; axis < 3; ++axis)
      beyond[k] += std::abs(glm::dot(normals_[k], glm::vec3(transform[axis])));
  add_support(glm::vec3(transform[3]), beyond);
}

void ReachMeter::add_cylinder(const glm::mat4& transform) {
  std::array<float, 5> beyond;
  for (std::size_t k = 0; k < 5; ++k)
    beyond[k] = std::abs(glm::dot(normals_[k], glm::vec3(transform[1]))) +
                std::hypot(glm::dot(normals_[k], glm::vec3(transform[0])),
                           glm::dot(normals_[k], glm::vec3(transform[2])));
  add_support(glm::vec3(transform[3]), beyond);
}

Reach united(const Reach& a, const Reach& b) {
  return {glm::max(a.above, b.above), glm::max(a.below, b.below), std::max(a.nearest, b.nearest)};
}

Reach between(const Reach& a, const Reach& b, float share) {
  return {glm::mix(a.above, b.above, share), glm::mix(a.below, b.below, share),
          a.nearest + share * (b.nearest - a.nearest)};
}

// A set that just fills a side from the distance n, with its outermost points at depth z towards the camera,
// fills (n - z) / (d - z) of the side from the distance d. The smallest value belongs to the nearest depth.
float largest_share(const Reach& subject, const Reach& all, glm::vec2 slopes, float least) {
  const auto needed = [&](const Reach& reach) { return (reach.above + reach.below) / (2.0f * slopes); };
  const glm::vec2 own = needed(subject);
  const auto fills = [&](float share) {
    const glm::vec2 wanted = needed(between(subject, all, share));
    const float distance = Camera::fit_margin * std::max(wanted.x, wanted.y);
    const glm::vec2 filled = (own - subject.nearest) / (distance - subject.nearest);
    return std::max(filled.x, filled.y) >= least;
  };
  if (fills(1.0f)) return 1.0f;
  float low = 0.0f, high = 1.0f;
  for (int step = 0; step < 16; ++step) {
    const float middle = 0.5f * (low + high);
    (fills(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace limber
