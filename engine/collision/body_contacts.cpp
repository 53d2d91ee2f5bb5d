#include "engine/collision/body_contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr real margin_share = real(0.02);  // of a shape's reach: contacts are made so much before they touch
constexpr real most_frame_turn = 2;      // rad: any point comes at most twice its distance from the axis far
constexpr real never_met = real(1e6);    // m, separation of the points that a manifold does not have
constexpr real same_place = real(0.1);   // of a shape's reach: farther off a point is another one
constexpr real same_normal = real(0.8);  // cosine up to which multipliers of the last frame are taken over
constexpr int most_colors = 64;          // one bit each

bool before(const BodyContact& x, std::int32_t a, std::int32_t b) {
  return std::tie(x.a, x.b) < std::tie(a, b);
}

real near_of(const World& world, const BodyContact& contact) {
  return margin_share * world.topology->body_shapes[std::size_t(contact.a)].reach;
}

/// The box, and where it can be.
Bounds swept(const Bounds& box, const vec3& shift, real more) {
  return {glm::min(box.low, box.low + shift) - more, glm::max(box.high, box.high + shift) + more};
}

vec3 any_tangent(const vec3& n) {
  const vec3 t = std::abs(n.x) > real(0.6) ? vec3(n.y, -n.x, 0) : vec3(0, n.z, -n.y);
  return t / glm::length(t);
}

Bounds box_of(const Placed& at, const Bounds& own) {
  const vec3 center = at.position + at.rotation * (real(0.5) * (own.low + own.high));
  const vec3 half = real(0.5) * (own.high - own.low);
  vec3 reach(0);
  for (int k = 0; k < 3; ++k) reach += glm::abs(at.rotation[k]) * half[k];
  return {center - reach, center + reach};
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
  const real shell = collider.size.x * real(0.05);  // a field can lie outside its mesh by half a shell
  return {vec3(low) - shell, vec3(high) + shell};
}

}  // namespace

void BodyContacts::reserve(const World& world) {
  obstacles_.clear();
  for (std::size_t c = 0; c < world.colliders.size(); ++c) {
    static const ColliderMesh none;
    const auto& meshes = world.topology->collider_meshes;
    Obstacle obstacle;
    obstacle.own = own_box(world.colliders[c], c < meshes.size() ? meshes[c] : none);
    obstacle.reach = glm::length(glm::max(glm::abs(obstacle.own.low), glm::abs(obstacle.own.high)));
    obstacles_.push_back(obstacle);
  }
  const std::size_t shapes = world.topology->body_shapes.size(), all = shapes + obstacles_.size();
  boxes_.resize(all);
  motions_.resize(all);
  places_.resize(shapes);
  for (auto& used : used_) used.resize(std::size_t(world.bodies.count()) + world.balls.size());
}

bool BodyContacts::movable_side(const World& world, std::int32_t shape) const {
  const auto& shapes = world.topology->body_shapes;
  const std::size_t s = std::size_t(shape);
  return s < shapes.size() ? world.bodies.position[std::size_t(shapes[s].body)].w > real(0)
                           : s - shapes.size() + world.balls.size() >= world.colliders.size();
}

/// What can move is numbered: bodies, then balls.
std::size_t BodyContacts::node_of(const World& world, std::int32_t shape) const {
  const auto& shapes = world.topology->body_shapes;
  const std::size_t s = std::size_t(shape);
  return s < shapes.size() ? std::size_t(shapes[s].body)
                           : std::size_t(world.bodies.count()) + s - shapes.size() + world.balls.size() -
                                 world.colliders.size();
}

std::int32_t BodyContacts::row_of(const World& world, std::int32_t shape) const {
  const auto& shapes = world.topology->body_shapes;
  return std::size_t(shape) < shapes.size() ? row_of_body(shapes[std::size_t(shape)].body)
                                            : row_of_collider(world, std::size_t(shape) - shapes.size());
}

vec3 BodyContacts::center_of(const World& world, std::int32_t shape) const {
  const auto& shapes = world.topology->body_shapes;
  return std::size_t(shape) < shapes.size()
             ? vec3(world.bodies.position[std::size_t(shapes[std::size_t(shape)].body)])
             : world.colliders[std::size_t(shape) - shapes.size()].position;
}

BodyMaterial BodyContacts::material_of(const World& world, std::int32_t shape) const {
  const Topology& topology = *world.topology;
  const std::size_t s = std::size_t(shape), shapes = topology.body_shapes.size();
  if (s < shapes)
    return world.body_materials[std::size_t(topology.body_source[std::size_t(topology.body_shapes[s].body)])];
  const Collider& collider = world.colliders[s - shapes];
  return {collider.friction, collider.restitution, real(0)};
}

void BodyContacts::place_boxes(const World& world, real dt, const StaticContacts& statics, const Team& team) {
  const Bodies& bodies = world.bodies;
  const auto& shapes = world.topology->body_shapes;
  const vec3 fall = dt * dt * vec3(world.settings.gravity);
  const Share mine = team.share(std::int64_t(shapes.size()), 16);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(shapes[s].body);
    places_[s] = placed(shapes[s], bodies);
    const bool movable = bodies.position[i].w > real(0), active = takes_part(world, i);
    const real turn = glm::length(angular_velocity(bodies, i)) * dt;
    motions_[s] = {active ? dt * vec3(bodies.velocity[i]) + fall : vec3(0),
                   std::min(turn, most_frame_turn) * shapes[s].reach};
    boxes_[s] = {};
    boxes_[s].box = swept(bounds(shapes[s].shape, places_[s]), motions_[s].shift,
                          motions_[s].turn + margin_share * shapes[s].reach);
    boxes_[s].owner = shapes[s].body;
    boxes_[s].movable = movable;
    boxes_[s].active = active;
  }
  if (team.rank() != 0) return;
  for (std::size_t c = 0; c < world.colliders.size(); ++c) {
    const Collider& collider = world.colliders[c];
    PairBox& box = boxes_[shapes.size() + c];
    box = {};
    box.owner = -1;
    box.movable = movable_side(world, std::int32_t(shapes.size() + c));
    box.active = statics.disturbs(world, c);
    motions_[shapes.size() + c] = {};
    for (int s = 0; s < world.settings.substeps; ++s)
      if (const StaticContacts::Pose* pose = statics.pose(world, s, c)) {
        motions_[shapes.size() + c].shift += pose->shift;
        const vec4 q = quaternion_of(glm::dmat3(pose->rotation_in_substep()));
        motions_[shapes.size() + c].turn += 2 * glm::length(vec3(q)) * obstacles_[c].reach;
      }
    const Motion& motion = motions_[shapes.size() + c];
    if (collider.shape == ColliderShape::plane) {
      box.plane = true;
      box.box.low = collider.rotation[1];
      box.offset = glm::dot(collider.rotation[1], collider.position) + glm::length(motion.shift);
    } else {
      box.box =
          swept(box_of({collider.position, collider.rotation}, obstacles_[c].own), motion.shift, motion.turn);
    }
  }
}

/// Room for the manifolds of all pairs. Serial.
void BodyContacts::begin_lists(World& world) {
  before_.swap(world.body_contacts);
  const std::size_t shapes = world.topology->body_shapes.size();
  std::int32_t entries = 0;
  first_.clear();
  for (const BoxPair& pair : pairs_.pairs()) {
    first_.push_back(entries);
    const std::size_t b = std::size_t(pair.b);
    const bool field = b >= shapes && world.colliders[b - shapes].shape == ColliderShape::mesh;
    entries += field ? field_manifolds_max : 1;
  }
  first_.push_back(entries);
  world.body_contacts.assign(std::size_t(entries), {});
  manifolds_.resize(std::size_t(entries));
  const real h = real(world.settings.dt / world.settings.substeps);
  if (world.body_contact_step > real(0) &&
      world.body_contact_step != h) {  // multipliers are forces times h^2
    const real ratio = h / world.body_contact_step, scale = ratio * ratio;
    for (BodyContact& known : before_) {
      for (real& push : known.push) push *= scale;
      known.friction *= scale, known.rolling *= scale, known.twist *= scale;
    }
  }
  world.body_contact_step = h;
}

void BodyContacts::find_manifolds(World& world, const Team& team) {
  const std::span<const BoxPair> pairs = pairs_.pairs();
  const Share mine = team.share(std::int64_t(pairs.size()), 16);
  if (mine.begin == mine.end) return;
  const BoxPair& first = pairs[std::size_t(mine.begin)];
  auto known = std::lower_bound(before_.begin(), before_.end(), first,
                                [](const BodyContact& x, const BoxPair& p) { return before(x, p.a, p.b); });
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    const BoxPair& pair = pairs[std::size_t(p)];
    while (known != before_.end() && before(*known, pair.a, pair.b)) ++known;
    auto end = known;
    while (end != before_.end() && end->a == pair.a && end->b == pair.b) ++end;
    find_manifold(world, std::size_t(p), {known, end});
  }
}

void BodyContacts::find_manifold(World& world, std::size_t p, std::span<const BodyContact> known) {
  const BoxPair pair = pairs_.pairs()[p];
  const auto& shapes = world.topology->body_shapes;
  const std::size_t a = std::size_t(pair.a), b = std::size_t(pair.b), first = std::size_t(first_[p]);
  const Motion &by_a = motions_[a], &by_b = motions_[b];
  const bool body = b < shapes.size();
  const real size = body ? std::min(shapes[a].reach, shapes[b].reach) : shapes[a].reach;
  const real reach = glm::length(by_a.shift - by_b.shift) + by_a.turn + by_b.turn + margin_share * size +
                     real(world.settings.contact_margin);
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
  } else {
    count = collide_collider(shapes[a].shape, places_[a], world.colliders[b - shapes.size()], reach, out);
  }
  const std::int32_t room = first_[p + 1] - first_[p];
  for (std::int32_t patch = 0; patch < room; ++patch) {
    if (patch >= count) out[patch].count = 0;
    keep(world, pair, patch, out[patch], known, world.body_contacts[first + std::size_t(patch)]);
  }
}

/// The entry of a manifold, with the multipliers of the points that were there in the last frame. Places tell
/// which, not features: on like boxes that lie on each other those change by the last bit.
void BodyContacts::keep(const World& world, const BoxPair& pair, std::int32_t patch, const Manifold& manifold,
                        std::span<const BodyContact> known, BodyContact& out) const {
  const std::size_t a = std::size_t(pair.a);
  out.a = pair.a, out.b = pair.b, out.patch = patch;
  out.count = manifold.count;
  out.axis = manifold.axis;
  out.normal = manifold.normal;
  for (int k = 0; k < manifold.count; ++k)
    out.place[k] = (manifold.points[k].point - places_[a].position) * places_[a].rotation;
  const real near = same_place * world.topology->body_shapes[a].reach;
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

/// First fit, in the order of the entries. Serial.
void BodyContacts::color(const World& world) {
  const auto& contacts = world.body_contacts;
  slot_of_.assign(contacts.size(), -1);
  color_of_.resize(contacts.size());
  for (auto& used : used_) std::fill(used.begin(), used.end(), 0);
  std::int32_t count[2][most_colors + 1] = {};
  bouncy_ = rolling_ = deep_ = false;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].count == 0) continue;
    const bool a = movable_side(world, contacts[c].a), both = a && movable_side(world, contacts[c].b);
    for (int k = 0; both && k < contacts[c].count; ++k)
      deep_ |= manifolds_[c].points[k].separation < -near_of(world, contacts[c]);
    auto& used = used_[both];
    const std::size_t one = node_of(world, a ? contacts[c].a : contacts[c].b),
                      other = both ? node_of(world, contacts[c].b) : one;
    const int free = std::countr_one(used[one] | used[other]);
    if (free < most_colors) {
      used[one] |= std::uint64_t(1) << free;
      used[other] |= std::uint64_t(1) << free;
    }
    color_of_[c] = std::int16_t(free);
    ++count[both][free];
  }
  std::int32_t slots = 0;
  for (const int both : {1, 0}) {
    colors_[both].clear();
    for (int k = 0; k <= most_colors; ++k) {
      const std::int32_t members = std::exchange(count[both][k], slots);
      const ColorRun run{slots, slots + (members + lane_group - 1) / lane_group * lane_group};
      if (k == most_colors)
        overflow_[both] = {slots, slots + members};
      else if (members > 0)
        colors_[both].push_back(run);
      slots = run.end;
    }
  }
  side_a_.resize(std::size_t(slots));
  side_b_.resize(std::size_t(slots));
  data_.resize(std::size_t(slots) * contact_columns);
  std::fill(side_a_.begin(), side_a_.end(), -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].count == 0) continue;
    const bool both = movable_side(world, contacts[c].a) && movable_side(world, contacts[c].b);
    slot_of_[c] = count[both][color_of_[c]]++;
    side_a_[std::size_t(slot_of_[c])] = 0;
    const BodyMaterial x = material_of(world, contacts[c].a), y = material_of(world, contacts[c].b);
    bouncy_ |= x.restitution > 0 || y.restitution > 0;
    rolling_ |= x.rolling_resistance > 0 || y.rolling_resistance > 0;
  }
}

/// Slots of nothing, between two rows that nobody owns.
void BodyContacts::pad(const World& world) {
  const std::int32_t none = std::int32_t(rows(world)) - 2 * body_rows;
  for (std::int32_t i = 0; i < slots(); ++i) {
    if (side_a_[std::size_t(i)] >= 0) continue;
    side_a_[std::size_t(i)] = none;
    side_b_[std::size_t(i)] = none + body_rows;
    real* const slot = view().slot(i);
    for (int column = 0; column < contact_columns; ++column) slot[column * lane_group] = 0;
  }
}

void BodyContacts::fill(const World& world, const Team& team) {
  const Share mine = team.share(std::int64_t(world.body_contacts.size()), 16);
  for (std::int64_t c = mine.begin; c < mine.end; ++c)
    if (slot_of_[std::size_t(c)] >= 0) fill_slot(world, std::size_t(c));
}

void BodyContacts::fill_slot(const World& world, std::size_t c) {
  const BodyContact& contact = world.body_contacts[c];
  const Manifold& manifold = manifolds_[c];
  const bool swapped = !movable_side(world, contact.a);  // the side that can move comes first
  const std::int32_t a = swapped ? contact.b : contact.a, b = swapped ? contact.a : contact.b;
  const real sign = swapped ? real(-1) : real(1);
  const std::int32_t i = slot_of_[c];
  side_a_[std::size_t(i)] = row_of(world, a);
  side_b_[std::size_t(i)] = row_of(world, b);
  real* const slot = view().slot(i);
  const auto put = [&](real* at, int column, real x) { at[column * lane_group] = x; };
  const auto put_vector = [&](real* at, int column, const vec3& v) {
    for (int k = 0; k < 3; ++k) put(at, column + k, v[k]);
  };
  const vec3 n = sign * manifold.normal, t = any_tangent(n), side = glm::cross(n, t);
  const vec3 center_a = center_of(world, a), center_b = center_of(world, b);
  const real near = near_of(world, contact);
  put_vector(slot, column_normal, n);
  put_vector(slot, column_tangent, t);
  vec3 middle(0);
  real weights = 0;
  for (int k = 0; k < manifold.count; ++k) {  // points that may touch soon count less and less
    const real weight = std::clamp(2 - manifold.points[k].separation / near, real(1e-3), real(1));
    middle += weight * (manifold.points[k].point - center_a);
    weights += weight;
  }
  middle /= weights;
  for (int k = 0; k < contact_points; ++k) {
    real* const p = BodyContactView<real>::point(slot, k);
    const bool there = k < manifold.count;
    const vec3 at_a = there ? manifold.points[k].point - center_a : vec3(0);
    const vec3 at_b = there ? manifold.points[k].point - center_b : vec3(0);
    const real separation = there ? manifold.points[k].separation : never_met;
    put_vector(p, point_at_a, at_a);
    put_vector(p, point_at_b, at_b);
    put(p, point_base, separation - glm::dot(n, at_a - at_b));
    put(p, point_separation, separation);
    put(p, point_push, there ? contact.push[k] : real(0));
    put(p, point_arm, there ? glm::length(at_a - middle) : real(0));
  }
  put_vector(slot, column_middle_a, middle);
  put_vector(slot, column_middle_b, middle + (center_a - center_b));
  const BodyMaterial x = material_of(world, a), y = material_of(world, b);
  put(slot, column_friction, std::sqrt(x.friction * y.friction));
  put(slot, column_restitution, std::max(x.restitution, y.restitution));
  put(slot, column_rolling_arm, std::max(x.rolling_resistance, y.rolling_resistance));
  put(slot, column_drag, sign * glm::dot(contact.friction, t));
  put(slot, column_drag + 1, sign * glm::dot(contact.friction, side));
  put(slot, column_twist, contact.twist);
  put_vector(slot, column_rolling, sign * contact.rolling);
}

/// Whether nothing that bodies could touch is awake.
bool BodyContacts::idle(const World& world, const StaticContacts& statics) {
  bool found = world.sleep.count == 0;
  for (std::size_t c = 0; c < world.colliders.size() && !found; ++c) found = statics.disturbs(world, c);
  for (std::size_t i = 0; i < std::size_t(world.bodies.count()) && !found; ++i) found = takes_part(world, i);
  return !found;
}

/// No contacts. Serial.
void BodyContacts::forget(World& world) {
  world.body_contacts.clear();
  manifolds_.clear();
  slot_of_.clear();
  for (const int both : {0, 1}) {
    colors_[both].clear();
    overflow_[both] = {};
  }
  side_a_.clear();
  side_b_.clear();
  data_.clear();
  bouncy_ = rolling_ = deep_ = false;
}

/// Serial. True if something woke, which may touch more than was looked for.
bool BodyContacts::wake_touched(World& world) {
  if (world.sleep.count == 0) return false;
  touched_.clear();
  const auto note = [&](const PairBox& sleeper, const PairBox& other) {
    if (sleeper.movable && !sleeper.active && other.active) touched_.push_back(sleeper.owner);
  };
  for (const BodyContact& contact : world.body_contacts) {
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
    pairs_.find(boxes_, team);
    if (team.rank() == 0) begin_lists(world);
    team.barrier();
    find_manifolds(world, team);
    team.barrier();
    if (team.rank() == 0) woken_ = wake_touched(world);
    team.barrier();
  } while (woken_);
  if (team.rank() == 0) {
    color(world);
    pad(world);
  }
  team.barrier();
  fill(world, team);
  team.barrier();
}

void BodyContacts::end_frame(World& world, const Team& team) {
  const Share mine = team.share(std::int64_t(world.body_contacts.size()), 16);
  for (std::int64_t c = mine.begin; c < mine.end; ++c) {
    const std::int32_t i = slot_of_[std::size_t(c)];
    if (i < 0) continue;
    BodyContact& contact = world.body_contacts[std::size_t(c)];
    const real sign = movable_side(world, contact.a) ? real(1) : real(-1);
    real* const slot = view().slot(i);
    const auto get = [&](int column) { return slot[column * lane_group]; };
    const auto get_vector = [&](int column) { return vec3(get(column), get(column + 1), get(column + 2)); };
    for (int k = 0; k < contact.count; ++k)
      contact.push[k] = BodyContactView<real>::point(slot, k)[point_push * lane_group];
    const vec3 n = get_vector(column_normal), t = get_vector(column_tangent);
    contact.friction = sign * (get(column_drag) * t + get(column_drag + 1) * glm::cross(n, t));
    contact.twist = get(column_twist);
    contact.rolling = sign * get_vector(column_rolling);
  }
}

std::int64_t BodyContacts::touching(const World& world) const {
  std::int64_t points = 0;
  for (const BodyContact& contact : world.body_contacts)
    for (int k = 0; k < contact.count; ++k) points += contact.push[k] > real(0);
  return points;
}

void BodyContacts::read_contacts(const World& world, std::vector<ContactMark>& out) const {
  for (std::size_t c = 0; c < world.body_contacts.size() && c < manifolds_.size(); ++c) {
    const BodyContact& contact = world.body_contacts[c];
    const bool two = std::size_t(contact.b) < world.topology->body_shapes.size();
    for (int k = 0; k < contact.count; ++k)
      if (contact.push[k] > real(0))
        out.push_back({glm::vec3(manifolds_[c].points[k].point), glm::vec3(manifolds_[c].normal),
                       two ? ContactBetween::bodies : ContactBetween::body_and_collider});
  }
}

}  // namespace limber::inline LIMBER_PRECISION
