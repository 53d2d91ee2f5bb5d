// Particles of an object drawn as spheres.
#pragma once

#include <cstdint>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {

struct DrawnParticles {
  Index first_vertex = 0;
  float radius = 0.0f;                ///< m
  std::vector<std::uint32_t> colors;  ///< per particle, packed_light()
};

/// Radius, m, of drawn particles: the object's particle radius. For objects without one 12 to 50 mm, smaller
/// for more vertices, so that the springs between them stay visible.
float drawn_radius(const ObjectModel& object);

DrawnParticles particles_of(const ObjectModel& object);

/// Colour of `value` in the frame's heat map, linear RGB.
glm::vec3 heat_light(const RenderFrame& frame, float value);

/// Adds the particles at their present positions. The frame's heat map, if any, gives their colours.
void add_points(const std::vector<DrawnParticles>& list, RenderFrame& frame);

}  // namespace limber
