// Finds the vertex or the body under the cursor.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/render/camera.hpp"
#include "app/view/render_frame.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// The nearest surface along a ray.
struct SurfaceHit {
  float distance = 0.0f;       ///< m along the ray
  std::int64_t triangle = -1;  ///< index of the triangle's first entry in the frame's index list; -1: no
                               ///< triangle
  Index vertex = -1;           ///< the particle that was hit; -1: none
  std::int32_t body = -1;      ///< the rigid body that was hit; -1: none
};

/// First surface that the ray hits: triangles (both sides), particles, solids, the ground. `skip`: a particle
/// to ignore, -1 for none.
std::optional<SurfaceHit> cast_ray(const RenderFrame& frame, const Ray& ray, Index skip = -1);

/// The vertex that a press at `pixel` grabs: the particle that was hit, or the corner nearest to the hit
/// point of the triangle that was hit. If nothing was hit: the visible vertex whose projection is nearest to
/// the cursor, within `reach_px`.
std::optional<Index> pick_vertex(const RenderFrame& frame, const Camera& camera, glm::vec2 pixel,
                                 glm::vec2 size, float reach_px = 12.0f);

}  // namespace limber
