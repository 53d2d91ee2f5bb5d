#include "engine/solver/body_impacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/solver/body_flight.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr int most_bounces = 16;  // of a pair in a substep; what still approaches then is left to its contact
constexpr real together = real(1e-4);  // of a pair's size: points that are as near touch in the same impact
constexpr real same_direction = real(1e-3);  // sine between normals up to which a contact of the frame holds
constexpr real least_slide = real(1e-12);    // m per substep

/// The quaternion of the rotation that takes back that of q.
vec4 inverse_of(const vec4& q) { return {-q.x, -q.y, -q.z, q.w}; }

vec4 unit(const vec4& q) { return q / std::sqrt(glm::dot(q, q)); }

/// The rotation vector of a unit quaternion of a small rotation.
vec3 small_turn(const vec4& q) { return (q.w < real(0) ? real(-2) : real(2)) * vec3(q); }

/// The displacement that an impulse of one makes along itself: 1/m + (r x d)^T I^-1 (r x d).
real response(const FlightState& s, const vec3& r, const vec3& d) {
  const vec3 t = glm::cross(r, d);
  return s.inverse_mass + glm::dot(t, s.inverse_inertia * t);
}

}  // namespace

void BodyImpacts::begin_frame(const World& world, BodyContacts& contacts) {
  pairs_.clear();
  changed_.clear();
  view_ = contacts.view();
  for (std::size_t c = 0; c < world.contacts.bodies.size(); ++c) {
    if (contacts.slot_of(c) < 0) continue;
    const auto listed =
        ImpactSearch::listed(world, view_, std::int32_t(c), contacts.slot_of(c), contacts.on_ground(c));
    if (listed.eligible) pairs_.push_back(listed.pair);
  }
  if (pairs_.empty()) return;
  touches_.resize(pairs_.size());
  stamps_.assign(pairs_.size(), 0);
  bounces_.assign(pairs_.size(), 0);
  last_.assign(std::size_t(world.bodies.count()), 0);
  has_bounced_.assign(std::size_t(world.bodies.count()), 0);
  list_neighbours(world.bodies.count());
}

/// The pairs of each body: counts, then places.
void BodyImpacts::list_neighbours(std::int32_t bodies) {
  first_of_.assign(std::size_t(bodies) + 2, 0);
  const auto for_sides = [&](const auto& act) {
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      for (const std::int32_t row : {pairs_[p].row_a, pairs_[p].row_b})
        if (row < bodies) act(std::int32_t(p), std::size_t(row));
  };
  for_sides([&](std::int32_t, std::size_t body) { ++first_of_[body + 2]; });
  for (std::size_t i = 2; i < first_of_.size(); ++i) first_of_[i] += first_of_[i - 1];
  pairs_of_.resize(std::size_t(first_of_.back()));
  for_sides([&](std::int32_t p, std::size_t body) { pairs_of_[std::size_t(first_of_[body + 1]++)] = p; });
}

/// A pair without restitution is stopped by its contact, unless that has another normal than the impact.
bool BodyImpacts::is_left_to_contact(const ImpactPair& pair, const vec3& normal) const {
  if (pair.restitution > real(0) || is_forgotten(pair)) return false;
  const vec3 across = glm::cross(vector_at(view_.slot(pair.slot) + column_normal * lane_group), normal);
  return glm::dot(across, across) < same_direction * same_direction;
}

/// Looks for the next impact of a pair.
void BodyImpacts::look(std::size_t p) {
  const ImpactPair& pair = pairs_[p];
  ImpactTouch& touch = touches_[p];
  touch.time = ImpactTouch::never;
  ++stamps_[p];
  if (bounces_[p] >= most_bounces || !search_.nears(pair)) return;
  real since = 0;
  for (const std::int32_t row : {pair.row_a, pair.row_b})
    if (std::size_t(row) < last_.size()) since = std::max(since, last_[std::size_t(row)]);
  touch = search_.first_touch(pair, since);
  if (touch.comes() && is_left_to_contact(pair, touch.meeting.manifold.normal))
    touch.time = ImpactTouch::never;
}

/// The place where the impulse acts: the middle of the points that touch together, by how fast they close in.
bool BodyImpacts::find_arms(std::size_t p, const FlightState& a, const FlightState& b, Blow& out) const {
  const BodyContacts::Meeting& meeting = touches_[p].meeting;
  const Manifold& manifold = meeting.manifold;
  real nearest = never_met, weights = 0;
  vec3 middle(0);
  const auto for_closing = [&](const auto& act) {
    for (int k = 0; k < manifold.count; ++k) {
      const auto approach = ImpactSearch::approach_of(a, b, meeting, manifold.points[k].point);
      if (approach.without_fall > search_.slow()) act(manifold.points[k], approach.speed);
    }
  };
  for_closing([&](const ContactPoint& point, real) { nearest = std::min(nearest, point.separation); });
  for_closing([&](const ContactPoint& point, real speed) {
    if (point.separation > std::max(nearest, real(0)) + together * pairs_[p].size) return;
    middle += speed * point.point;
    weights += speed;
  });
  if (!(weights > real(0))) return false;
  out.arm_a = middle / weights - meeting.center_a, out.arm_b = middle / weights - meeting.center_b;
  return true;
}

/// One impulse for a pair at the moment of its touch, with friction.
void BodyImpacts::take(World& world, std::size_t p) {
  const ImpactPair& pair = pairs_[p];
  const real time = touches_[p].time;
  const FlightState a = search_.state_of(pair.row_a, time), b = search_.state_of(pair.row_b, time);
  Blow blow;
  if (!find_arms(p, a, b, blow)) return;
  const vec3 &ra = blow.arm_a, &rb = blow.arm_b, &n = touches_[p].meeting.manifold.normal;
  const auto inverse_mass = [&](const vec3& along) {
    return response(a, ra, along) + response(b, rb, along);
  };
  const auto velocity_at = [](const FlightState& s, const vec3& r, const vec3& impulse) {
    return s.velocity + s.inverse_mass * impulse +
           glm::cross(s.spin + s.inverse_inertia * glm::cross(r, impulse), r);
  };
  const auto speed = [&] { return velocity_at(a, ra, blow.impulse) - velocity_at(b, rb, -blow.impulse); };
  const real w = inverse_mass(n);
  if (!(w > real(0))) return;
  const real pushed = -(1 + pair.restitution) * glm::dot(n, speed()) / w;
  blow.impulse = pushed * n;
  const vec3 u = speed(), slid = u - glm::dot(n, u) * n;
  if (const real length = glm::length(slid); length > least_slide) {
    const vec3 along = slid / length;
    blow.impulse -= std::min(length / inverse_mass(along), pair.friction * pushed) * along;
  }
  commit(world, pair.row_a, a, blow.impulse, ra, time);
  commit(world, pair.row_b, b, -blow.impulse, rb, time);
}

/// A body that got `impulse` (kg m per substep) at `arm` begins the substep where it would have had to come
/// from.
void BodyImpacts::commit(World& world, std::int32_t number, const FlightState& at, const vec3& impulse,
                         const vec3& arm, real time) {
  if (at.inverse_mass == real(0)) return;
  Bodies& bodies = world.bodies;
  const std::size_t i = std::size_t(number);
  vec4* const row = now_.rows + body_rows * i;
  const vec3 change = at.inverse_mass * impulse, torque = glm::cross(arm, impulse);
  bodies.velocity[i] += vec4(change / now_.h, real(0));
  row[row_moved] -= vec4(time * change, real(0));
  bodies.position[i] = vec4(vec3(now_.frame_start[i]) + vec3(row[row_moved]), bodies.position[i].w);
  if (torque != vec3(0)) {
    const vec3 L = vec3(bodies.angular_momentum[i]) + torque / now_.h;
    const BodyTurn turn = turn_through(at.orientation, time, vec3(bodies.inverse_inertia[i]), L, now_.h);
    const vec4 start =
        unit(rotated(turn_quaternion(-time * shortened(turn.turn, most_turn)), at.orientation));
    const vec3 turned = small_turn(rotated(start, inverse_of(bodies.orientation[i])));
    row[row_rotated] =
        rotated(turn_quaternion(surface_turn(world, now_.round[i], i, turned)), row[row_rotated]);
    bodies.angular_momentum[i] = vec4(L, real(0));
    bodies.orientation[i] = start;
  }
  if (!has_bounced_[i]) changed_.push_back(number);
  has_bounced_[i] = 1;
  last_[i] = time;
  start_flight(bodies, now_.h, i, now_.rows);
}

namespace {

/// The order of the queue: of impacts at one time, in the order of the pairs.
constexpr auto later = [](const auto& x, const auto& y) {
  return x.time != y.time ? x.time > y.time : x.pair > y.pair;
};

}  // namespace

void BodyImpacts::add(std::size_t p) {
  if (!touches_[p].comes()) return;
  queue_.push_back({touches_[p].time, std::int32_t(p), stamps_[p]});
  std::push_heap(queue_.begin(), queue_.end(), later);
}

void BodyImpacts::look_again(std::size_t p) {
  look(p);
  add(p);
}

/// In the order of time. Serial.
void BodyImpacts::take_all(World& world) {
  queue_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p) add(p);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Event event = queue_.back();
    queue_.pop_back();
    const std::size_t p = std::size_t(event.pair);
    if (event.stamp != stamps_[p]) continue;
    ++bounces_[p];
    take(world, p);
    look_again(p);
    for (const std::int32_t number : {pairs_[p].row_a, pairs_[p].row_b}) {
      const std::size_t i = std::size_t(number);
      if (i >= last_.size() || !has_bounced_[i]) continue;  // nothing moved it
      for (std::int32_t k = first_of_[i]; k < first_of_[i + 1]; ++k)
        if (const std::size_t q = std::size_t(pairs_of_[std::size_t(k)]); q != p) look_again(q);
    }
  }
}

/// Whether a pair may be apart at the substep's end and yet be held by the plane of its contact. A contact
/// that pushes is left alone.
bool BodyImpacts::is_stopped_by_plane(const ImpactPair& pair, bool bounced) const {
  if (pair.plane || !(bounced || search_.closes(pair))) return false;
  real* const slot = view_.slot(pair.slot);
  for (int k = 0; k < contact_points; ++k)
    if (BodyContactView<real>::point(slot, k)[point_push * lane_group] > real(0)) return false;
  return true;
}

void BodyImpacts::forget_contact(const ImpactPair& pair) {
  for (int k = 0; k < contact_points; ++k) {
    real* const point = BodyContactView<real>::point(view_.slot(pair.slot), k);
    point[point_base * lane_group] = point[point_separation * lane_group] = never_met;
  }
}

bool BodyImpacts::is_forgotten(const ImpactPair& pair) const {
  return !(BodyContactView<real>::point(view_.slot(pair.slot), 0)[point_base * lane_group] < never_met);
}

/// Makes the contact of a pair again where it is apart as far ahead as its plane acts, but would be held by
/// that. Separations count from the substep's start.
void BodyImpacts::pass(World& world, BodyContacts& contacts, std::size_t p) {
  const ImpactPair& pair = pairs_[p];
  const bool bounced = bounces_[p] > 0;
  if (!is_stopped_by_plane(pair, bounced)) return;
  const real time = ImpactSearch::reach_in_time(pair);
  const FlightState a = search_.state_of(pair.row_a, time), b = search_.state_of(pair.row_b, time);
  BodyContacts::Meeting meeting;
  search_.meet(pair, a, b, meeting);
  Manifold& manifold = meeting.manifold;
  if (!bounced && is_left_to_contact(pair, manifold.normal)) return;
  if (manifold.count == 0) return forget_contact(pair);
  const auto moved = [&](std::int32_t number, const FlightState& s, const vec3& r) {
    const vec4* const row = now_.rows + body_rows * std::size_t(number);
    const vec3 fall = s.inverse_mass > real(0) ? time * search_.fall() : vec3(0);
    return time * (vec3(row[row_shift]) + fall + glm::cross(vec3(row[row_turn]), r));
  };
  for (int k = 0; k < manifold.count; ++k) {
    ContactPoint& point = manifold.points[k];
    if (!(point.separation > real(0)) && !bounced) return leave_to_impact(p);
    point.separation -= glm::dot(manifold.normal, moved(pair.row_a, a, point.point - meeting.center_a) -
                                                      moved(pair.row_b, b, point.point - meeting.center_b));
  }
  contacts.replace(world, std::size_t(pair.contact), meeting, &now_.rows->x);
  one_by_one_.weigh(view_, pair.slot, pair.slot + 1, &now_.rows->x);
}

/// A pair without restitution whose contact acts in this substep, but that will touch in the next one only.
void BodyImpacts::leave_to_impact(std::size_t p) {
  const ImpactPair& pair = pairs_[p];
  const real time = ImpactSearch::reach_in_time(pair);
  if (!(time > real(1))) return;
  if (search_.first_touch(pair, real(0)).comes()) return;  // its contact stops it before
  const ImpactTouch touch = search_.first_touch(pair, real(1), time);
  if (touch.time <= time && !is_left_to_contact(pair, touch.meeting.manifold.normal)) forget_contact(pair);
}

void BodyImpacts::run(World& world, BodyContacts& contacts, const Substep& now, Team& team) {
  const Share mine = team.share(std::int64_t(pairs_.size()), 16);
  if (team.rank() == 0) {
    now_ = now;
    search_ = ImpactSearch(world, view_, now.h, now.gained, now.rows, now.frame_start);
    found_.store(false, std::memory_order_relaxed);
  }
  team.barrier();
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t p = std::size_t(k);
    bounces_[p] = 0;
    look(p);
    if (touches_[p].comes() || search_.closes(pairs_[p])) found_.store(true, std::memory_order_relaxed);
  }
  team.barrier();
  if (!found_.load(std::memory_order_relaxed)) return;
  if (team.rank() == 0) {
    take_all(world);
    bounced_ = !changed_.empty();
    for (const std::int32_t body : changed_)
      last_[std::size_t(body)] = 0, has_bounced_[std::size_t(body)] = 0;
    changed_.clear();
  }
  team.barrier();
  if (bounced_) {
    const Share slots = team.share(contacts.slots(), lane_group);
    kernels_.measure(view_, std::int32_t(slots.begin), std::int32_t(slots.end), &now_.rows->x);
    team.barrier();
  }
  for (std::int64_t k = mine.begin; k < mine.end; ++k) pass(world, contacts, std::size_t(k));
  team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
