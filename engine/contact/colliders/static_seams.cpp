// The part of StaticContacts that knows neighbours: contacts with the covered sides of colliders.
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/settings/material.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// The share of a particle's thickness by which a collider may stand out of the one beside it and be level.
constexpr real seam_tolerance = real(6e-3);
constexpr real one_plane = real(0.9999);  // cosine between normals that are one

}  // namespace

/// The largest of dot(along, x - origin) over the points x of a collider at the end of a substep; of a mesh,
/// whose extent says little of its surface near the particle, unknown.
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

/// Whether the collider of `support` covers the side that `contact` is on, as in SeamContacts. The particle
/// is where the origin is.
bool StaticContacts::covers(const World& world, int substep, const StaticContact& support,
                            const StaticContact& contact, const vec3& x, real thickness) const {
  const vec3 &m = support.normal, &n = contact.normal;
  const real cosine = glm::dot(m, n), tolerance = seam_tolerance * thickness;
  if (support.collider == contact.collider || cosine > one_plane || cosine < real(-0.1)) return false;
  const real top = height(world, support.collider, substep, x, m);
  if (top > real(0) || !(height(world, contact.collider, substep, x, m) <= top + tolerance)) return false;
  return height(world, support.collider, substep, x, n) >
         height(world, contact.collider, substep, x, n) + tolerance;
}

/// Takes out of the contacts of one particle, [first, end), those that another collider covers; returns the
/// new end.
StaticContact* StaticContacts::drop_covered(const World& world, int substep, StaticContact* first,
                                            StaticContact* end) const {
  if (end - first < 2) return end;
  const std::size_t i = std::size_t(first->particle);
  const vec3 x(world.particles.previous[i]);
  const real thickness = real(world.settings.materials[std::size_t(world.particles.object[i])].thickness);
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

}  // namespace limber::inline LIMBER_PRECISION
