// Polygons in which a plane cuts tetrahedra.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "app/view/clip_plane.hpp"
#include "app/view/render_frame.hpp"

namespace limber {

/// A corner of a triangle in the cutting plane.
struct SectionVertex {
  glm::vec3 position;
  glm::vec3 color;  ///< linear RGB
  glm::vec3 edge;   ///< component k is 0 at the side opposite corner k, if that is a side of the polygon
  float heat = 0.0f;
};

/// Intersects all tetrahedra of `frame` with the plane, solid by solid. `corners` gets triangles, three
/// corners each; `ends` gets, per TetDraw of the frame's surfaces, the index after its last corner.
/// Overwrites both.
void cut_tets(const RenderFrame& frame, const ClipPlane& plane, std::vector<SectionVertex>& corners,
              std::vector<std::uint32_t>& ends);

}  // namespace limber
