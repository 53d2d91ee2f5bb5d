// The subject of a picture: what moves, and what stands near it.
#pragma once

#include "app/render/reach.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// The subject of a picture is what is simulated: vertices that are there, particles with their radius, and
/// bodies that nothing holds. Once the scene runs, without the few particles and bodies that have left all
/// others far behind. Empty where nothing is there yet.
Reach reach_of_subject(const RenderFrame& frame, const Camera& camera, const OpenArea& area,
                       glm::vec3 origin);

/// Whether most of the vertices are a fluid that has not come out of its mouth yet.
bool is_yet_to_come(const RenderFrame& frame);

/// The subject, obstacles near it, and the ground below it where that is near: things fall.
Reach reach_of_surroundings(const RenderFrame& frame, const Reach& subject, const Camera& camera,
                            const OpenArea& area, glm::vec3 origin);

}  // namespace limber
