#include "app/view/drawn_particles.hpp"

#include <algorithm>
#include <cmath>

#include "app/view/color_map.hpp"

namespace limber {

float drawn_radius(const ObjectModel& object) {
  const float count = float(std::max<Index>(object.vertex_count, 1));
  return object.radius > 0.0f ? object.radius : std::clamp(0.12f / std::sqrt(count), 0.012f, 0.05f);
}

DrawnParticles particles_of(const ObjectModel& object) {
  DrawnParticles own{object.first_vertex, drawn_radius(object), {}};
  own.colors.assign(std::size_t(object.vertex_count), packed_light(object.color, object.opacity));
  // grains have different colours; drops of a fluid would appear as spots
  for (std::size_t i = 0; !object.fluid && i < object.colors.size() && i < own.colors.size(); ++i)
    own.colors[i] = packed_light(object.colors[i]);
  return own;
}

glm::vec3 heat_light(const RenderFrame& frame, float value) {
  const HeatScale& scale = frame.heat_scale;
  return heat_light(scale.colors, (value - scale.low) / std::max(scale.high - scale.low, 1e-30f));
}

void add_points(const std::vector<DrawnParticles>& list, RenderFrame& frame) {
  for (const DrawnParticles& object : list) {
    frame.points.begin_range(std::int32_t(object.first_vertex), std::int32_t(object.colors.size()));
    for (std::size_t i = 0; i < object.colors.size(); ++i) {
      const std::size_t vertex = std::size_t(object.first_vertex) + i;
      frame.points.add(
          frame.positions[vertex], object.radius,
          frame.heat.empty() ? object.colors[i] : packed_light(heat_light(frame, frame.heat[vertex])));
    }
  }
}

}  // namespace limber
