#include "engine/collision/collider_surface.hpp"

namespace limber::inline LIMBER_PRECISION {

SurfaceDistance<real> local_distance(const Collider& collider, const vec3& local) {
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
      found = collider.field->at(local / collider.size.x + collider.field_center);
      found.d *= collider.size.x;
      break;
  }
  return found;
}

real local_entry(const Collider& collider, const vec3& from, const vec3& step, real radius) {
  switch (collider.shape) {
    case ColliderShape::plane:
      return plane_entry(from, step, radius);
    case ColliderShape::sphere:
      return sphere_entry(from, step, collider.size.x + radius);
    case ColliderShape::box:
      return box_entry(from, step, collider.size, radius);
    case ColliderShape::capsule:
      return capsule_entry(from, step, collider.size.x + radius, collider.size.y);
    case ColliderShape::mesh:
      break;
  }
  // half a cell: a shell is at least two thick
  const real shortest = real(0.5 * collider.field->cell) * collider.size.x;
  return traced_entry(from, step, radius, shortest,
                      [&](const vec3& local) { return local_distance(collider, local).d; });
}

SurfacePoint closest(const Collider& collider, vec3 point) {
  const vec3 local = (point - collider.position) * collider.rotation;  // transpose(rotation) * d
  const SurfaceDistance<real> found = local_distance(collider, local);
  return {found.d, collider.rotation * found.n};
}

}  // namespace limber::inline LIMBER_PRECISION
