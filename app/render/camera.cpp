#include "app/render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace limber {
namespace {

constexpr float max_pitch = 1.55f;  // rad; less than pi/2, because "up" is undefined at the poles
constexpr float min_distance = 0.002f, max_distance = 1000.0f;

struct Axes {
  glm::vec3 right, up, back;
};

Axes axes(const Camera& camera) {
  const float cy = std::cos(camera.yaw), sy = std::sin(camera.yaw);
  const float cp = std::cos(camera.pitch), sp = std::sin(camera.pitch);
  return {{cy, 0.0f, -sy}, {-sy * sp, cp, -cy * sp}, {sy * cp, sp, cy * cp}};
}

/// Converts a pixel to [-1, 1], y up. A window without size (minimised) counts as one pixel.
glm::vec2 to_ndc(glm::vec2 pixel, glm::vec2 size) {
  size = glm::max(size, glm::vec2(1.0f));
  return {2.0f * pixel.x / size.x - 1.0f, 1.0f - 2.0f * pixel.y / size.y};
}

/// Distance behind the eye, m, at which an orthographic picture begins, so that nothing of the scene is cut
/// off.
float clearance(const Camera& camera) { return 20.0f + 4.0f * camera.distance; }

/// Placement of the camera that shows a box, for the slopes `t` of the area's edges.
struct Fit {
  glm::vec2 distance{-1e30f};  ///< m, distance from `target` required for the width and for the height
  glm::vec2 shift{0.0f};       ///< m, right and up: middle of the box across the view at that distance
};

/// A corner (x, z towards the camera) is inside at the distance d if |x - shift| <= (d - z) t. So the largest
/// x + z t and -x + z t over the corners determine d and shift. With parallel rays, z does not matter.
Fit fit(const Camera& camera, glm::vec3 low, glm::vec3 high, glm::vec2 t) {
  const Axes a = axes(camera);
  glm::vec2 right(-1e30f), left(-1e30f);
  for (int i = 0; i < 8; ++i) {
    const glm::vec3 corner(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z);
    const glm::vec3 way = corner - camera.target;
    const glm::vec2 across(glm::dot(way, a.right), glm::dot(way, a.up));
    const glm::vec2 nearer = camera.orthographic ? glm::vec2(0.0f) : glm::dot(way, a.back) * t;
    right = glm::max(right, across + nearer);
    left = glm::max(left, nearer - across);
  }
  return {(right + left) / (2.0f * t), 0.5f * (right - left)};
}

float aspect_of(glm::vec2 size) { return std::max(size.x, 1.0f) / std::max(size.y, 1.0f); }

}  // namespace

glm::vec2 slopes(const Camera& camera, const OpenArea& area) {
  const glm::vec2 share = glm::max(area.size / glm::max(area.picture, glm::vec2(1.0f)), glm::vec2(0.05f));
  const float slope = std::tan(0.5f * camera.fov);
  return {slope * share.x * std::max(area.picture.x, 1.0f) / std::max(area.picture.y, 1.0f), slope * share.y};
}

Camera Camera::looking(glm::vec3 from, glm::vec3 at, float fov) {
  Camera camera;
  camera.target = at;
  camera.fov = fov;
  const glm::vec3 offset = from - at;
  camera.distance = std::clamp(glm::length(offset), min_distance, max_distance);
  camera.yaw = std::atan2(offset.x, offset.z);
  camera.pitch =
      std::clamp(std::asin(std::clamp(offset.y / camera.distance, -1.0f, 1.0f)), -max_pitch, max_pitch);
  return camera;
}

void Camera::look_from(Side side) {
  orthographic = true;
  yaw = side == Side::right ? glm::half_pi<float>() : 0.0f;
  pitch = side == Side::top ? glm::half_pi<float>() : 0.0f;
}

glm::vec3 Camera::forward() const { return -axes(*this).back; }

glm::vec3 Camera::seen_from(glm::vec3 point) const {
  if (!orthographic) return position();
  const glm::vec3 ahead = forward();
  return point - (glm::dot(point - position(), ahead) + clearance(*this)) * ahead;
}

glm::vec3 Camera::position() const { return target + distance * axes(*this).back; }

glm::mat4 Camera::view() const {
  const Axes a = axes(*this);
  return glm::lookAt(position(), target, a.up);
}

glm::mat4 Camera::projection(float aspect) const {
  // The far plane is at least a hundred metres away even close up. The near plane follows the zoom, which
  // keeps the depth resolution at the target near 1e-5 of the distance with 24 bits.
  glm::mat4 clip;
  if (orthographic) {
    const float high = distance * std::tan(0.5f * fov), wide = high * std::max(aspect, 1e-3f);
    clip = glm::ortho(-wide, wide, -high, high, -clearance(*this), 100.0f + 20.0f * distance);
  } else {
    clip = glm::perspective(fov, std::max(aspect, 1e-3f), std::max(1e-5f, 0.01f * distance),
                            100.0f + 100.0f * distance);
  }
  glm::mat4 shift(1.0f);
  shift[3] = glm::vec4(middle, 0.0f, 1.0f);
  return shift * clip;
}

Ray Camera::ray(glm::vec2 pixel, glm::vec2 size) const {
  const Axes a = axes(*this);
  const glm::vec2 ndc = to_ndc(pixel, size) - middle;
  const float slope = std::tan(0.5f * fov);
  if (orthographic) {
    const glm::vec2 offset = distance * slope * glm::vec2(ndc.x * aspect_of(size), ndc.y);
    return {position() + offset.x * a.right + offset.y * a.up + clearance(*this) * a.back, -a.back};
  }
  return {position(),
          glm::normalize(ndc.x * slope * aspect_of(size) * a.right + ndc.y * slope * a.up - a.back)};
}

glm::vec3 Camera::project(glm::vec3 world, glm::vec2 size) const {
  const glm::vec3 at = glm::vec3(view() * glm::vec4(world, 1.0f));
  const float depth = -at.z;
  const float plane = orthographic ? distance : std::abs(depth) > 1e-6f ? depth : 1e-6f;
  const float slope = std::tan(0.5f * fov) * plane;
  const glm::vec2 ndc = glm::vec2(at.x / aspect_of(size), at.y) / slope + middle;
  return {(0.5f + 0.5f * ndc.x) * size.x, (0.5f - 0.5f * ndc.y) * size.y, depth};
}

void Camera::orbit(glm::vec2 delta_px, glm::vec2 size) {
  // Dragging over the height of the window turns by half a turn, whatever the window's shape.
  const glm::vec2 angle = delta_px * glm::pi<float>() / std::max(size.y, 1.0f);
  yaw = std::remainder(yaw - angle.x, glm::two_pi<float>());
  pitch = std::clamp(pitch + angle.y, -max_pitch, max_pitch);
}

void Camera::pan(glm::vec2 delta_px, glm::vec2 size) {
  const Axes a = axes(*this);
  const float metres_per_px = 2.0f * distance * std::tan(0.5f * fov) / std::max(size.y, 1.0f);
  target += metres_per_px * (delta_px.y * a.up - delta_px.x * a.right);
}

void Camera::zoom(float notches, glm::vec2 pixel, glm::vec2 size) {
  const float wanted = std::clamp(distance * std::pow(0.88f, notches), min_distance, max_distance);
  const float factor = wanted / distance;
  // The point under the cursor, in the plane of the target, must stay under the cursor.
  const Ray towards = ray(pixel, size);
  const glm::vec3 ahead = forward();
  const float along = glm::dot(towards.direction, ahead);
  const float depth = glm::dot(target - towards.origin, ahead);
  const glm::vec3 under = towards.origin + towards.direction * (depth / along);
  target = under + (target - under) * factor;
  distance = wanted;
}

void Camera::stay_above(float height) {
  constexpr float headroom = 0.01f;  // share of the distance, like the near plane
  target.y = std::max(target.y, height);
  const float least = (height - target.y) / distance + headroom;
  pitch = std::max(pitch, std::asin(std::clamp(least, -1.0f, 1.0f)));
}

void Camera::step_aside(glm::vec2 shift, int width, int height) {
  const Axes a = axes(*this);
  target += shift.x * a.right + shift.y * a.up;
  const float slope = std::tan(0.5f * fov) * distance;
  middle += shift / (slope * glm::vec2(aspect_of({width, height}), 1.0f));
}

void Camera::stand_in(const OpenArea& area) { middle = to_ndc(area.corner + 0.5f * area.size, area.picture); }

void Camera::frame(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area) {
  const glm::vec3 half = 0.5f * (bounds_max - bounds_min);
  if (!std::isfinite(glm::length(half))) return;
  target = 0.5f * (bounds_min + bounds_max);
  const glm::vec3 room = fit_margin * glm::max(half, glm::vec3(5e-4f));
  const Fit needed = fit(*this, target - room, target + room, slopes(*this, area));
  const Axes a = axes(*this);
  target += needed.shift.x * a.right + needed.shift.y * a.up;
  distance = std::clamp(std::max(needed.distance.x, needed.distance.y), min_distance, max_distance);
}

void Camera::frame(const Reach& reach, glm::vec3 origin, const OpenArea& area) {
  if (reach.empty() || !std::isfinite(glm::length(origin))) return;
  const Axes a = axes(*this);
  const glm::vec2 shift = 0.5f * (reach.above - reach.below);
  const glm::vec2 needed = fit_margin * (reach.above + reach.below) / (2.0f * slopes(*this, area));
  target = origin + shift.x * a.right + shift.y * a.up;
  distance = std::clamp(std::max(needed.x, needed.y), min_distance, max_distance);
}

float Camera::distance_for(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area) const {
  constexpr float margin = 1.03f;
  const glm::vec2 t = slopes(*this, area);
  const Fit needed = fit(*this, bounds_min, bounds_max, t);
  // the target stays: the side that needs the larger distance decides
  const glm::vec2 wanted = margin * (needed.distance + glm::abs(needed.shift) / t);
  return std::max(wanted.x, wanted.y);
}

void Camera::reveal(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area) {
  if (!std::isfinite(glm::length(bounds_max - bounds_min))) return;
  constexpr float authored_aspect = 16.0f / 9.0f;
  const glm::vec2 t = slopes(*this, area);
  const float slope = std::tan(0.5f * fov);
  const float most = distance * std::max(authored_aspect * slope / t.x, slope / t.y);
  distance = std::clamp(std::min(distance_for(bounds_min, bounds_max, area), most), distance, max_distance);
}

}  // namespace limber
