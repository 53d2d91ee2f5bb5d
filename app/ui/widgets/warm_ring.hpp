// Draws the ring of the heat brush while the mouse button is down.
#pragma once

#include <glm/vec2.hpp>

namespace limber::ui {

/// Draws over the picture and under the panels. `sign`: 1 warms, -1 cools, 0 draws nothing.
void warm_ring(int sign, glm::vec2 middle, float radius);

}  // namespace limber::ui
