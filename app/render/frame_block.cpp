#include "app/render/frame_block.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace limber {
namespace {

/// Next step of a scale with four steps per octave.
float stepped(float length) { return std::exp2(std::ceil(4.0f * std::log2(length)) / 4.0f); }

bool is_finite(glm::vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

Bounds usable_bounds(const RenderFrame& frame) {
  if (!is_finite(frame.bounds_min) || !is_finite(frame.bounds_max))
    return {glm::vec3(-1.0f), glm::vec3(1.0f)};
  constexpr float largest = 1e5f;  // m; beyond that a 32-bit light matrix resolves nothing
  const glm::vec3 low = glm::clamp(glm::min(frame.bounds_min, frame.bounds_max), -largest, largest);
  const glm::vec3 high = glm::clamp(glm::max(frame.bounds_min, frame.bounds_max), -largest, largest);
  const glm::vec3 half = glm::max(0.5f * (high - low), glm::vec3(0.5e-3f));
  const glm::vec3 center = 0.5f * (low + high);
  return {center - half, center + half};
}

glm::vec3 sun_direction() { return glm::normalize(glm::vec3(-0.58f, 0.78f, 0.26f)); }

BoxView light_view(const glm::vec3& towards, const Bounds& bounds, int texels) {
  const glm::vec3 up =
      std::abs(towards.z) < 0.9f ? glm::vec3(0.0f, 0.0f, -1.0f) : glm::vec3(-1.0f, 0.0f, 0.0f);
  const glm::mat4 turn = glm::lookAt(glm::vec3(0.0f), -towards, up);
  const glm::vec3 center = glm::vec3(turn * glm::vec4(bounds.center(), 1.0f));
  const glm::mat3 axes(turn);
  const glm::vec3 e = 0.5f * bounds.extent();
  const glm::vec3 half = glm::abs(axes[0]) * e.x + glm::abs(axes[1]) * e.y + glm::abs(axes[2]) * e.z;

  // Two texels of margin for the filter.
  const float margin = 1.0f + 4.0f / float(texels);
  const glm::vec2 radius(margin * stepped(half.x), margin * stepped(half.y));
  const glm::vec2 texel = 2.0f * radius / float(texels);
  const glm::vec2 snapped = glm::floor(glm::vec2(center) / texel) * texel;
  const glm::mat4 clip =
      glm::ortho(snapped.x - radius.x, snapped.x + radius.x, snapped.y - radius.y, snapped.y + radius.y,
                 -center.z - 1.05f * half.z, -center.z + 1.05f * half.z);
  return {clip * turn, std::max(texel.x, texel.y), 2.1f * half.z};
}

BoxView ground_view(const Bounds& bounds, glm::vec4& rectangle) {
  const glm::vec3 e = bounds.extent(), c = bounds.center();
  const float margin = 0.25f * std::max({e.x, e.y, e.z});
  const glm::vec2 half(stepped(0.5f * e.x + margin), stepped(0.5f * e.z + margin));
  const float height = std::max(bounds.max.y, 1e-3f);
  rectangle = {c.x - half.x, c.z - half.y, 0.5f / half.x, 0.5f / half.y};
  glm::mat4 clip(0.0f);  // x -> x, z -> y, height above the ground -> depth
  clip[0] = {1.0f / half.x, 0.0f, 0.0f, 0.0f};
  clip[1] = {0.0f, 0.0f, 2.0f / height, 0.0f};
  clip[2] = {0.0f, 1.0f / half.y, 0.0f, 0.0f};
  clip[3] = {-c.x / half.x, -c.z / half.y, -1.0f, 1.0f};
  return {clip, 0.0f, height};
}

glm::vec4 eye_of(const Camera& camera, glm::vec2 size) {
  return {camera.position(), 2.0f * std::tan(0.5f * camera.fov) / size.y};
}

FrameBlock make_frame_block(const FrameBlockInput& in) {
  const glm::mat4 view = in.camera.view();
  // The sky of an orthographic picture has one direction.
  const float slope = in.camera.orthographic ? 0.0f : std::tan(0.5f * in.camera.fov);
  const float radius = 0.5f * glm::length(in.bounds.extent());
  const float reach = in.camera.distance + radius;

  const glm::mat4 to_texture =
      glm::translate(glm::mat4(1.0f), glm::vec3(0.5f)) * glm::scale(glm::mat4(1.0f), glm::vec3(0.5f));
  const float fog_depth = 2.6f * radius + 1.6f * reach;
  const float texels = float(std::max(in.shadow_texels, 1));

  FrameBlock block;
  block.sun_from_world = to_texture * in.sun.clip_from_world;
  block.sky_from_world = to_texture * in.sky.clip_from_world;
  block.eye = eye_of(in.camera, in.size);
  block.right = {view[0][0], view[1][0], view[2][0], slope * in.size.x / in.size.y};
  block.up = {view[0][1], view[1][1], view[2][1], slope};
  block.forward = {-view[0][2], -view[1][2], -view[2][2], 0.0f};
  block.viewport = {in.size, 1.0f / in.size};
  block.sun = {in.sun_towards, in.shadows ? 1.0f : 0.0f};
  block.shadow = {in.sun.texel, texels, 1.0f / texels, in.fluid_shadow ? in.sun.height : 0.0f};
  block.sky = {in.sky_towards, in.sky.texel};
  block.occlusion = in.ground_rectangle;
  block.air = {reach, 1.0f / fog_depth, in.ground_cell, reach + 4.0f * fog_depth};
  block.middle = {in.camera.middle, in.ground ? 1.0f : 0.0f, 0.0f};
  return block;
}

}  // namespace limber
