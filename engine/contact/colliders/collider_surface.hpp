// The surface of a collider: distance of a point from it, and entry of a path into it.
#pragma once

#include <limits>

#include "engine/geometry/queries/sweeps.hpp"
#include "engine/state/collider.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Signed distance (m, negative inside) and unit outward normal at a point of the collider's own frame.
inline SurfaceDistance<real> local_distance(const Collider& collider, const vec3& local) {
  SurfaceDistance<real> found{};
  switch (collider.shape) {
    case ColliderShape::plane:
      found = plane_distance(local);
      break;
    case ColliderShape::sphere:
      found = sphere_distance(local, collider.size.x);
      break;
    case ColliderShape::box:
      found = box_distance(local, collider.size);
      break;
    case ColliderShape::capsule:
      found = capsule_distance(local, collider.size.x, collider.size.y);
      break;
    case ColliderShape::mesh:
      if (!collider.field) return {std::numeric_limits<real>::max(), vec3(0, 1, 0)};  // see PosedSurface
      found = collider.field->at(local / collider.size.x + collider.field_center);
      found.d *= collider.size.x;
      break;
  }
  return found;
}

/// Distance to a mesh of constant shape. Edges are sharp if they are nearer than `within` m.
SurfaceDistance<real> sharp_distance(const Collider& mesh, const vec3& local, real within);

/// local_distance() with sharp convex edges of a mesh, which its distance field rounds. Concave edges stay
/// rounded: one plane could not hold a particle that both faces stop.
SurfaceDistance<real> edged_distance(const Collider& collider, const vec3& local, real within);

/// Share of a straight path in the collider's own frame at which it enters the collider inflated by `radius`
/// m; see sweeps.hpp.
real local_entry(const Collider& collider, const vec3& from, const vec3& step, real radius);

/// m: half a cell of a mesh's distance field, the shortest step that resolves it; a shell is at least two
/// cells thick.
inline real shortest_step(const Collider& mesh) { return real(0.5 * mesh.field->cell) * mesh.size.x; }

/// Signed distance (m, negative inside) and unit outward normal of a collider at a world point.
struct SurfacePoint {
  real distance;
  vec3 normal;
};
SurfacePoint closest(const Collider& collider, vec3 point);

}}  // namespace limber::LIMBER_PRECISION
