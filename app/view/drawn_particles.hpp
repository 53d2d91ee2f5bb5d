// Particles of an object that are drawn as spheres.
#pragma once

#include <cstdint>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/scene/build/scene_model.hpp"

namespace limber {

struct DrawnParticles {
  Index first_vertex = 0;
  float radius = 0.0f;                ///< m
  std::vector<std::uint32_t> colors;  ///< of each, packed_light()
};

/// m, of the spheres that particles are drawn as: small against the gaps, so that the springs stay visible.
float drawn_radius(const ObjectModel& object);

DrawnParticles particles_of(const ObjectModel& object);

/// The colour of a number of the frame's heat, linear RGB.
glm::vec3 heat_light(const RenderFrame& frame, float value);

/// Where they are now; in the colours of the frame's heat if it has one.
void add_points(const std::vector<DrawnParticles>& list, RenderFrame& frame);

}  // namespace limber
