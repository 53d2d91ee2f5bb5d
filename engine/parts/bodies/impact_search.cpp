#include "engine/parts/bodies/impact_search.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real float_grain = std::numeric_limits<real>::epsilon();
constexpr real no_impact = ImpactTouch::never;
constexpr int most_steps = 24;  // steps of the iteration for the time of impact
// Share of a pair's size; shapes within this distance are in contact.
constexpr real touching = std::max(real(1e-9), 16 * float_grain);
// Cosine between normals above which they belong to one patch of a mesh.
constexpr real same_side = real(0.5);

/// m per rad, largest displacement of a shape's surface when its body rotates.
real turning_reach(const PlacedShape& part) {
  return part.centered && part.shape.kind == ConvexKind::sphere ? real(0) : part.reach;
}

/// m per rad, bound of the displacement by the collider's rotation of points that the pair can touch.
real reach_of_collider(const World& world, const ImpactPair& pair) {
  const std::size_t c = std::size_t(pair.shape_b) - world.bodies.parts->shapes.size();
  const vec3 apart(world.bodies.position[std::size_t(pair.row_a)]);
  return glm::length(apart - world.colliders[c].position) + 2 * pair.size;
}

/// Whether a shape has no flat face: its normal then rotates while it moves along another shape.
bool has_no_face(const PlacedShape& part) {
  return part.shape.kind == ConvexKind::sphere || part.shape.kind == ConvexKind::capsule;
}
bool has_no_face(const Collider& collider) {
  return collider.shape == ColliderShape::sphere || collider.shape == ColliderShape::capsule;
}

Placed placed_at(const PlacedShape& part, const vec3& center, const vec4& orientation) {
  return placed(part, center, rotation_of(orientation));
}

}  // namespace

bool ImpactSearch::any_eligible(const World& world) {
  const auto bounces = [](const auto& side) { return side.restitution > 0; };
  return std::ranges::any_of(world.settings.body_materials, bounces) ||
         std::ranges::any_of(world.colliders, bounces) ||
         std::ranges::any_of(world.bodies.parts->shapes,
                             [](const PlacedShape& part) { return has_no_face(part); });
}

ImpactSearch::Listed ImpactSearch::listed(const World& world, const BodyContactView<real>& view,
                                          std::int32_t contact, std::int32_t slot, bool on_ground) {
  const auto& shapes = world.bodies.parts->shapes;
  const BodyContact& entry = world.contacts.bodies[std::size_t(contact)];
  const PlacedShape& a = shapes[std::size_t(entry.a)];
  const bool body = std::size_t(entry.b) < shapes.size();
  real* const columns = view.slot(slot);
  ImpactPair pair{contact, slot, entry.a, entry.b, a.body, view.b[slot] / body_rows};
  pair.restitution = columns[column_restitution * lane_group];
  pair.friction = columns[column_friction * lane_group];
  pair.plane = on_ground || pair.row_b >= world.bodies.count() + std::int32_t(world.colliders.size());
  if (!(pair.restitution > real(0))) {
    const bool b_turns = body ? has_no_face(shapes[std::size_t(entry.b)])
                              : has_no_face(world.colliders[std::size_t(entry.b) - shapes.size()]);
    if (!has_no_face(a) || !b_turns) return {pair, false};
  }
  pair.size = a.reach;
  pair.reach_a = turning_reach(a);
  pair.apart = never_met;
  for (int k = 0; k < contact_points; ++k)
    pair.apart =
        std::min(pair.apart, BodyContactView<real>::point(columns, k)[point_separation * lane_group]);
  if (body) {
    const PlacedShape& b = shapes[std::size_t(entry.b)];
    pair.row_b = b.body;
    pair.size = std::min(a.reach, b.reach);
    pair.reach_b = turning_reach(b);
  } else {
    pair.reach_b = reach_of_collider(world, pair);
  }
  return {pair, true};
}

FlightState ImpactSearch::state_of(std::int32_t number, real time) const {
  const vec4* const row = row_of(number);
  const vec3 turn = shortened(vec3(row[row_turn]), most_turn);
  FlightState s;
  s.velocity = vec3(row[row_shift]);
  s.center = time * s.velocity;
  s.spin = turn;
  if (number >= world_->bodies.count()) {
    s.center += vec3(row[row_moved]);
    s.orientation = rotated(turn_quaternion(time * turn), row[row_rotated]);
    return s;
  }
  const std::size_t i = std::size_t(number);
  s.orientation = rotated(turn_quaternion(time * turn), world_->bodies.orientation[i]);
  s.inverse_mass = row[row_shift].w;
  if (s.inverse_mass == real(0)) return s;
  s.fall = (real(0.5) + time) * fall_;
  s.center += real(0.5) * (time + time * time) * fall_;
  s.velocity += s.fall;
  s.inverse_inertia = in_world(rotation_of(s.orientation), vec3(world_->bodies.inverse_inertia[i]));
  s.spin = s.inverse_inertia * (h_ * vec3(world_->bodies.angular_momentum[i]));
  return s;
}

ImpactSearch::Approach ImpactSearch::approach_of(const FlightState& a, const FlightState& b,
                                                 const BodyContacts::Meeting& meeting, const vec3& point) {
  const vec3 u = a.velocity + glm::cross(a.spin, point - meeting.center_a) - b.velocity -
                 glm::cross(b.spin, point - meeting.center_b);
  const vec3& n = meeting.manifold.normal;
  return {-glm::dot(n, u), -glm::dot(n, u - (a.fall - b.fall))};
}

bool ImpactSearch::closes(const ImpactPair& pair) const {
  const real* const slot = view_.slot(pair.slot);
  const vec3 n = vector_at(slot + column_normal * lane_group);
  const vec4 *const a = rows_ + view_.a[pair.slot], *const b = rows_ + view_.b[pair.slot];
  for (int k = 0; k < contact_points; ++k) {
    const real* const p = BodyContactView<real>::point(const_cast<real*>(slot), k);
    const vec3 ra = vector_at(p + point_at_a * lane_group), rb = vector_at(p + point_at_b * lane_group);
    const vec3 u = vec3(a[row_shift]) + glm::cross(vec3(a[row_turn]), ra) - vec3(b[row_shift]) -
                   glm::cross(vec3(b[row_turn]), rb);
    const real approach = -glm::dot(n, u), separation = p[point_separation * lane_group];
    if (approach > slow() && separation <= real(1.001) * reach_in_time(pair) * (approach + slow()))
      return true;
  }
  return false;
}

/// m, bound of the displacement of any point of the pair by rotation in this substep.
real ImpactSearch::turning_of(const ImpactPair& pair) const {
  return pair.reach_a * glm::length(vec3(row_of(pair.row_a)[row_turn])) +
         pair.reach_b * glm::length(vec3(row_of(pair.row_b)[row_turn]));
}

/// The distance at the frame's start decreases at most by the motion of both bodies since then.
bool ImpactSearch::nears(const ImpactPair& pair) const {
  const vec4 *const a = row_of(pair.row_a), *const b = row_of(pair.row_b);
  const real most = glm::length(vec3(a[row_shift]) - vec3(b[row_shift])) + turning_of(pair);
  if (!(most > slow())) return false;
  const real moved = glm::length(vec3(a[row_moved]) - vec3(b[row_moved])) +
                     2 * pair.reach_a * glm::length(vec3(a[row_rotated])) +
                     2 * pair.reach_b * glm::length(vec3(b[row_rotated]));
  return pair.apart <= moved + real(1.001) * most + slow();
}

/// m, distance within which the pair is searched.
real ImpactSearch::reach_of(const ImpactPair& pair) const {
  const vec4 *const a = row_of(pair.row_a), *const b = row_of(pair.row_b);
  return glm::length(vec3(a[row_shift]) - vec3(b[row_shift])) + slow() +
         2 * pair.size * std::min(glm::length(vec3(a[row_turn])) + glm::length(vec3(b[row_turn])), real(2)) +
         real(0.1) * pair.size;
}

void ImpactSearch::meet(const ImpactPair& pair, const FlightState& a, const FlightState& b,
                        BodyContacts::Meeting& out) const {
  const auto& shapes = world_->bodies.parts->shapes;
  const PlacedShape& shape = shapes[std::size_t(pair.shape_a)];
  out.origin = vec3(world_->bodies.position[std::size_t(pair.row_a)]);
  out.center_a = a.center;
  out.place_a = placed_at(shape, a.center, a.orientation);
  const BodyContact& known = world_->contacts.bodies[std::size_t(pair.contact)];
  out.manifold = {};  // the feature that separated them at the frame's start does so still; at a seam another
                      // could be a side
  out.manifold.normal = known.normal, out.manifold.axis = known.axis;
  if (std::size_t(pair.shape_b) >= shapes.size()) return meet_collider(pair, b, reach_of(pair), out);
  const vec3 start(frame_start_[pair.row_a]), other(frame_start_[pair.row_b]);
  const vec3 moved(row_of(pair.row_b)[row_moved] - row_of(pair.row_a)[row_moved]);
  out.center_b = (other - start) + moved + b.center;
  const PlacedShape& part = shapes[std::size_t(pair.shape_b)];
  collide(shape.shape, out.place_a, part.shape, placed_at(part, out.center_b, b.orientation), reach_of(pair),
          out.manifold);
}

/// Manifold with a collider; `out` already contains the pose of the body.
void ImpactSearch::meet_collider(const ImpactPair& pair, const FlightState& b, real reach,
                                 BodyContacts::Meeting& out) const {
  const auto& shapes = world_->bodies.parts->shapes;
  const Collider& known = world_->colliders[std::size_t(pair.shape_b) - shapes.size()];
  Collider collider;
  collider.shape = known.shape, collider.size = known.size;
  collider.field = known.field, collider.field_center = known.field_center;
  out.center_b =
      (known.position - vec3(frame_start_[pair.row_a])) - vec3(row_of(pair.row_a)[row_moved]) + b.center;
  collider.position = out.center_b;
  collider.rotation = rotation_of(b.orientation) * known.rotation;
  Manifold found[field_manifolds_max];
  if (collider.shape != ColliderShape::mesh) found[0] = out.manifold;
  const int count =
      collide_collider(shapes[std::size_t(pair.shape_a)].shape, out.place_a, collider, reach, found);
  const vec3& n = world_->contacts.bodies[std::size_t(pair.contact)].normal;
  real nearest = collider.shape == ColliderShape::mesh ? same_side : real(-2);
  for (int k = 0; k < count; ++k)
    if (const real cosine = glm::dot(found[k].normal, n); cosine > nearest)
      nearest = cosine, out.manifold = found[k];
}

/// Manifold with the contact plane of the frame.
void ImpactSearch::meet_plane(const ImpactPair& pair, const FlightState& a, real time,
                              BodyContacts::Meeting& out) const {
  const real* const slot = view_.slot(pair.slot);
  out.center_a = out.center_b = a.center;
  out.manifold = {};
  out.manifold.normal = vector_at(slot + column_normal * lane_group);
  const vec4 *const row_a = rows_ + view_.a[pair.slot], *const row_b = rows_ + view_.b[pair.slot];
  for (int k = 0; k < contact_points; ++k) {
    const real* const p = BodyContactView<real>::point(const_cast<real*>(slot), k);
    if (!(p[point_separation * lane_group] < never_met)) continue;
    const vec3 ra = vector_at(p + point_at_a * lane_group), rb = vector_at(p + point_at_b * lane_group);
    const vec3 u = a.center + time * glm::cross(vec3(row_a[row_turn]), ra) -
                   time * (vec3(row_b[row_shift]) + glm::cross(vec3(row_b[row_turn]), rb));
    out.center_b = a.center + ra - rb;
    out.manifold.points[out.manifold.count++] = {
        a.center + ra, p[point_separation * lane_group] + glm::dot(out.manifold.normal, u), 0};
  }
}

/// State of a pair at one time, and the next times of Newton's iteration.
struct ImpactSearch::Look {
  bool touches = false;   ///< a point is in contact or deeper, and approaches
  bool overlaps = false;  ///< such a point is deeper than contact
  bool deep = false;      ///< some point is deeper than contact, even if it separates
  real next = no_impact;  ///< time at which the first of the other points will be in contact
  real back = no_impact;  ///< time at which the first of the points in contact came into contact
};

ImpactSearch::Look ImpactSearch::look_at(const ImpactPair& pair, real time,
                                         BodyContacts::Meeting& out) const {
  const FlightState a = state_of(pair.row_a, time), b = state_of(pair.row_b, time);
  meet(pair, a, b, time, out);
  const real rounding = 8 * float_grain * glm::length(out.center_b - out.center_a);
  Look look;
  look.back = time;
  for (int k = 0; k < out.manifold.count; ++k) {
    const ContactPoint& point = out.manifold.points[k];
    const Approach approach = approach_of(a, b, out, point.point);
    const real near = touching * pair.size + rounding + 4 * float_grain * std::abs(approach.speed);
    if (point.separation > near) {
      if (approach.speed > real(0)) look.next = std::min(look.next, time + point.separation / approach.speed);
      continue;
    }
    look.deep |= point.separation < -near;
    if (approach.without_fall > slow()) {
      look.touches = true;
      look.overlaps |= point.separation < -near;
      look.back = std::min(look.back, time + point.separation / approach.speed);
    }
  }
  return look;
}

ImpactTouch ImpactSearch::first_touch(const ImpactPair& pair, real since, real until) const {
  ImpactTouch touch;
  real time = since, before = since, after = no_impact;  // latest time without contact, earliest with contact
  bool turning = turning_of(pair) > real(0), clear = false;
  for (int step = 0; step < most_steps; ++step) {
    const Look look = look_at(pair, time, touch.meeting);
    if (look.touches && (!look.overlaps || time == since || after - before <= 4 * float_grain)) {
      touch.time = time;
      return touch;
    }
    if (step == 0) clear = !look.deep;
    // If it does not approach, it has already turned back.
    const bool met = look.touches || (clear && look.deep);
    (met ? after : before) = time;
    real next = met ? look.back : look.next;
    if (after < no_impact && !(next > before && next < after)) next = real(0.5) * (before + after);
    if (next > until) {  // a rotating body may approach elsewhere
      if (!std::exchange(turning, false)) return touch;
      next = std::floor(until);
    }
    time = next;
  }
  // The distance of curved shapes is only known to the tolerance of its search and jumps: the two sides of a
  // jump are the same contact.
  if (after < no_impact && look_at(pair, after, touch.meeting).touches) touch.time = after;
  return touch;
}

}}  // namespace limber::LIMBER_PRECISION
