// Particles drawn as spheres: 20 bytes each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace limber {

/// Points `first`, `first` + 1, ... represent the particles `first_vertex`, `first_vertex` + 1, ...
struct PointRange {
  std::int32_t first_vertex = 0;  ///< external id
  std::int32_t first = 0, count = 0;
};

/// Spheres and colours. Both arrays have the same length.
struct PointCloud {
  std::vector<glm::vec4> spheres;     ///< m: centre and radius
  std::vector<std::uint32_t> colors;  ///< packed_light()
  std::vector<PointRange> ranges;     ///< ascending, without gaps
  /// First point of fluids whose surface can be drawn, and the radius of their particles (m).
  std::size_t fluid_first = std::size_t(-1);
  float fluid_radius = 0.0f;
  /// First point and number of points of spray, which casts no shadow.
  std::size_t spray_first = 0, spray_count = 0;
  /// First point inserted between particles of a fluid. Such points only serve the fluid's surface.
  std::size_t between_first = std::size_t(-1);

  std::size_t size() const { return spheres.size(); }
  bool is_spray(std::size_t point) const { return point >= spray_first && point < spray_first + spray_count; }
  void clear() {
    spheres.clear(), colors.clear(), ranges.clear();
    fluid_first = between_first = std::size_t(-1), spray_first = spray_count = 0;
  }

  /// Starts a range: the next `count` points represent the particles from `first_vertex` on.
  void begin_range(std::int32_t first_vertex, std::int32_t count) {
    ranges.push_back({first_vertex, std::int32_t(size()), count});
  }
  void add(const glm::vec3& center, float radius, std::uint32_t color) {
    spheres.emplace_back(center, radius);
    colors.push_back(color);
  }

  /// External id of the particle that a point represents; -1 if there is none.
  std::int32_t vertex_of(std::size_t point) const {
    const auto after = std::upper_bound(
        ranges.begin(), ranges.end(), point,
        [](std::size_t p, const PointRange& range) { return std::int64_t(p) < std::int64_t(range.first); });
    if (after == ranges.begin()) return -1;
    const PointRange& range = *(after - 1);
    const std::int32_t place = std::int32_t(point) - range.first;
    return place < range.count ? range.first_vertex + place : -1;
  }
};

/// Packs linear RGB from 0 to 1 into eight bits per channel, red lowest. Stores square roots, which keeps
/// dark colours apart. The highest byte is the opacity of a fluid's surface, 0 to 1.
inline std::uint32_t packed_light(const glm::vec3& light, float opacity = 0.0f) {
  const auto channel = [](float value) {
    return std::uint32_t(std::lround(255.0f * std::sqrt(std::clamp(value, 0.0f, 1.0f))));
  };
  const auto hidden = std::uint32_t(std::lround(255.0f * std::clamp(opacity, 0.0f, 1.0f)));
  return channel(light.x) | channel(light.y) << 8 | channel(light.z) << 16 | hidden << 24;
}

}  // namespace limber
