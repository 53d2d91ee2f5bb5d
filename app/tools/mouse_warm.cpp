#include "app/tools/mouse_warm.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "app/tools/picking.hpp"

namespace limber {
namespace {

constexpr double least_ring = 0.001, most_ring = 10.0;  // m, limits of Warm::radius
constexpr double longest_picture = 0.25;                // s, largest time that one picture counts for

}  // namespace

void MouseWarm::press(const Publication& shown, int sign) {
  sign_ = sign;
  time_ = shown.frame.time;
}

std::optional<Command> MouseWarm::act(const Publication& shown, const Viewpoint& view, glm::vec2 pixel) {
  const double since = std::exchange(time_, double(shown.frame.time)), passed = time_ - since;
  if (sign_ == 0 || !(passed > 0.0)) return std::nullopt;
  const Ray ray = view.camera.ray(pixel, view.size);
  const auto hit = cast_ray(shown.frame, ray);
  if (!hit) return std::nullopt;
  const glm::vec3 place = ray.origin + hit->distance * ray.direction;
  const double depth = view.camera.orthographic
                           ? double(view.camera.distance)
                           : double(glm::dot(place - view.camera.position(), view.camera.forward()));
  const double radius = std::clamp(depth * std::tan(0.5 * double(view.camera.fov)) * 2.0 * double(ring) /
                                       std::max(double(view.size.y), 1.0),
                                   least_ring, most_ring);
  const double acts = sign_ * std::min(passed, longest_picture);
  if (shown.frame.field >= 0)
    return PaintField{MaterialField(shown.frame.field), glm::dvec3(place), radius,
                      std::exp(-field_rate * acts)};
  return Warm{glm::dvec3(place), radius, rate * acts};
}

}  // namespace limber
