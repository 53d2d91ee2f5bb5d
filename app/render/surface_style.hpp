// Size of pattern and weave on a piece of cloth, independent of its uv units.
#pragma once

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "app/view/render_frame.hpp"

namespace limber {

/// Parameters of the surface shader for one SurfaceDraw.
struct SurfaceStyle {
  glm::vec2 uv_origin{0.0f};     ///< low corner of the draw's uv rectangle
  glm::vec2 uv_to_metres{0.0f};  ///< scale of u and v; 0 switches pattern and weave off
  glm::vec2 size{0.0f};          ///< m, the uv rectangle
  glm::vec2 cells{1.0f};         ///< stripes or checker cells along u and v, whole numbers
  float thread = 0.0f;           ///< m from one thread of the weave to the next
  glm::vec3 accent{0.0f};        ///< linear RGB of the pattern
};

/// Measures the mean length of u and v at the given positions (root mean square over the triangles, weighted
/// by uv area). A draw without usable uv gets neither pattern nor weave.
SurfaceStyle make_surface_style(const SurfaceDraw& draw, const SurfaceTopology& topology,
                                std::span<const glm::vec3> positions);

}  // namespace limber
