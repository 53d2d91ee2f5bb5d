#include "engine/contact/bodies/body_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real same_place = real(0.1);  // share of a shape's reach; a point farther away is another point
// Least cosine between normals of contacts that share a manifold of a mesh.
constexpr real mesh_normal = real(0.9);
// Least cosine between normals for which multipliers of the last frame are kept.
constexpr real same_normal = real(0.8);

bool before(const BodyContact& x, std::int32_t a, std::int32_t b) {
  return std::tie(x.a, x.b) < std::tie(a, b);
}

Bounds own_box(const Collider& collider, const ColliderMesh& mesh) {
  const vec3& s = collider.size;
  switch (collider.shape) {
    case ColliderShape::plane:
      return {};
    case ColliderShape::sphere:
      return {vec3(-s.x), vec3(s.x)};
    case ColliderShape::box:
      return {-s, s};
    case ColliderShape::capsule:
      return {vec3(-s.x, -s.x - s.y, -s.x), vec3(s.x, s.x + s.y, s.x)};
    case ColliderShape::mesh:
      break;
  }
  glm::dvec3 low(0.0), high(0.0);
  for (const glm::dvec3& x : mesh.surface->positions) low = glm::min(low, x), high = glm::max(high, x);
  // The zero level of a field can lie half a shell outside its mesh.
  const real shell = collider.size.x * real(0.05);
  return {vec3(low) - shell, vec3(high) + shell};
}

}  // namespace

void BodyContacts::reserve(const World& world) {
  obstacles_.clear();
  for (std::size_t c = 0; c < world.colliders.size(); ++c) {
    static const ColliderMesh none;
    const auto& meshes = world.topology->collider_meshes;
    const ColliderMesh& mesh = c < meshes.size() ? meshes[c] : none;
    // A mesh that changes its shape gets a box in each frame.
    obstacles_.push_back(mesh.poses ? Obstacle() : obstacle_of(own_box(world.colliders[c], mesh)));
  }
  const std::size_t shapes = world.bodies.parts->shapes.size(), all = shapes + obstacles_.size();
  links_.clear();
  colored_ = false;
  boxes_.resize(all);
  motions_.resize(all);
  places_.resize(shapes);
  crowded_.reserve(world);
  seams_.reserve(world);
  for (auto& used : used_) used.resize(std::size_t(world.bodies.count()));
}

bool BodyContacts::movable_side(const World& world, std::int32_t shape) const {
  const auto& shapes = world.bodies.parts->shapes;
  const std::size_t s = std::size_t(shape);
  return s < shapes.size() && world.bodies.position[std::size_t(shapes[s].body)].w > real(0);
}

BodyContacts::SideRow BodyContacts::side_of(const World& world, std::size_t contact,
                                            std::int32_t shape) const {
  const auto& shapes = world.bodies.parts->shapes;
  if (std::size_t(shape) < shapes.size()) {
    const std::int32_t body = shapes[std::size_t(shape)].body;
    return {row_of_body(body), vec3(world.bodies.position[std::size_t(body)])};
  }
  if (const std::int32_t patch = skin_of_.empty() ? -1 : skin_of_[contact]; patch >= 0)
    return {std::int32_t(rows(world)) + body_rows * patch, skin_.center(patch)};
  const std::size_t c = std::size_t(shape) - shapes.size();
  return {row_of_collider(world, c), world.colliders[c].position};
}

BodyMaterial BodyContacts::material_of(const World& world, std::int32_t shape) const {
  const BodyParts& parts = *world.bodies.parts;
  const std::size_t s = std::size_t(shape), shapes = parts.shapes.size();
  if (s < shapes)
    return world.settings.body_materials[std::size_t(parts.source[std::size_t(parts.shapes[s].body)])];
  const Collider& collider = world.colliders[s - shapes];
  return {collider.friction, collider.restitution, real(0)};
}

/// The pairs of boxes whose owners touch each other according to the scene (Touches).
std::span<const BoxPair> BodyContacts::touching_pairs(const World& world) {
  if (world.settings.touches.all) return found_.pairs();
  const auto& shapes = world.bodies.parts->shapes;
  touching_.clear();
  for (const BoxPair& pair : found_.pairs()) {
    const std::size_t b = std::size_t(pair.b);
    const std::int32_t body = shapes[std::size_t(pair.a)].body;
    if (b < shapes.size() ? bodies_touch(world, body, shapes[b].body)
                          : body_touches_collider(world, body, b - shapes.size()))
      touching_.push_back(pair);
  }
  return touching_;
}

/// Prepares the lists of manifolds and entries for all pairs. Serial.
void BodyContacts::begin_lists(World& world) {
  before_.swap(world.contacts.bodies);
  pairs_ = crowded_.thin(world, touching_pairs(world), places_);
  const std::size_t shapes = world.bodies.parts->shapes.size();
  std::int32_t entries = 0;
  first_.clear();
  for (const BoxPair& pair : pairs_) {
    first_.push_back(entries);
    const std::size_t b = std::size_t(pair.b);
    const bool field = b >= shapes && world.colliders[b - shapes].shape == ColliderShape::mesh;
    entries += field ? field_manifolds_max : 1;
  }
  first_.push_back(entries);
  world.contacts.bodies.resize(std::size_t(entries));
  manifolds_.resize(std::size_t(entries));
  on_ground_.assign(std::size_t(entries), false);
  const real h = real(world.settings.solver.step->dt / world.settings.solver.step->substeps);
  if (world.contacts.body_step > real(0) &&
      world.contacts.body_step != h) {  // multipliers are forces times h^2
    const real ratio = h / world.contacts.body_step, scale = ratio * ratio;
    for (BodyContact& known : before_) {
      for (real& push : known.push) push *= scale;
      known.friction *= scale, known.rolling *= scale, known.twist *= scale;
    }
  }
  world.contacts.body_step = h;
}

void BodyContacts::find_manifolds(World& world, const StaticContacts& statics, const Team& team) {
  const Share mine = team.share(std::int64_t(pairs_.size()), 16);
  if (mine.begin == mine.end) return;
  const BoxPair& first = pairs_[std::size_t(mine.begin)];
  auto known = std::lower_bound(before_.begin(), before_.end(), first,
                                [](const BodyContact& x, const BoxPair& p) { return before(x, p.a, p.b); });
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    const BoxPair& pair = pairs_[std::size_t(p)];
    while (known != before_.end() && before(*known, pair.a, pair.b)) ++known;
    auto end = known;
    while (end != before_.end() && end->a == pair.a && end->b == pair.b) ++end;
    find_manifold(world, statics, std::size_t(p), {known, end});
  }
}

/// m, distance below which two shapes can come together in the frame.
real BodyContacts::reach_of(const World& world, const BoxPair& pair) const {
  const auto& shapes = world.bodies.parts->shapes;
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
  const Motion &by_a = motions_[a], &by_b = motions_[b];
  const real size = b < shapes.size() ? std::min(shapes[a].reach, shapes[b].reach) : shapes[a].reach;
  return glm::length(by_a.shift - by_b.shift) + by_a.turn + by_b.turn + margin_share_ * size +
         real(world.settings.solver.contact->contact_margin);
}

void BodyContacts::find_manifold(World& world, const StaticContacts& statics, std::size_t p,
                                 std::span<const BodyContact> known) {
  const BoxPair pair = pairs_[p];
  const auto& shapes = world.bodies.parts->shapes;
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b), first = std::size_t(first_[p]);
  const bool body = b < shapes.size();
  const real reach = reach_of(world, pair);
  Manifold* const out = &manifolds_[first];
  *out = {};
  int count = 1;
  if (!known.empty()) {
    out->axis = known[0].axis;
    out->normal = known[0].normal;
  }
  if (body && joined(world, shapes[a].body, shapes[b].body)) {
    out->count = 0;
  } else if (body) {
    collide(shapes[a].shape, places_[a], shapes[b].shape, places_[b], reach, *out);
    aim(world, pair, shapes[b].shape, places_[b], *out);
  } else {
    const Collider& collider = world.colliders[b - shapes.size()];
    const PosedSurface* const surface = statics.surface(b - shapes.size());
    const Placed at{collider.position, collider.rotation};
    count = surface ? collide_skin(shapes[a].shape, places_[a], *surface, at, reach, out)
                    : collide_collider(shapes[a].shape, places_[a], collider, reach, out);
    if (collider.shape == ColliderShape::box) aim(world, pair, convex_of(collider), at, *out);
  }
  const std::int32_t room = first_[p + 1] - first_[p];
  for (std::int32_t patch = 0; patch < room; ++patch) {
    if (patch >= count) out[patch].count = 0;
    keep(world, pair, patch, out[patch], known, world.contacts.bodies[first + std::size_t(patch)]);
  }
}

/// Calls aim_ball() if one shape of the pair is a ball and the other has edges and hardly rotates. `b` is the
/// second shape of the pair. The motion by gravity is left out, because the ball's support may cancel it.
void BodyContacts::aim(const World& world, const BoxPair& pair, const ConvexShape& b, const Placed& at_b,
                       Manifold& manifold) const {
  const std::size_t one = std::size_t(pair.a), other = std::size_t(pair.b);
  const PlacedShape& a = world.bodies.parts->shapes[one];
  const bool second = b.kind == ConvexKind::sphere;
  if (!second && a.shape.kind != ConvexKind::sphere) return;
  const ConvexShape &ball = second ? b : a.shape, &solid = second ? a.shape : b;
  if (solid.kind == ConvexKind::sphere || solid.kind == ConvexKind::capsule) return;
  // The solid can be pushed aside before the impact.
  if (movable_side(world, second ? pair.a : pair.b)) return;
  const real still = margin_share_ * ball.size.x;
  if (motions_[second ? one : other].turn > still) return;
  if (const PlacedShape& own = second ? world.bodies.parts->shapes[other] : a;
      !own.centered && motions_[second ? other : one].turn > still)
    return;
  const vec3 step =
      (motions_[one].shift - motions_[one].fall) - (motions_[other].shift - motions_[other].fall);
  const Placed &at_ball = second ? at_b : places_[one], &at_solid = second ? places_[one] : at_b;
  aim_ball(ball, at_ball, solid, at_solid, second ? -step : step, manifold, second);
}

/// The last frame's contacts between two shapes.
std::span<const BodyContact> BodyContacts::known_of(const BoxPair& pair) const {
  const auto begin =
      std::lower_bound(before_.begin(), before_.end(), pair,
                       [](const BodyContact& x, const BoxPair& p) { return before(x, p.a, p.b); });
  auto end = begin;
  while (end != before_.end() && end->a == pair.a && end->b == pair.b) ++end;
  return {begin, end};
}

/// Lists the contacts of this thread's pairs that a neighbouring solid covers (SeamContacts).
void BodyContacts::find_covered(const World& world, const Team& team) {
  std::vector<Covered>& mine = covered_[std::size_t(team.rank())];
  mine.clear();
  if (!seams_.any()) return;
  const Share share = team.share(std::int64_t(pairs_.size()), 16);
  for (std::int64_t p = share.begin; p < share.end; ++p)
    for (std::int32_t e = first_[std::size_t(p)]; e < first_[std::size_t(p) + 1]; ++e) {
      vec3 along;
      if (seams_.covered(world, places_, e, along)) mine.push_back({std::int32_t(p), e, along});
    }
}

/// Replaces the manifolds of covered contacts by manifolds along the normal of the ground.
void BodyContacts::meet_along_ground(World& world, const Team& team) {
  for (const Covered& covered : covered_[std::size_t(team.rank())]) {
    const std::size_t e = std::size_t(covered.entry), p = std::size_t(covered.pair);
    if (!meet_along(world, p, covered.along, manifolds_[e])) continue;
    on_ground_[e] = true;
    BodyContact& out = world.contacts.bodies[e];
    const std::int32_t patch = out.patch;
    keep(world, pairs_[p], patch, manifolds_[e], known_of(pairs_[p]), out);
  }
}

/// Computes the manifold of a pair along a normal from b to a. False if neither shape has a face across the
/// normal.
bool BodyContacts::meet_along(const World& world, std::size_t p, const vec3& normal,
                              Manifold& manifold) const {
  const BoxPair& pair = pairs_[p];
  const auto& shapes = world.bodies.parts->shapes;
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b);
  const real reach = reach_of(world, pair);
  if (b < shapes.size())
    return collide_along(shapes[a].shape, places_[a], shapes[b].shape, places_[b], normal, reach, manifold);
  const Collider& collider = world.colliders[b - shapes.size()];
  if (collider.shape == ColliderShape::mesh) {
    const real cosine = glm::dot(manifold.normal, normal);
    // Other manifolds of the pair contain the points on its top.
    if (cosine < mesh_normal) manifold.count = 0;
    if (roll_onto_plane(shapes[a].shape, places_[a], normal, reach, manifold)) return true;
    for (int k = 0; k < manifold.count; ++k) manifold.points[k].separation *= cosine;
    manifold.normal = normal;
    return true;
  }
  return collide_along(shapes[a].shape, places_[a], convex_of(collider),
                       {collider.position, collider.rotation}, normal, reach, manifold);
}

/// Fills the entry of a manifold, with the multipliers of the last frame's points at the same places on the
/// body. Features would not identify the points: for similar boxes that lie on each other they change with
/// the last bit.
void BodyContacts::keep(const World& world, const BoxPair& pair, std::int32_t patch, const Manifold& manifold,
                        std::span<const BodyContact> known, BodyContact& out) const {
  const std::size_t a = std::size_t(pair.a);
  out = {};
  out.a = pair.a, out.b = pair.b, out.patch = patch;
  out.count = manifold.count;
  out.axis = manifold.axis;
  out.normal = manifold.normal;
  for (int k = 0; k < manifold.count; ++k)
    out.place[k] = (manifold.points[k].point - places_[a].position) * places_[a].rotation;
  const real near = same_place * world.bodies.parts->shapes[a].reach;
  bool met = false;
  for (const BodyContact& old : known) {
    if (!(glm::dot(old.normal, out.normal) > same_normal)) continue;
    bool taken[4] = {};
    for (int k = 0; k < out.count; ++k) {
      int best = -1;
      real nearest = near * near;
      for (int j = 0; j < old.count; ++j) {
        const vec3 apart = old.place[j] - out.place[k];
        if (taken[j] || !(glm::dot(apart, apart) < nearest)) continue;
        nearest = glm::dot(apart, apart);
        best = j;
      }
      if (best < 0) continue;
      taken[best] = true;
      out.push[k] = old.push[best];
      if (!std::exchange(met, true))
        out.friction = old.friction, out.rolling = old.rolling, out.twist = old.twist;
    }
  }
}

/// Adds a patch of skin for every manifold with a collider that changes its shape. Serial.
void BodyContacts::find_skin(const World& world, const StaticContacts& statics) {
  skin_.clear();
  skin_of_.clear();
  if (!statics.uneven(world)) return;
  skin_of_.assign(world.contacts.bodies.size(), -1);
  const std::size_t shapes = world.bodies.parts->shapes.size();
  for (std::size_t k = 0; k < skin_of_.size(); ++k) {
    const std::size_t b = std::size_t(world.contacts.bodies[k].b);
    if (manifolds_[k].count > 0 && b >= shapes && statics.surface(b - shapes))
      skin_of_[k] = skin_.add(world, statics, b - shapes, manifolds_[k]);
  }
}

/// True if no body or collider that bodies could touch is awake.
bool BodyContacts::idle(const World& world, const StaticContacts& statics) {
  bool found = world.bodies.sleep.count == 0;
  for (std::size_t c = 0; c < world.colliders.size() && !found; ++c) found = statics.disturbs(c);
  for (std::size_t i = 0; i < std::size_t(world.bodies.count()) && !found; ++i) found = takes_part(world, i);
  return !found;
}

/// Removes all contacts. Serial.
void BodyContacts::forget(World& world) {
  world.contacts.bodies.clear();
  links_.clear();
  colored_ = false;
  manifolds_.clear();
  slot_of_.clear();
  skin_.clear();
  skin_of_.clear();
  for (const int both : {0, 1}) {
    colors_[both].clear();
    overflow_[both] = {};
  }
  side_a_.clear();
  side_b_.clear();
  data_.clear();
  rolling_ = deep_ = false;
}

/// Wakes sleeping bodies beside awake ones. True if a body woke: then there may be more contacts than were
/// searched for. Serial.
bool BodyContacts::wake_touched(World& world) {
  if (world.bodies.sleep.count == 0) return false;
  touched_.clear();
  const auto note = [&](const PairBox& sleeper, const PairBox& other) {
    if (sleeper.movable && !sleeper.active && other.active) touched_.push_back(sleeper.owner);
  };
  for (const BodyContact& contact : world.contacts.bodies) {
    if (contact.count == 0) continue;
    const PairBox &a = boxes_[std::size_t(contact.a)], &b = boxes_[std::size_t(contact.b)];
    note(a, b);
    note(b, a);
  }
  wake(world, touched_);
  sort_contacts(world);
  return !touched_.empty();
}

void BodyContacts::begin_frame(World& world, real dt, const StaticContacts& statics, Team& team) {
  if (team.rank() == 0) {
    sort_contacts(world);
    idle_ = idle(world, statics);
    if (idle_) forget(world);
  }
  team.barrier();
  if (idle_) return;
  do {
    place_boxes(world, dt, statics, team);
    team.barrier();
    found_.find(boxes_, team);
    team.barrier();
    if (team.rank() == 0) begin_lists(world);
    team.barrier();
    find_manifolds(world, statics, team);
    team.barrier();
    if (team.rank() == 0) list_per_thread(covered_, team);
    seams_.gather(world, pairs_, first_, manifolds_, team);
    team.barrier();
    find_covered(world, team);
    team.barrier();
    meet_along_ground(world, team);
    team.barrier();
    if (team.rank() == 0) woken_ = wake_touched(world);
    team.barrier();
  } while (woken_);
  if (team.rank() == 0) {
    find_skin(world, statics);
    begin_links(world, team);
  }
  team.barrier();
  note_links(world, team);
  team.barrier();
  if (team.rank() == 0 && links_changed()) {
    color();
    pad(world);
  }
  team.barrier();
  fill(world, team);
}

void BodyContacts::end_frame(World& world, const Team& team) {
  const Share mine = team.share(std::int64_t(world.contacts.bodies.size()), 16);
  for (std::int64_t c = mine.begin; c < mine.end; ++c) {
    const std::int32_t i = slot_of_[std::size_t(c)];
    if (i < 0) continue;
    BodyContact& contact = world.contacts.bodies[std::size_t(c)];
    const real sign = movable_side(world, contact.a) ? real(1) : real(-1);
    real* const slot = view().slot(i);
    const auto get = [&](int column) { return slot[column * lane_group]; };
    const auto get_vector = [&](int column) { return vec3(get(column), get(column + 1), get(column + 2)); };
    for (int k = 0; k < contact.count; ++k)
      contact.push[k] = BodyContactView<real>::point(slot, k)[point_push * lane_group];
    const vec3 n = get_vector(column_normal), t = get_vector(column_tangent);
    contact.friction =
        sign * (get(column_friction_lambda) * t + get(column_friction_lambda + 1) * glm::cross(n, t));
    contact.twist = get(column_twist);
    contact.rolling = sign * get_vector(column_rolling);
  }
}

std::int64_t BodyContacts::touching(const World& world) const {
  std::int64_t points = 0;
  for (const BodyContact& contact : world.contacts.bodies)
    for (int k = 0; k < contact.count; ++k) points += contact.push[k] > real(0);
  return points;
}

void BodyContacts::read_contacts(const World& world, std::vector<ContactMark>& out) const {
  for (std::size_t c = 0; c < world.contacts.bodies.size() && c < manifolds_.size(); ++c) {
    const BodyContact& contact = world.contacts.bodies[c];
    const bool two = std::size_t(contact.b) < world.bodies.parts->shapes.size();
    for (int k = 0; k < contact.count; ++k)
      if (contact.push[k] > real(0))
        out.push_back({glm::vec3(manifolds_[c].points[k].point), glm::vec3(manifolds_[c].normal),
                       two ? ContactBetween::bodies : ContactBetween::body_and_collider});
  }
}

}}  // namespace limber::LIMBER_PRECISION
