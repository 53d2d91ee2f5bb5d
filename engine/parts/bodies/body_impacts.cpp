#include "engine/parts/bodies/body_impacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/law.hpp"
#include "engine/parts/bodies/body_flight.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int most_bounces = 16;  // bounces of a pair in a substep; further impacts are left to its contact
// Share of a pair's size; points within this distance touch in the same impact.
constexpr real together = real(1e-4);
// Sine between normals below which a contact of the frame has the normal of the impact.
constexpr real same_direction = real(1e-3);
constexpr int most_sweeps = 100;  // sweeps over the impulses of one impact
constexpr real rounding = std::numeric_limits<real>::epsilon();

/// The inverse rotation of q.
vec4 inverse_of(const vec4& q) { return {-q.x, -q.y, -q.z, q.w}; }

vec4 unit(const vec4& q) { return q / std::sqrt(glm::dot(q, q)); }

/// The rotation vector of a unit quaternion, for small rotations.
vec3 small_turn(const vec4& q) { return (q.w < real(0) ? real(-2) : real(2)) * vec3(q); }

}  // namespace

void BodyImpacts::begin_frame(const World& world, BodyContacts& contacts) {
  pairs_.clear();
  changed_.clear();
  view_ = contacts.view();
  const std::size_t entries = ImpactSearch::any_eligible(world) ? world.contacts.bodies.size() : 0;
  for (std::size_t c = 0; c < entries; ++c) {
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
  kicks_.assign(std::size_t(world.bodies.count()), {});
  has_joints_.assign(std::size_t(world.bodies.count()), 0);
  for (std::size_t j = 0; j < world.bodies.joints.size(); ++j)
    if (!world.bodies.joints[j].broken)
      for (const std::int32_t body : {world.topology->joints[j].a, world.topology->joints[j].b})
        if (body >= 0) has_joints_[std::size_t(body)] = 1;
  is_joined_.assign(pairs_.size(), 0);
  blows_.reserve(pairs_.size());
  list_neighbours(world.bodies.count());
}

/// Lists the pairs of each body by counting sort.
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

/// A pair without restitution is left to its contact, unless the contact's normal differs from that of the
/// impact.
bool BodyImpacts::is_left_to_contact(const ImpactPair& pair, const vec3& normal) const {
  if (pair.restitution > real(0) || is_forgotten(pair)) return false;
  const vec3 across = glm::cross(vector_at(view_.slot(pair.slot) + column_normal * lane_group), normal);
  return glm::dot(across, across) < same_direction * same_direction;
}

/// Searches the next impact of a pair.
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

/// Point at which the impulse acts: the mean of the points that touch together, weighted by their closing
/// speeds.
bool BodyImpacts::find_arms(const BodyContacts::Meeting& meeting, Blow& blow) const {
  const Manifold& manifold = meeting.manifold;
  const real near = together * pairs_[blow.pair].size;
  real nearest = never_met, weights = 0;
  vec3 middle(0);
  const auto for_closing = [&](const auto& act) {
    for (int k = 0; k < manifold.count; ++k) {
      const auto approach = ImpactSearch::approach_of(blow.a, blow.b, meeting, manifold.points[k].point);
      if (approach.without_fall > search_.slow()) act(manifold.points[k], approach.speed);
    }
  };
  for_closing([&](const ContactPoint& point, real) { nearest = std::min(nearest, point.separation); });
  if (!blows_.empty() && nearest > near) return false;  // the pair touches later
  for_closing([&](const ContactPoint& point, real speed) {
    if (point.separation > std::max(nearest, real(0)) + near) return;
    middle += speed * point.point;
    weights += speed;
  });
  if (!(weights > real(0))) return false;
  blow.arm_a = middle / weights - meeting.center_a, blow.arm_b = middle / weights - meeting.center_b;
  blow.normal = manifold.normal;
  return true;
}

/// Adds a pair to the impact at `time` if it touches at that time.
void BodyImpacts::join(std::size_t p, real time) {
  const ImpactPair& pair = pairs_[p];
  Blow blow{
      {.friction = pair.friction}, p, search_.state_of(pair.row_a, time), search_.state_of(pair.row_b, time)};
  BodyContacts::Meeting meeting = touches_[p].meeting;
  if (touches_[p].time != time) search_.meet(pair, blow.a, blow.b, time, meeting);
  if (!find_arms(meeting, blow)) return;
  const ImpactSides sides = sides_of(blow);
  blow.freedom = sides.inverse_mass_along(blow.normal);
  if (!(blow.freedom > real(0))) return;
  blow.leaving = -pair.restitution * glm::dot(blow.normal, sides.moved());
  blows_.push_back(blow);
  is_joined_[p] = 1;
}

/// Lists the pairs of an impact: those that touch at the same time and share a movable body, directly or
/// through other pairs.
void BodyImpacts::gather(std::size_t first) {
  const real time = touches_[first].time;
  blows_.clear();
  join(first, time);
  for (std::size_t k = 0; k < blows_.size(); ++k)
    for (const std::int32_t row : {pairs_[blows_[k].pair].row_a, pairs_[blows_[k].pair].row_b}) {
      const std::size_t body = std::size_t(row);
      if (body >= kicks_.size() || search_.state_of(row, time).inverse_mass == real(0)) continue;
      for (std::int32_t i = first_of_[body]; i < first_of_[body + 1]; ++i)
        if (const std::size_t q = std::size_t(pairs_of_[std::size_t(i)]);
            !is_joined_[q] && touches_[q].comes())
          join(q, time);
    }
}

/// The bodies of a pair at the points of its impulse, with the changes by the impact so far.
ImpactSides BodyImpacts::sides_of(const Blow& blow) {
  const auto kick_of = [&](std::int32_t row) {
    return std::size_t(row) < kicks_.size() ? &kicks_[std::size_t(row)] : nullptr;
  };
  const ImpactPair& pair = pairs_[blow.pair];
  return {blow.a, blow.b, blow.arm_a, blow.arm_b, kick_of(pair.row_a), kick_of(pair.row_b)};
}

/// Computes the normal impulses of an impact together: each pair separates with the speed of its restitution,
/// or faster if other pairs push it apart.
void BodyImpacts::push_apart() {
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    real changed = 0, fastest = 0;  // m per substep
    for (Blow& blow : blows_) {
      const real more = push_impact(blow, sides_of(blow));
      blow.impulse += more * blow.normal;
      changed = std::max(changed, std::abs(more) * blow.freedom);
      fastest = std::max(fastest, blow.pushed * blow.freedom);
    }
    if (blows_.size() == 1 || !(changed > 4 * rounding * fastest)) return;
  }
}

/// Computes and applies the impact that begins with the contact of pair `first`.
void BodyImpacts::take(World& world, std::size_t first) {
  const real time = touches_[first].time;
  gather(first);
  push_apart();
  for (Blow& blow : blows_) blow.impulse += rub_impact(blow, sides_of(blow));
  for (const Blow& blow : blows_) {
    const ImpactPair& pair = pairs_[blow.pair];
    ++bounces_[blow.pair];
    commit(world, pair.row_a, blow.a, blow.impulse, blow.arm_a, time);
    commit(world, pair.row_b, blow.b, -blow.impulse, blow.arm_b, time);
    for (const std::int32_t row : {pair.row_a, pair.row_b})
      if (std::size_t(row) < kicks_.size()) kicks_[std::size_t(row)] = {};
  }
}

/// Applies an impulse (kg m per substep) at `arm` to a body, and moves the body's start of the substep to the
/// place from which it would have come with its new velocity. That of a body with joints stays: they hold it
/// there, and would be apart by up to f h (v - v') in the next place.
void BodyImpacts::commit(World& world, std::int32_t number, const FlightState& at, const vec3& impulse,
                         const vec3& arm, real time) {
  if (at.inverse_mass == real(0)) return;
  Bodies& bodies = world.bodies;
  const std::size_t i = std::size_t(number);
  vec4* const row = now_.rows + body_rows * i;
  const vec3 change = at.inverse_mass * impulse, torque = glm::cross(arm, impulse);
  bodies.velocity[i] += vec4(change / now_.h, real(0));
  if (has_joints_[i]) {
    bodies.angular_momentum[i] += vec4(torque / now_.h, real(0));
  } else {
    row[row_moved] -= vec4(time * change, real(0));
    set_place(bodies, i, vec3(now_.frame_start[i]), vec3(row[row_moved]));
  }
  if (!has_joints_[i] && torque != vec3(0)) {
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

/// Order of the queue: by time, at equal times by the number of the pair.
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

/// Applies all impacts in the order of time. Serial.
void BodyImpacts::take_all(World& world) {
  queue_.clear();
  for (std::size_t p = 0; p < pairs_.size(); ++p) add(p);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const Event event = queue_.back();
    queue_.pop_back();
    const std::size_t p = std::size_t(event.pair);
    if (event.stamp != stamps_[p]) continue;
    take(world, p);
    if (blows_.empty()) {
      ++bounces_[p];
      look_again(p);
    }
    for (const Blow& blow : blows_) look_again(blow.pair);
    for (const Blow& blow : blows_)
      for (const std::int32_t number : {pairs_[blow.pair].row_a, pairs_[blow.pair].row_b})
        look_around(number);
    for (const Blow& blow : blows_) is_joined_[blow.pair] = 0;
  }
}

/// Searches the next impacts of the other pairs of a body that has bounced.
void BodyImpacts::look_around(std::int32_t number) {
  const std::size_t i = std::size_t(number);
  if (i >= last_.size() || !has_bounced_[i]) return;  // the impact did not move the body
  for (std::int32_t k = first_of_[i]; k < first_of_[i + 1]; ++k)
    if (const std::size_t q = std::size_t(pairs_of_[std::size_t(k)]); !is_joined_[q]) look_again(q);
}

/// Whether the plane of a pair's contact may stop the pair although it will be apart at the substep's end.
/// False for contacts that have pushed.
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

/// Makes the contact of a pair again if the pair stays apart for as long as its contact plane acts, but the
/// plane would stop it. Separations are relative to the substep's start.
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

/// Drops the contact of a pair without restitution that acts in this substep although the pair touches only
/// in the next one.
void BodyImpacts::leave_to_impact(std::size_t p) {
  const ImpactPair& pair = pairs_[p];
  const real time = ImpactSearch::reach_in_time(pair);
  if (!(time > real(1))) return;
  if (search_.first_touch(pair, real(0)).comes()) return;  // the contact stops the pair in this substep
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
}

}}  // namespace limber::LIMBER_PRECISION
