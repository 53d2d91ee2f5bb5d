#include "engine/contact/bodies/seam_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/convex/convex_distance.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real tolerance_share = real(6e-3);  // share of the body's least half extent
constexpr real deepest = 16;                  // in tolerances: largest overlap of a body with its support
constexpr real same_plane = real(0.9999);     // cosine between the normals of planes that count as one
constexpr real unchanged_normal = real(0.9999999);  // cosine above which a contact needs no other normal
// Least cosine between a contact's normal and the normal of its face.
constexpr real along_face = real(0.995);
constexpr real leaning = real(0.9);   // cosine above which normals differ little
constexpr real at_rest = real(0.01);  // in tolerances: largest motion of a resting body in a frame
constexpr real beyond = std::numeric_limits<real>::max();

/// Whether the solid is a mesh collider. Outside the distance field of a mesh, nearest points are inexact.
bool is_mesh(const World& world, std::int32_t solid) {
  const std::size_t s = std::size_t(solid), shapes = world.bodies.parts->shapes.size();
  return s >= shapes && world.colliders[s - shapes].shape == ColliderShape::mesh;
}

/// m, largest of dot(along, x - origin) over the points x of a solid.
real height_of(const ConvexShape& shape, const Placed& at, const vec3& origin, const vec3& along) {
  const vec3 local = along * at.rotation;
  return glm::dot(along, at.position - origin) + glm::dot(local, support(shape, local));
}

real height_of(const Bounds& box, const Placed& at, const vec3& origin, const vec3& along) {
  const vec3 local = along * at.rotation, middle = real(0.5) * (box.low + box.high),
             half = real(0.5) * (box.high - box.low);
  return glm::dot(along, at.position - origin) + glm::dot(local, middle) + glm::dot(glm::abs(local), half);
}

/// The normal nearest to `normal` among the faces of a box or hull; 0 if none is near.
vec3 nearest_face(const ConvexShape& shape, const mat3& rotation, const vec3& normal) {
  const vec3 local = normal * rotation;
  vec3 best(0);
  real most = along_face;
  const auto consider = [&](const vec3& face) {
    if (const real cosine = glm::dot(face, local); cosine > most) most = cosine, best = face;
  };
  if (shape.kind == ConvexKind::box)
    for (int k = 0; k < 3; ++k) {
      vec3 face(0);
      face[k] = local[k] < real(0) ? real(-1) : real(1);
      consider(face);
    }
  if (shape.kind == ConvexKind::hull)
    for (const HalfSpace& plane : shape.hull->planes) consider(vec3(plane.normal));
  return most > along_face ? rotation * best : normal;
}

}  // namespace

void SeamContacts::reserve(const World& world) {
  const auto& shapes = world.bodies.parts->shapes;
  tolerance_.assign(std::size_t(world.bodies.count()), real(0));
  for (const PlacedShape& part : shapes) {
    real& most = tolerance_[std::size_t(part.body)];
    most = std::max(most, tolerance_share * real(least_extent({part.shape.kind, glm::dvec3(part.shape.size),
                                                               part.shape.hull})));
  }
  meshes_.assign(world.colliders.size(), {});
  for (std::size_t c = 0; c < world.topology->collider_meshes.size() && c < meshes_.size(); ++c) {
    const ColliderMesh& mesh = world.topology->collider_meshes[c];
    if (world.colliders[c].shape != ColliderShape::mesh || mesh.poses) continue;
    Bounds& box = meshes_[c];
    box = {vec3(beyond), vec3(-beyond)};
    for (const glm::dvec3& x : mesh.surface->positions)
      box.low = glm::min(box.low, vec3(x)), box.high = glm::max(box.high, vec3(x));
  }
  begin_.reserve(std::size_t(world.bodies.count()) + 1);
}

/// Sorts the sides of manifolds by their bodies (counting sort). Serial.
void SeamContacts::order_by_body(const World& world, std::size_t threads) {
  begin_.assign(std::size_t(world.bodies.count()) + 2, 0);
  for (const Sides& sides : sides_)
    for (const std::int32_t body : sides.body)
      if (body >= 0) ++begin_[std::size_t(body) + 2];
  for (std::size_t k = 2; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  order_.resize(std::size_t(begin_.back()));
  contacts_.resize(order_.size());
  for (std::size_t e = 0; e < sides_.size(); ++e)
    for (const int side : {0, 1})
      if (const std::int32_t body = sides_[e].body[side]; body >= 0)
        order_[std::size_t(begin_[std::size_t(body) + 1]++)] = std::int32_t(2 * e) + side;
  mixed_.resize(std::size_t(world.bodies.count()));
  any_mixed_.assign(threads, false);
}

void SeamContacts::gather(const World& world, std::span<const BoxPair> pairs,
                          std::span<const std::int32_t> first, std::span<const Manifold> manifolds,
                          Team& team) {
  const auto& shapes = world.bodies.parts->shapes;
  if (team.rank() == 0) {
    manifolds_ = manifolds, pairs_ = pairs;
    pair_of_.resize(manifolds.size());
    sides_.resize(manifolds.size());
  }
  team.barrier();
  const auto body_of = [&](std::int32_t solid) {
    if (std::size_t(solid) >= shapes.size()) return -1;
    const std::int32_t body = shapes[std::size_t(solid)].body;
    return world.bodies.position[std::size_t(body)].w > real(0) ? body : -1;
  };
  const Share mine = team.share(std::int64_t(pairs.size()), 16);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t p = std::size_t(k);
    const Sides sides{{body_of(pairs[p].a), body_of(pairs[p].b)}};
    for (std::int32_t e = first[p]; e < first[p + 1]; ++e) {
      pair_of_[std::size_t(e)] = std::int32_t(p);
      sides_[std::size_t(e)] = manifolds[std::size_t(e)].count > 0 ? sides : Sides{{-1, -1}};
    }
  }
  team.barrier();
  if (team.rank() == 0) order_by_body(world, std::size_t(team.size()));
  team.barrier();
  const Share own = team.share(world.bodies.count(), 16);
  for (std::int64_t body = own.begin; body < own.end; ++body) {
    for (std::int32_t k = begin_[std::size_t(body)]; k < begin_[std::size_t(body) + 1]; ++k) {
      const std::int32_t e = order_[std::size_t(k)] / 2;
      const BoxPair& pair = pairs[std::size_t(pair_of_[std::size_t(e)])];
      const vec3& n = manifolds[std::size_t(e)].normal;
      contacts_[std::size_t(k)] =
          order_[std::size_t(k)] % 2 ? Contact{e, pair.b, pair.a, -n} : Contact{e, pair.a, pair.b, n};
    }
    const std::span<const Contact> contacts = contacts_of(std::int32_t(body));
    bool mixed = false;
    for (std::size_t k = 1; k < contacts.size() && !mixed; ++k)
      mixed = std::abs(glm::dot(contacts[0].normal, contacts[k].normal)) < unchanged_normal;
    mixed_[std::size_t(body)] = mixed;
    any_mixed_[std::size_t(team.rank())] |= mixed;
  }
  team.barrier();
  if (team.rank() == 0) any_ = std::ranges::find(any_mixed_, true) != any_mixed_.end();
}

real SeamContacts::height(const Body& body, std::int32_t solid, const vec3& along) const {
  const auto& shapes = body.world.bodies.parts->shapes;
  const std::size_t s = std::size_t(solid);
  if (s < shapes.size()) return height_of(shapes[s].shape, body.places[s], body.origin, along);
  const Collider& collider = body.world.colliders[s - shapes.size()];
  const Placed at{collider.position, collider.rotation};
  if (collider.shape == ColliderShape::plane)
    return glm::dot(collider.rotation[1], along) > same_plane
               ? glm::dot(along, collider.position - body.origin)
               : beyond;
  if (collider.shape == ColliderShape::mesh) {
    const Bounds& box = meshes_[s - shapes.size()];
    return box.low == box.high ? beyond : height_of(box, at, body.origin, along);
  }
  return height_of(convex_of(collider), at, body.origin, along);
}

/// Normal of the support's own face. The contact's normal may belong to the body and be slightly tilted.
vec3 SeamContacts::face_normal(const Body& body, std::int32_t solid, const vec3& normal) const {
  const auto& shapes = body.world.bodies.parts->shapes;
  const std::size_t s = std::size_t(solid);
  if (s < shapes.size()) return nearest_face(shapes[s].shape, body.places[s].rotation, normal);
  const Collider& collider = body.world.colliders[s - shapes.size()];
  if (collider.shape != ColliderShape::box) return normal;
  return nearest_face(convex_of(collider), collider.rotation, normal);
}

/// Whether a mesh sticks out of the ground at a contact, where the ground's height along m is `top`: the
/// space just above the ground and behind the contact is then inside the mesh.
bool SeamContacts::stands_out(const Body& body, const Contact& contact, const vec3& m, real top) const {
  const std::size_t c = std::size_t(contact.other) - body.world.bodies.parts->shapes.size();
  const Collider& mesh = body.world.colliders[c];
  if (!mesh.field) return true;
  const vec3 level = contact.normal - glm::dot(contact.normal, m) * m;
  const vec3 inwards = body.tolerance / glm::length(level) * level;
  const auto sharp = [&](const vec3& p, real within) {
    return sharp_distance(mesh, (p - mesh.position) * mesh.rotation, within);
  };
  const Manifold& manifold = manifolds_[std::size_t(contact.entry)];
  for (int k = 0; k < manifold.count; ++k) {
    const ContactPoint& p = manifold.points[k];
    const SurfaceDistance<real> near = sharp(p.point, std::abs(p.separation) + 4 * body.tolerance);
    const vec3 on_mesh = p.point - near.d * (mesh.rotation * near.n);
    const real up = top + body.tolerance - glm::dot(m, on_mesh - body.origin);
    if (up < real(0) || sharp(on_mesh + up * m - inwards, 4 * body.tolerance).d <= real(0)) return true;
  }
  return false;
}

/// Decides of two contacts whose normals differ little whether the second is the one at an edge: its point
/// lies above the plane of the first by less than the first point above the plane of the second.
bool SeamContacts::leans(const Contact& support, const Contact& contact) const {
  const auto on_surface = [&](const Contact& c) {
    const ContactPoint& p = manifolds_[std::size_t(c.entry)].points[0];
    return p.point - real(0.5) * p.separation * c.normal;
  };
  return glm::dot(support.normal + contact.normal, on_surface(contact) - on_surface(support)) <= real(0);
}

/// Whether all points of a contact lie below the height along m.
bool SeamContacts::below(const Body& body, const Contact& contact, const vec3& m, real height) const {
  const Manifold& manifold = manifolds_[std::size_t(contact.entry)];
  for (int k = 0; k < manifold.count; ++k) {
    const ContactPoint& p = manifold.points[k];
    const vec3 on_other = p.point - real(0.5) * p.separation * contact.normal;
    if (!(glm::dot(m, on_other - body.origin) <= height)) return false;
  }
  return true;
}

bool SeamContacts::covers(const Body& body, const Contact& support, const Contact& contact,
                          vec3& along) const {
  if (support.entry == contact.entry) return false;
  const real cosine = glm::dot(support.normal, contact.normal);
  if (cosine > unchanged_normal || cosine < real(-0.1)) return false;
  const Manifold& stands = manifolds_[std::size_t(support.entry)];
  if (stands.depth() > deepest * body.tolerance) return false;
  // Most contacts end here, because the points of a wall lie above those of the ground.
  real highest = -beyond;
  for (int k = 0; k < stands.count; ++k)
    highest = std::max(highest, glm::dot(support.normal, stands.points[k].point - body.origin) -
                                    real(0.5) * stands.points[k].separation);
  const bool mesh = is_mesh(body.world, contact.other);
  if (!mesh && !below(body, contact, support.normal, highest + 10 * body.tolerance)) return false;
  const vec3 m = face_normal(body, support.other, support.normal);
  const real top = is_mesh(body.world, support.other) ? highest : height(body, support.other, m);
  if (top == beyond) return false;
  // A part of the body that hangs below the ground of another part lies beside that ground.
  if ((mesh || support.solid != contact.solid) &&
      height(body, contact.solid, -m) > deepest * body.tolerance - top)
    return false;
  along = m;
  if (mesh) return (cosine < leaning || leans(support, contact)) && !stands_out(body, contact, m, top);
  if (!(height(body, contact.other, m) <= top + body.tolerance)) return false;
  const real side = height(body, contact.other, contact.normal);
  return height(body, support.other, contact.normal) > side + body.tolerance;
}

/// Whether, in a contact of two movable bodies, `body` slides over the support towards the other body within
/// the frame, while the other stays below the plane of the support. At a seam both bodies touch the support;
/// its plane guides the body that slides along it.
bool SeamContacts::slides_over(const Body& body, std::int32_t own, const Contact& support,
                               const Contact& contact) const {
  const World& world = body.world;
  const auto& shapes = world.bodies.parts->shapes;
  const auto way = [&](std::int32_t solid) {  // m, displacement in the frame
    const std::size_t s = std::size_t(solid);
    return s < shapes.size() ? real(world.settings.solver.step->dt) *
                                   vec3(world.bodies.velocity[std::size_t(shapes[s].body)])
                             : vec3(0);
  };
  const std::size_t other = std::size_t(contact.other);
  if (other >= shapes.size() || !(world.bodies.position[std::size_t(shapes[other].body)].w > real(0)))
    return true;
  const vec3 mine = real(world.settings.solver.step->dt) * vec3(world.bodies.velocity[std::size_t(own)]),
             its = way(contact.other), ground = way(support.other);
  const real nearer = -glm::dot(mine - its, contact.normal);
  return nearer > at_rest * body.tolerance && nearer > std::abs(glm::dot(mine - ground, support.normal)) &&
         glm::dot(its - ground, support.normal) <= body.tolerance;
}

bool SeamContacts::covered(const World& world, std::span<const Placed> places, std::int32_t entry,
                           vec3& along) const {
  if (manifolds_[std::size_t(entry)].count == 0) return false;
  const auto& shapes = world.bodies.parts->shapes;
  const BoxPair& pair = pairs_[std::size_t(pair_of_[std::size_t(entry)])];
  for (const bool second : {false, true}) {
    const std::int32_t solid = second ? pair.b : pair.a, other = second ? pair.a : pair.b;
    if (std::size_t(solid) >= shapes.size()) continue;
    const std::int32_t own = shapes[std::size_t(solid)].body;
    if (!mixed_[std::size_t(own)] || !(world.bodies.position[std::size_t(own)].w > real(0))) continue;
    const vec3& n = manifolds_[std::size_t(entry)].normal;
    const Contact contact{entry, solid, other, second ? -n : n};
    const Body body{world, places, places[std::size_t(solid)].position, tolerance_[std::size_t(own)]};
    for (const Contact& support : contacts_of(own))
      if (slides_over(body, own, support, contact) && covers(body, support, contact, along)) {
        if (second) along = -along;
        return true;
      }
  }
  return false;
}

}}  // namespace limber::LIMBER_PRECISION
