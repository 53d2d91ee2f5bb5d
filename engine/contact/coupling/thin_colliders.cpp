#include "engine/contact/coupling/thin_colliders.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

real rest_length(const World& world, std::int32_t i, std::int32_t j) {
  const std::vector<vec3>& rest = world.topology->surface.rest;
  return glm::length(rest[std::size_t(i)] - rest[std::size_t(j)]);
}

/// The collider as a convex solid with the number `body`; reach 0 if it is none.
PlacedShape solid_of(const Collider& collider, std::int32_t body) {
  PlacedShape out;
  out.body = body;
  out.shape.size = collider.size;
  switch (collider.shape) {
    case ColliderShape::sphere:
      out.shape.kind = ConvexKind::sphere;
      break;
    case ColliderShape::box:
      out.shape.kind = ConvexKind::box;
      break;
    case ColliderShape::capsule:
      out.shape.kind = ConvexKind::capsule;
      break;
    case ColliderShape::plane:
    case ColliderShape::mesh:
      return out;
  }
  out.reach = bounding_radius(out.shape);
  return out;
}

/// m, width of the gap through which a shape passes, at least with its rim.
real width_of(const ConvexShape& shape) {
  const vec3& s = shape.size;
  return 2 * (shape.kind == ConvexKind::box ? std::min({s.x, s.y, s.z}) : s.x);
}

/// Whether an edge of `length` m can meet the shape where neither of the vertices does.
bool is_long(const World& world, const ConvexShape& shape, std::int32_t vertex, real length) {
  constexpr real most_stretch = 2;  // a mesh that hangs on few vertices opens
  if (!world.topology->surface.is_rod(std::size_t(vertex))) return most_stretch * length > width_of(shape);
  if (shape.kind == ConvexKind::box) return true;  // its edges cut into segments
  return length * length > thickness_at(world, std::size_t(vertex)) * 2 * shape.size.x;
}

}  // namespace

void ThinColliders::list(const World& world) {
  const Topology& topology = *world.topology;
  bodies_ = world.bodies.count();
  shapes_.clear();
  longest_.assign(topology.objects.size(), real(0));
  if (world.colliders.empty() || topology.facets() == 0) return;
  for (std::int32_t t = 0; t < topology.facets(); ++t) {
    const auto corners = topology.facet(t);
    // Balls and clusters have a contact for each particle, fluids none at all.
    if (topology.matter.takes_part(corners[0])) continue;
    real& longest = longest_[std::size_t(world.particles.object[std::size_t(corners[0])])];
    for (std::size_t e = 0; e < 3; ++e)
      longest = std::max(longest, rest_length(world, corners[e], corners[(e + 1) % 3]));
  }
  for (std::size_t c = 0; c < world.colliders.size(); ++c) {
    PlacedShape solid = solid_of(world.colliders[c], world.bodies.count() + std::int32_t(c));
    if (!(solid.reach > real(0))) continue;
    bool meets = false;
    for (std::size_t o = 0; o < longest_.size() && !meets; ++o)
      meets = longest_[o] > real(0) && is_long(world, solid.shape, topology.objects[o].first, longest_[o]) &&
              particle_touches_collider(world, topology.objects[o].first, c);
    if (meets) shapes_.push_back(std::move(solid));
  }
  places_.resize(shapes_.size());
  travel_.assign(shapes_.size(), real(0));
  frames_.assign(frame_rows * world.colliders.size(), vec4(0));
}

void ThinColliders::place(const World& world, const StaticContacts& statics, int substep) {
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    const std::size_t c = std::size_t(shapes_[k].body - world.bodies.count());
    const StaticContacts::Pose* const before = substep > 0 ? statics.pose(world, substep - 1, c) : nullptr;
    const Collider& collider = world.colliders[c];
    places_[k] =
        before ? Placed{before->position, before->rotation} : Placed{collider.position, collider.rotation};
    shapes_[k].shape.size = collider.size;
    travel_[k] = statics.travel(c, shapes_[k].reach);
    statics.take_motion(world, substep, c, frame(shapes_[k].body));
  }
}

bool ThinColliders::spans(const World& world, std::size_t k, std::int32_t i, std::int32_t j) const {
  return !world.topology->matter.takes_part(i) &&
         is_long(world, shapes_[k].shape, i, rest_length(world, i, j));
}

}}  // namespace limber::LIMBER_PRECISION
