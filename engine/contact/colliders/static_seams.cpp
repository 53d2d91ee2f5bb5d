// The part of StaticContacts that drops contacts with sides of colliders that neighbouring colliders cover.
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Share of a particle's thickness by which one collider may stand above its neighbour and still count as
/// level.
constexpr real seam_tolerance = real(6e-3);
constexpr real one_plane = real(0.9999);  // least cosine between the normals of planes that count as one

}  // namespace

/// Largest dot(along, x - origin) over the points x of a collider that is no mesh, at the end of a substep.
real StaticContacts::height(const World& world, std::int32_t c, int substep, const vec3& origin,
                            const vec3& along) const {
  constexpr real unknown = std::numeric_limits<real>::max();
  const Collider& collider = world.colliders[std::size_t(c)];
  const Pose* const at = pose(world, substep, std::size_t(c));
  const vec3& s = collider.size;
  const vec3 local = along * (at ? at->rotation : collider.rotation);
  const real middle = glm::dot(along, (at ? at->position : collider.position) - origin);
  switch (collider.shape) {
    case ColliderShape::plane:
      return local.y > one_plane ? middle : unknown;
    case ColliderShape::sphere:
      return middle + s.x;
    case ColliderShape::box:
      return middle + glm::dot(glm::abs(local), s);
    case ColliderShape::capsule:
      return middle + s.x + std::abs(local.y) * s.y;
    case ColliderShape::mesh:
      break;
  }
  return unknown;
}

/// Distance of a point from collider `c` at the end of a substep, and the direction away from the collider.
SurfaceDistance<real> StaticContacts::sharp_at(const World& world, std::int32_t c, int substep, const vec3& p,
                                               real within) const {
  const Collider& collider = world.colliders[std::size_t(c)];
  const Pose* const at = pose(world, substep, std::size_t(c));
  const mat3& rotation = at ? at->rotation : collider.rotation;
  const SurfaceDistance<real> near =
      sharp_distance(collider, (p - (at ? at->position : collider.position)) * rotation, within);
  return {near.d, rotation * near.n};
}

/// covers() if one of the two colliders is a mesh, which is only known within `within` of the particle at
/// `x`. Tests the mesh's surface under the particle instead of its top, and whether the mesh is solid next to
/// the seam instead of its side.
bool StaticContacts::covers_beside(const World& world, int substep, const StaticContact& support,
                                   const StaticContact& contact, const vec3& x, real within,
                                   real thickness) const {
  const auto poses = [&](const StaticContact& c) { return surface(std::size_t(c.collider)) != nullptr; };
  if (poses(support) || poses(contact)) return false;
  const real tolerance = seam_tolerance * thickness;
  const vec3 &m = support.normal, &n = contact.normal;
  const SurfaceDistance<real> ground = sharp_at(world, support.collider, substep, x, within),
                              side = sharp_at(world, contact.collider, substep, x, within);
  if (ground.d < real(0) || !(glm::dot(ground.n, m) > one_plane)) return false;
  const vec3 level = n - glm::dot(n, m) * m;
  const vec3 outwards = tolerance / glm::length(level) * level;
  const vec3 on_side = x - side.d * side.n;
  const real up = glm::dot(m, x - on_side) - ground.d;  // m, height of the ground above the point on the side
  if (up < -tolerance) return false;
  const vec3 seam = on_side + up * m;
  return sharp_at(world, contact.collider, substep, seam + tolerance * m - outwards, within).d > real(0) &&
         sharp_at(world, support.collider, substep, seam - tolerance * m + outwards, within).d <= real(0);
}

/// Whether the collider of `support` covers the side to which `contact` belongs, as in SeamContacts.
/// Coordinates are relative to the particle.
bool StaticContacts::covers(const World& world, int substep, const StaticContact& support,
                            const StaticContact& contact, const vec3& x, real thickness) const {
  const vec3 &m = support.normal, &n = contact.normal;
  const real cosine = glm::dot(m, n), tolerance = seam_tolerance * thickness;
  if (support.collider == contact.collider || cosine > one_plane || cosine < real(-0.1)) return false;
  const auto is_mesh = [&](std::int32_t c) {
    return world.colliders[std::size_t(c)].shape == ColliderShape::mesh;
  };
  if (is_mesh(support.collider) || is_mesh(contact.collider)) {
    const vec3 end(world.particles.position[std::size_t(contact.particle)]);
    const real within = glm::length(end - x) + 4 * thickness;
    return covers_beside(world, substep, support, contact, x, within, thickness) ||
           covers_beside(world, substep, support, contact, end, within, thickness);
  }
  const real top = height(world, support.collider, substep, x, m);
  if (top > real(0) || !(height(world, contact.collider, substep, x, m) <= top + tolerance)) return false;
  return height(world, support.collider, substep, x, n) >
         height(world, contact.collider, substep, x, n) + tolerance;
}

/// Removes from the contacts of one particle, [first, end), those that another collider covers. Returns the
/// new end.
StaticContact* StaticContacts::drop_covered(const World& world, int substep, StaticContact* first,
                                            StaticContact* end) const {
  if (end - first < 2) return end;
  const std::size_t i = std::size_t(first->particle);
  const vec3 x(world.particles.previous[i]);
  const real thickness = thickness_at(world, i);
  bool covered[per_particle_] = {};
  for (StaticContact* contact = first; contact != end; ++contact)
    for (StaticContact* support = first; support != end; ++support)
      covered[contact - first] |=
          support != contact && covers(world, substep, *support, *contact, x, thickness);
  StaticContact* kept = first;
  for (StaticContact* contact = first; contact != end; ++contact)
    if (!covered[contact - first]) *kept++ = *contact;
  return kept;
}

}}  // namespace limber::LIMBER_PRECISION
