// The subject of a picture: the moving things, and obstacles near them.
#pragma once

#include "app/render/reach.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// Reach of the simulated things: present vertices, particles with their radius, and movable bodies. Once the
/// scene runs, leaves out the few particles and bodies that are far from all others. Empty while nothing is
/// present.
Reach reach_of_subject(const RenderFrame& frame, const Camera& camera, const OpenArea& area,
                       glm::vec3 origin);

/// Whether most vertices are fluid that has not been emitted yet.
bool is_yet_to_come(const RenderFrame& frame);

/// Reach of the subject, obstacles near it, and the ground below if it is near, because things fall.
Reach reach_of_surroundings(const RenderFrame& frame, const Reach& subject, const Camera& camera,
                            const OpenArea& area, glm::vec3 origin);

}  // namespace limber
