// Draws the line of a cut while the mouse button is down.
#pragma once

#include <glm/vec2.hpp>
#include <span>

namespace limber::ui {

/// Draws over the picture and under the panels. `trail`: positions in window units from `corner`, oldest
/// first.
void cut_line(std::span<const glm::vec2> trail, glm::vec2 corner);

}  // namespace limber::ui
