#include "app/tools/mouse_throw.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "app/tools/picking.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

constexpr double flight_time = 0.55;                         // s, flight time to the target, at any distance
constexpr double slowest_throw = 2.0, fastest_throw = 25.0;  // m/s
constexpr double radius_share = 0.019;                       // radius of the ball / distance of the camera
constexpr double smallest_radius = 0.01, largest_radius = 1.0;  // m
constexpr double radii_ahead = 4.0;                             // radii from the eye to the start

}  // namespace

Command throw_ball(const Publication& shown, const Viewpoint& view, glm::vec2 pixel) {
  const Ray ray = view.camera.ray(pixel, view.size);
  const auto hit = cast_ray(shown.frame, ray);
  const glm::dvec3 target(ray.origin + (hit ? hit->distance : view.camera.distance) * ray.direction);
  const glm::dvec3 eye(view.camera.seen_from(glm::vec3(target))), way = target - eye;
  const double distance = glm::length(way);
  const glm::dvec3 direction = distance > 1e-6 ? way / distance : glm::dvec3(ray.direction);
  ThrowBall ball;
  ball.radius = std::clamp(radius_share * double(view.camera.distance), smallest_radius, largest_radius);
  ball.position = eye + std::min(radii_ahead * ball.radius, 0.5 * distance) * direction;
  if (shown.status.scene && !shown.status.scene->bodies.empty()) ball.density = ball_of_stone;
  const double left = glm::distance(ball.position, target);
  const double speed = std::clamp(left / flight_time, slowest_throw, fastest_throw);
  const glm::dvec3 gravity =
      shown.status.scene ? shown.status.scene->solver.motion->gravity : glm::dvec3(0.0);
  // the parabola through the target starts with a higher direction; bounded for long flights
  ball.velocity = speed * direction - 0.5 * std::min(left / speed, 2.0 * flight_time) * gravity;
  return ball;
}

}  // namespace limber
