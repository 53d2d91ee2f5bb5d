#include "engine/contact/colliders/collider_surface.hpp"

#include <cmath>
#include <limits>

#include "engine/geometry/field/sharp_surface.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Limit in half cells: if the field is nearer than the sharp surface by more than this, the edge is concave.
constexpr real looks_in = real(0.02);

/// Converts a point of a mesh's own frame to the frame of its distance field.
glm::dvec3 in_field(const Collider& mesh, const vec3& local) {
  return glm::dvec3(local) / double(mesh.size.x) + glm::dvec3(mesh.field_center);
}

SurfaceDistance<real> sharpened(const Collider& mesh, const vec3& local, const SurfaceDistance<real>& rough,
                                real within) {
  const double size = double(mesh.size.x);
  const SurfaceDistance<double> out = mesh.sharp->at(
      in_field(mesh, local), {double(rough.d) / size, glm::dvec3(rough.n)}, double(within) / size);
  return {real(out.d * size), vec3(out.n)};
}

}  // namespace

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
  return traced_entry(from, step, radius, shortest_step(collider),
                      [&](const vec3& local) { return local_distance(collider, local).d; });
}

SurfaceDistance<real> sharp_distance(const Collider& mesh, const vec3& local, real within) {
  const SurfaceDistance<real> rough = local_distance(mesh, local);
  return mesh.sharp ? sharpened(mesh, local, rough, within) : rough;
}

SurfaceDistance<real> edged_distance(const Collider& collider, const vec3& local, real within) {
  const SurfaceDistance<real> rough = local_distance(collider, local);
  const real away = std::abs(rough.d);
  if (!collider.sharp || !(away < within) || !collider.sharp->near_edge(in_field(collider, local)))
    return rough;
  const real fine = looks_in * shortest_step(collider);
  const SurfaceDistance<real> sharp = sharpened(collider, local, rough, away + 2 * shortest_step(collider));
  return sharp.d < rough.d + fine ? sharp : rough;
}

SurfacePoint closest(const Collider& collider, vec3 point) {
  // Transpose(rotation) * (point - position).
  const vec3 local = (point - collider.position) * collider.rotation;
  const SurfaceDistance<real> found = edged_distance(collider, local, std::numeric_limits<real>::max());
  return {found.d, collider.rotation * found.n};
}

}}  // namespace limber::LIMBER_PRECISION
