// The line that a cut draws while the mouse is down.
#pragma once

#include <glm/vec2.hpp>
#include <span>

namespace limber::ui {

/// Over the picture, under the panels. `trail`: positions in the window's unit from `corner`, oldest first.
void cut_line(std::span<const glm::vec2> trail, glm::vec2 corner);

}  // namespace limber::ui
