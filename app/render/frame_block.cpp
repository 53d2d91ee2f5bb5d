#include "app/render/frame_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>

namespace limber {
namespace {

/// Rounds up to the next step of a scale with four steps per octave.
float stepped(float length) { return std::exp2(std::ceil(4.0f * std::log2(length)) / 4.0f); }

bool is_finite(glm::vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Clips a convex polygon to the half space dot(plane, point) >= 0.
std::vector<glm::dvec3> cut(const std::vector<glm::dvec3>& polygon, const glm::dvec4& plane) {
  std::vector<glm::dvec3> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const glm::dvec3 &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
    const double a = glm::dot(plane, glm::dvec4(from, 1.0)), b = glm::dot(plane, glm::dvec4(to, 1.0));
    if (a >= 0.0) out.push_back(from);
    if ((a >= 0.0) != (b >= 0.0)) out.push_back(glm::mix(from, to, a / (a - b)));
  }
  return out;
}

/// Face of a box across `axis`, at its low or high end.
std::vector<glm::dvec3> face_of(const glm::dvec3& low, const glm::dvec3& high, int axis, bool upper) {
  std::vector<glm::dvec3> corners;
  for (const int turn : {0, 1, 3, 2}) {
    glm::dvec3 corner;
    corner[axis] = upper ? high[axis] : low[axis];
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    corner[a] = turn & 1 ? high[a] : low[a];
    corner[b] = turn & 2 ? high[b] : low[b];
    corners.push_back(corner);
  }
  return corners;
}

}  // namespace

Bounds usable_bounds(const RenderFrame& frame) {
  if (!is_finite(frame.bounds_min) || !is_finite(frame.bounds_max))
    return {glm::vec3(-1.0f), glm::vec3(1.0f)};
  constexpr float largest = 1e5f;  // m; beyond this a 32-bit light matrix has no resolution
  const glm::vec3 low = glm::clamp(glm::min(frame.bounds_min, frame.bounds_max), -largest, largest);
  const glm::vec3 high = glm::clamp(glm::max(frame.bounds_min, frame.bounds_max), -largest, largest);
  const glm::vec3 half = glm::max(0.5f * (high - low), glm::vec3(0.5e-3f));
  const glm::vec3 center = 0.5f * (low + high);
  return {center - half, center + half};
}

std::vector<glm::vec3> seen_corners(const glm::mat4& clip_from_world, const glm::vec3& eye,
                                    const Bounds& bounds, bool with_ground) {
  const glm::dmat4 rows = glm::transpose(glm::dmat4(clip_from_world));
  const std::array<glm::dvec4, 5> planes{rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1],
                                         rows[3] - rows[1], rows[3] + rows[2]};
  std::vector<glm::vec3> out;
  const auto add = [&](std::vector<glm::dvec3> polygon) {
    for (const glm::dvec4& plane : planes) polygon = cut(polygon, plane);
    for (const glm::dvec3& corner : polygon) out.emplace_back(corner);
  };
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) add(face_of(bounds.min, bounds.max, axis, upper));
  if (glm::all(glm::greaterThanEqual(eye, bounds.min)) && glm::all(glm::lessThanEqual(eye, bounds.max)))
    out.push_back(eye);
  if (with_ground) {
    const double reach = 8.0 * double(glm::length(bounds.extent()));  // for long shadows
    const glm::dvec3 middle = bounds.center();
    add(face_of({middle.x - reach, 0.0, middle.z - reach}, {middle.x + reach, 0.0, middle.z + reach}, 1,
                true));
  }
  return out;
}

BoxView light_view(const glm::vec3& towards, const Bounds& bounds, std::span<const glm::vec3> seen,
                   int texels) {
  const glm::vec3 up =
      std::abs(towards.z) < 0.9f ? glm::vec3(0.0f, 0.0f, -1.0f) : glm::vec3(-1.0f, 0.0f, 0.0f);
  const glm::mat4 turn = glm::lookAt(glm::vec3(0.0f), -towards, up);
  const glm::vec3 center = glm::vec3(turn * glm::vec4(bounds.center(), 1.0f));
  const glm::mat3 axes(turn);
  const glm::vec3 e = 0.5f * bounds.extent();
  const glm::vec3 half = glm::abs(axes[0]) * e.x + glm::abs(axes[1]) * e.y + glm::abs(axes[2]) * e.z;

  glm::vec2 low = glm::vec2(center) - glm::vec2(half), high = glm::vec2(center) + glm::vec2(half);
  if (!seen.empty()) {
    glm::vec2 first(1e30f), last(-1e30f);
    for (const glm::vec3& corner : seen) {
      const glm::vec2 at(turn * glm::vec4(corner, 1.0f));
      first = glm::min(first, at), last = glm::max(last, at);
    }
    first = glm::max(first, low), last = glm::min(last, high);
    if (first.x < last.x && first.y < last.y) low = first, high = last;
  }

  // Two texels of margin for the filter.
  const float margin = 1.0f + 4.0f / float(texels);
  const glm::vec2 radius(margin * stepped(0.5f * (high.x - low.x)),
                         margin * stepped(0.5f * (high.y - low.y)));
  const glm::vec2 texel = 2.0f * radius / float(texels);
  const glm::vec2 snapped = glm::floor(0.5f * (low + high) / texel) * texel;
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
  // All rays of an orthographic picture have one direction, so the sky has one colour.
  const float slope = in.camera.orthographic ? 0.0f : std::tan(0.5f * in.camera.fov);
  const float radius = 0.5f * glm::length(in.bounds.extent());
  const float reach = in.camera.distance + radius;

  const glm::mat4 to_texture =
      glm::translate(glm::mat4(1.0f), glm::vec3(0.5f)) * glm::scale(glm::mat4(1.0f), glm::vec3(0.5f));
  const float fog_depth = (2.6f * radius + 1.6f * reach) / in.look.haze;
  const float texels = float(std::max(in.shadow_texels, 1));

  FrameBlock block;
  block.sun_from_world = to_texture * in.sun.clip_from_world;
  for (std::size_t i = 0; i < skies; ++i) {
    block.sky_from_world[i] = to_texture * in.sky[i].clip_from_world;
    block.sky[i] = {in.drawing.sky[i], in.sky[i].texel};
    block.sky_light[i] = glm::vec4(light_from(in.look, in.drawing.sky[i]), 0.0f);
  }
  block.eye = eye_of(in.camera, in.size);
  block.right = {view[0][0], view[1][0], view[2][0], slope * in.size.x / in.size.y};
  block.up = {view[0][1], view[1][1], view[2][1], slope};
  block.forward = {-view[0][2], -view[1][2], -view[2][2], 0.0f};
  block.viewport = {in.size, 1.0f / in.size};
  block.sun = {in.sun_towards, in.shadows ? 1.0f : 0.0f};
  block.shadow = {in.sun.texel, texels, 1.0f / texels, in.fluid_shadow ? in.sun.height : 0.0f};
  block.occlusion = in.ground_rectangle;
  block.air = {reach, 1.0f / fog_depth, in.ground_cell, reach + 4.0f * fog_depth};
  block.middle = {in.camera.middle, in.ground ? 1.0f : 0.0f,
                  in.drawing.many || in.sharp_shadows ? 1.0f : 0.0f};
  const StageLook& look = in.look;
  block.sun_light = glm::vec4(look.sun, in.drawing.depth * in.clear_path);
  block.bounce = glm::vec4(look.bounce, 0.0f);
  block.dome_low = glm::vec4(look.horizon, in.backdrop ? 1.0f : 0.0f);
  block.dome_high = glm::vec4(look.zenith, in.backdrop.value_or(0.0f));
  block.far = glm::vec4(look.far, look.exposure);
  block.above = glm::vec4(look.above, look.white);
  block.ground = glm::vec4(look.ground, float(look.pattern));
  block.ground_mark = glm::vec4(look.ground_mark, look.corner);
  const std::array<glm::vec3, 9> by_normal = light_by_normal(look);
  for (std::size_t i = 0; i < by_normal.size(); ++i) block.by_normal[i] = glm::vec4(by_normal[i], 0.0f);
  return block;
}

}  // namespace limber
