#include "engine/contact/colliders/collider_surface.hpp"

#include "engine/geometry/field/sharp_surface.hpp"

namespace limber::inline LIMBER_PRECISION {

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

SurfaceDistance<real> sharp_distance(const Collider& mesh, const vec3& local, real within) {
  const SurfaceDistance<real> rough = local_distance(mesh, local);
  if (!mesh.sharp) return rough;
  const double size = double(mesh.size.x);
  const SurfaceDistance<double> out =
      mesh.sharp->at(glm::dvec3(local) / size + glm::dvec3(mesh.field_center),
                     {double(rough.d) / size, glm::dvec3(rough.n)}, double(within) / size);
  return {real(out.d * size), vec3(out.n)};
}

SurfacePoint closest(const Collider& collider, vec3 point) {
  const vec3 local = (point - collider.position) * collider.rotation;  // transpose(rotation) * d
  const SurfaceDistance<real> found = local_distance(collider, local);
  return {found.d, collider.rotation * found.n};
}

}  // namespace limber::inline LIMBER_PRECISION
