#include "app/view/clip_marks.hpp"

#include <cmath>
#include <glm/geometric.hpp>

namespace limber {
namespace {

const glm::vec3 plane_color{1.0f, 0.72f, 0.15f};

}  // namespace

glm::vec3 clip_handle(const ClipPlane& plane, const RenderFrame& frame) {
  return plane.foot(0.5f * (frame.focus_min + frame.focus_max));
}

void clip_marks(const ClipPlane& plane, const RenderFrame& frame, std::vector<LineDraw>& lines,
                std::vector<DotDraw>& dots) {
  const glm::vec3 handle = clip_handle(plane, frame), n = plane.normal;
  const float half = 0.55f * glm::distance(frame.focus_min, frame.focus_max) / std::sqrt(2.0f);
  const glm::vec3 aside = std::abs(n.y) < 0.9f ? glm::vec3(0.0f, 1.0f, 0.0f) : glm::vec3(1.0f, 0.0f, 0.0f);
  const glm::vec3 u = half * glm::normalize(glm::cross(aside, n)),
                  v = half * glm::normalize(glm::cross(n, u));
  const glm::vec3 corners[4] = {handle - u - v, handle + u - v, handle + u + v, handle - u + v};
  lines.clear();
  for (int k = 0; k < 4; ++k) lines.push_back({corners[k], corners[(k + 1) % 4], plane_color, 1.5f});
  lines.push_back({handle, handle + 0.25f * half * n, plane_color, 2.5f});
  dots.assign(1, {handle, plane_color, 13.0f});
}

}  // namespace limber
