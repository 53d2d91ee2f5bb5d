#include "app/tools/clip_drag.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "app/view/clip_marks.hpp"

namespace limber {
namespace {

constexpr float dot_reach = 14.0f;  // px around the dot in which a press takes it
constexpr float radians_per_pixel = 0.008f;
constexpr float least_across = 0.35f;  // least share of the normal in the picture plane for a move along it

}  // namespace

bool ClipDrag::press(const ClipPlane& plane, const RenderFrame& frame, const Viewpoint& view, glm::vec2 pixel,
                     bool turn) {
  handle_ = clip_handle(plane, frame);
  const glm::vec3 seen = view.camera.project(handle_, view.size);
  if (!(seen.z > 0.0f) || glm::distance(glm::vec2(seen), pixel) > dot_reach) return false;
  start_ = plane;
  from_ = pixel;
  turns_ = turn;
  return true;
}

void ClipDrag::move(ClipPlane& plane, const Viewpoint& view, glm::vec2 pixel) {
  const glm::vec2 way = pixel - from_;
  const glm::mat4 world = view.camera.view();
  const glm::vec3 right(world[0][0], world[1][0], world[2][0]), up(world[0][1], world[1][1], world[2][1]);
  if (turns_) {
    const glm::mat4 turn = glm::rotate(glm::mat4(1.0f), radians_per_pixel * way.x, up) *
                           glm::rotate(glm::mat4(1.0f), radians_per_pixel * way.y, right);
    plane.normal = glm::normalize(glm::vec3(turn * glm::vec4(start_.normal, 0.0f)));
    plane.offset = glm::dot(plane.normal, handle_);
    return;
  }
  // metres per pixel in the picture plane through the dot
  const float reach =
      view.camera.orthographic ? view.camera.distance : view.camera.project(handle_, view.size).z;
  const float metres = 2.0f * std::tan(0.5f * view.camera.fov) * reach / view.size.y;
  const glm::vec2 across(glm::dot(start_.normal, right), -glm::dot(start_.normal, up));
  const float length = glm::length(across);
  const float towards = glm::dot(start_.normal, view.camera.forward()) > 0.0f ? 1.0f : -1.0f;
  const float moved = length > least_across ? glm::dot(way, across) / (length * length) : -towards * way.y;
  plane.offset = start_.offset + metres * moved;
}

}  // namespace limber
