#include "app/render/depth_range.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace limber {
namespace {

/// Texels outside the outline that a filter reads.
constexpr int margin = 3;

}  // namespace

glm::vec2 depth_of_inverse(const glm::mat4& clip_from_world) {
  const glm::dmat4 rows = glm::transpose(glm::dmat4(clip_from_world));
  const glm::dvec3 z(rows[2]), w(rows[3]);
  const double x = glm::dot(z, w) / glm::dot(w, w);
  return {0.5 + 0.5 * x, 0.5 * (rows[2].w - x * rows[3].w)};
}

glm::ivec4 seen_part(const glm::vec3& least, const glm::vec3& most, const glm::mat4& clip_from_world,
                     const glm::ivec4& place) {
  glm::vec2 low(1e9f), high(-1e9f);
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 upper(corner & 1, corner >> 1 & 1, corner >> 2);
    const glm::vec4 clip = clip_from_world * glm::vec4(glm::mix(least, most, upper), 1.0f);
    if (!(clip.w > 1e-3f)) return place;
    low = glm::min(low, glm::vec2(clip) / clip.w);
    high = glm::max(high, glm::vec2(clip) / clip.w);
  }
  const glm::vec2 size(place.z, place.w);
  const auto pixel = [&](const glm::vec2& at) {
    return glm::ivec2(glm::floor(glm::clamp((0.5f * at + 0.5f) * size, glm::vec2(0.0f), size)));
  };
  const glm::ivec2 first = glm::max(pixel(low) - margin, glm::ivec2(0));
  const glm::ivec2 last = glm::min(pixel(high) + 1 + margin, glm::ivec2(size));
  return {glm::ivec2(place) + first, glm::max(last - first, glm::ivec2(0))};
}

}  // namespace limber
