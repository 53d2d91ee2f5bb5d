#include "app/tools/mouse_drag.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/tools/picking.hpp"

namespace limber {
namespace {

constexpr double radians_a_point = 0.015;  // rad of twist per unit of cursor motion: a revolution in 420
constexpr double smallest_ball = 0.001, largest_ball = 10.0;  // m, limits of HoldBall

bool is_loose(const RenderFrame& frame, Index vertex) {
  return std::any_of(frame.loose.begin(), frame.loose.end(), [&](const VertexRange& range) {
    return vertex >= range.first && vertex < range.first + range.count;
  });
}

}  // namespace

std::optional<Command> MouseDrag::press(const Publication& shown, const Viewpoint& view, glm::vec2 pixel,
                                        bool shift, bool ctrl) {
  twists_ = false;
  const RenderFrame& frame = shown.frame;
  const Ray ray = view.camera.ray(pixel, view.size);
  if (const auto hit = cast_ray(frame, ray); hit && hit->body >= 0) {
    model_version_ = frame.model_version;
    active_ = true;
    ball_ = false;
    anchor_ = ray.origin + hit->distance * ray.direction;
    normal_ = view.camera.forward();
    offset_ = anchor_ - on_plane(view, pixel);
    return GrabBody{Index(hit->body), glm::dvec3(anchor_), glm::dvec3(anchor_)};
  }
  const auto vertex = pick_vertex(frame, view.camera, pixel, view.size);
  if (!vertex) return std::nullopt;
  model_version_ = frame.model_version;
  const auto& fixed = shown.status.fixed;
  if (shift && std::find(fixed.begin(), fixed.end(), *vertex) != fixed.end())
    return SetPinned{*vertex, false};
  active_ = true;
  ball_ = is_loose(frame, *vertex);
  twists_ = ctrl && !ball_;
  vertex_ = *vertex, from_ = pixel.x;
  if (twists_) return TwistRod{vertex_, 0.0};
  anchor_ = frame.positions[std::size_t(*vertex)];
  normal_ = view.camera.forward();
  offset_ = anchor_ - on_plane(view, pixel);
  if (!ball_) return GrabVertex{*vertex, glm::dvec3(anchor_)};
  distance_ = std::max(glm::dot(anchor_ - view.camera.position(), normal_), 1e-3f);
  return HoldBall{glm::dvec3(anchor_), radius()};
}

double MouseDrag::radius() const {
  return std::clamp(double(share_) * double(distance_), smallest_ball, largest_ball);
}

std::optional<Command> MouseDrag::scroll(float notches) {
  if (!active_ || !ball_) return std::nullopt;
  share_ = std::clamp(share_ * std::pow(1.12f, notches), 0.005f, 0.4f);
  return ResizeBall{radius()};
}

std::optional<Command> MouseDrag::move(const Viewpoint& view, glm::vec2 pixel) {
  if (!active_) return std::nullopt;
  if (twists_) return TwistRod{vertex_, radians_a_point * double(pixel.x - from_)};
  return MoveGrab{glm::dvec3(on_plane(view, pixel) + offset_)};
}

std::optional<Command> MouseDrag::release(bool pin) {
  if (!active_) return std::nullopt;
  active_ = false;
  return ReleaseGrab{pin};
}

void MouseDrag::follow(std::uint64_t model_version) {
  if (model_version != model_version_) active_ = false;
}

glm::vec3 MouseDrag::on_plane(const Viewpoint& view, glm::vec2 pixel) const {
  const Ray ray = view.camera.ray(pixel, view.size);
  const float slope = glm::dot(ray.direction, normal_);
  // If the camera was rotated since, the plane can be edge on: then the point stays at the anchor's distance.
  const float distance = std::abs(slope) > 0.05f ? glm::dot(anchor_ - ray.origin, normal_) / slope
                                                 : glm::distance(anchor_, ray.origin);
  return ray.origin + std::max(distance, 0.0f) * ray.direction;
}

}  // namespace limber
