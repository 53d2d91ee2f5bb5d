// The vertex or the body under the cursor.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/render/camera.hpp"
#include "app/view/render_frame.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// The nearest thing along a ray.
struct SurfaceHit {
  float distance = 0.0f;       ///< m along the ray
  std::int64_t triangle = -1;  ///< index of its first entry in the frame's index list; -1: anything else
  Index vertex = -1;           ///< the particle that was hit, if it was one
  std::int32_t body = -1;      ///< the rigid body, if it was one
};

/// First surface that the ray meets: triangles (both sides), solids, the ground. `skip` is a particle to look
/// past, -1 for none.
std::optional<SurfaceHit> cast_ray(const RenderFrame& frame, const Ray& ray, Index skip = -1);

/// The vertex a press at `pixel` takes: the one nearest to the hit point on the hit triangle, or the particle
/// that was hit; otherwise the visible vertex whose projection is nearest, within `reach_px` of the cursor.
std::optional<Index> pick_vertex(const RenderFrame& frame, const Camera& camera, glm::vec2 pixel,
                                 glm::vec2 size, float reach_px = 12.0f);

}  // namespace limber
