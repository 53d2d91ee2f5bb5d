#include "engine/parts/bodies/sleeping.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

#include "engine/core/find_root.hpp"
#include "engine/core/settings/sleep.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// Multiple of sleep_speed up to which a body that stays in place counts as at rest.
constexpr real trembling = 5;

}  // namespace

std::int32_t Sleeping::root_of(std::int32_t i) {
  return find_root(i, [&](std::int32_t k) -> std::int32_t& { return root_[std::size_t(k)]; });
}

void Sleeping::join(std::int32_t a, std::int32_t b) {
  const std::int32_t x = root_of(a), y = root_of(b);
  root_[std::size_t(std::max(x, y))] = std::min(x, y);
}

/// Whether no point of a body has moved away from its anchor by more than sleep_speed times the whole window.
bool Sleeping::is_calm(const World& world, std::size_t i) const {
  const Bodies& bodies = world.bodies;
  const Sleep& sleep = world.bodies.sleep;
  const real slow = real(world.settings.solver.sleep->sleep_speed);
  const real speed =
      glm::length(vec3(bodies.velocity[i])) + reach_[i] * glm::length(angular_velocity(bodies, i));
  if (!(speed < trembling * slow)) return false;
  if (sleep.calm[i] == real(0)) return true;  // the time at rest starts here
  const vec4& from = sleep.anchor_turn[i];
  const vec4 since = rotated(bodies.orientation[i], vec4(-vec3(from), from.w));
  const real moved =
      glm::length(vec3(bodies.position[i] - sleep.anchor[i])) + 2 * reach_[i] * glm::length(vec3(since));
  return moved < slow * real(world.settings.solver.sleep->sleep_time);
}

/// Measures for how long every body has stayed in place. A body that trembles in place counts as at rest
/// (towers rock by fractions of a millimetre) unless its speed is high enough to be visible.
void Sleeping::measure(World& world, real dt, const StaticContacts& statics) {
  const auto& shapes = world.bodies.parts->shapes;
  Sleep& sleep = world.bodies.sleep;
  reach_.assign(std::size_t(world.bodies.count()), real(0));
  for (const PlacedShape& shape : shapes)
    reach_[std::size_t(shape.body)] = std::max(reach_[std::size_t(shape.body)], shape.reach);
  const real window = real(world.settings.solver.sleep->sleep_time);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (!takes_part(world, i)) continue;
    real& calm = sleep.calm[i];
    const real before = std::exchange(calm, is_calm(world, i) ? calm + dt : real(0));
    if (before > real(0) && calm > real(0) && std::floor(calm / window) == std::floor(before / window))
      continue;  // a new window begins: a body that waits for others may creep on meanwhile
    sleep.anchor[i] = world.bodies.position[i];
    sleep.anchor_turn[i] = world.bodies.orientation[i];
  }
  for (const PointTie& tie : world.user.point_ties)  // no event would wake these bodies when the ties pull
    for (const TieEnd* const end : {&tie.a, &tie.b})
      if (end->body >= 0) sleep.calm[std::size_t(end->body)] = 0;
  if (world.user.body_grab) sleep.calm[std::size_t(world.user.body_grab->body)] = 0;
  for (const BodyContact& contact : world.contacts.bodies) {
    const std::size_t b = std::size_t(contact.b);
    if (contact.count > 0 && b >= shapes.size() && b - shapes.size() < world.colliders.size() &&
        statics.disturbs(b - shapes.size()))
      sleep.calm[std::size_t(shapes[std::size_t(contact.a)].body)] = 0;
  }
}

/// Joins movable bodies into islands, through contacts and joints with other movable bodies.
void Sleeping::connect(const World& world) {
  root_.resize(reach_.size());
  std::iota(root_.begin(), root_.end(), 0);
  const auto& shapes = world.bodies.parts->shapes;
  const auto movable = [&](std::int32_t body) {
    return body >= 0 && world.bodies.position[std::size_t(body)].w > real(0);
  };
  for (const BodyContact& contact : world.contacts.bodies) {
    if (contact.count == 0 || std::size_t(contact.b) >= shapes.size()) continue;
    const std::int32_t a = shapes[std::size_t(contact.a)].body, b = shapes[std::size_t(contact.b)].body;
    if (movable(a) && movable(b)) join(a, b);
  }
  for (const Joint& joint : world.topology->joints)
    if (movable(joint.a) && movable(joint.b)) join(joint.a, joint.b);
}

void Sleeping::begin_frame(World& world, real dt, const StaticContacts& statics) {
  Sleep& sleep = world.bodies.sleep;
  if (!world.settings.solver.sleep->sleeping) return wake_all(world);
  const std::size_t count = std::size_t(world.bodies.count());
  if (sleep.island.size() != count) {
    sleep.island.assign(count, Sleep::awake);
    sleep.calm.assign(count, real(0));
    sleep.load.assign(count, vec4(0));
    sleep.anchor.assign(count, vec4(0));
    sleep.anchor_turn.assign(count, vec4(0, 0, 0, 1));
  }
  sort_contacts(world);
  measure(world, dt, statics);
  const real long_enough = real(world.settings.solver.sleep->sleep_time);
  if (std::none_of(sleep.calm.begin(), sleep.calm.end(), [&](real calm) { return calm >= long_enough; }))
    return;
  connect(world);
  calm_.assign(count, long_enough);
  for (std::size_t i = 0; i < count; ++i) {
    if (!takes_part(world, i)) continue;
    real& least = calm_[std::size_t(root_of(std::int32_t(i)))];
    least = std::min(least, sleep.calm[i]);
  }
  drowsy_.clear();
  islands_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (!takes_part(world, i)) continue;
    const std::int32_t root = root_of(std::int32_t(i));
    if (calm_[std::size_t(root)] < long_enough) continue;
    drowsy_.push_back(std::int32_t(i));
    islands_.push_back(root);
  }
  put_to_sleep(world, drowsy_, islands_);
}

}}  // namespace limber::LIMBER_PRECISION
