// Depths in the depth buffer, and the part of a viewport that shows a box.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace limber {

/// Coefficients {x, y}: a point at inverse depth w (1/m along the view) has the depth buffer value x + y w.
glm::vec2 depth_of_inverse(const glm::mat4& clip_from_world);

/// The part of the viewport `place` in which a box may be visible, with a margin; all of it if the box
/// reaches behind the eye. `least`, `most`: corners of the box, m.
glm::ivec4 seen_part(const glm::vec3& least, const glm::vec3& most, const glm::mat4& clip_from_world,
                     const glm::ivec4& place);

}  // namespace limber
