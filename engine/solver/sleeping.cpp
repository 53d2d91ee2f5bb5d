#include "engine/solver/sleeping.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>

namespace limber::inline LIMBER_PRECISION {

std::int32_t Sleeping::root_of(std::int32_t i) {
  while (root_[std::size_t(i)] != i) i = root_[std::size_t(i)] = root_[std::size_t(root_[std::size_t(i)])];
  return i;
}

void Sleeping::join(std::int32_t a, std::int32_t b) {
  const std::int32_t x = root_of(a), y = root_of(b);
  root_[std::size_t(std::max(x, y))] = std::min(x, y);
}

/// How long every body has been slow.
void Sleeping::measure(World& world, real dt, const StaticContacts& statics) {
  const Bodies& bodies = world.bodies;
  const auto& shapes = world.topology->body_shapes;
  Sleep& sleep = world.sleep;
  reach_.assign(std::size_t(bodies.count()), real(0));
  for (const PlacedShape& shape : shapes)
    reach_[std::size_t(shape.body)] = std::max(reach_[std::size_t(shape.body)], shape.reach);
  const real slow = real(world.settings.sleep_speed);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    if (!takes_part(world, i)) continue;
    const real speed =
        glm::length(vec3(bodies.velocity[i])) + reach_[i] * glm::length(angular_velocity(bodies, i));
    sleep.calm[i] = speed < slow ? sleep.calm[i] + dt : real(0);
  }
  if (world.body_grab) sleep.calm[std::size_t(world.body_grab->body)] = 0;
  for (const BodyContact& contact : world.body_contacts) {
    const std::size_t b = std::size_t(contact.b);
    if (contact.count > 0 && b >= shapes.size() && b - shapes.size() < world.colliders.size() &&
        statics.disturbs(world, b - shapes.size()))
      sleep.calm[std::size_t(shapes[std::size_t(contact.a)].body)] = 0;
  }
}

/// Bodies that can move, through others that can.
void Sleeping::connect(const World& world) {
  root_.resize(reach_.size());
  std::iota(root_.begin(), root_.end(), 0);
  const auto& shapes = world.topology->body_shapes;
  const auto movable = [&](std::int32_t body) {
    return body >= 0 && world.bodies.position[std::size_t(body)].w > real(0);
  };
  for (const BodyContact& contact : world.body_contacts) {
    if (contact.count == 0 || std::size_t(contact.b) >= shapes.size()) continue;
    const std::int32_t a = shapes[std::size_t(contact.a)].body, b = shapes[std::size_t(contact.b)].body;
    if (movable(a) && movable(b)) join(a, b);
  }
  for (const Joint& joint : world.topology->joints)
    if (movable(joint.a) && movable(joint.b)) join(joint.a, joint.b);
}

void Sleeping::begin_frame(World& world, real dt, const StaticContacts& statics) {
  Sleep& sleep = world.sleep;
  if (!world.settings.sleeping) return wake_all(world);
  const std::size_t count = std::size_t(world.bodies.count());
  if (sleep.island.size() != count) {
    sleep.island.assign(count, Sleep::awake);
    sleep.calm.assign(count, real(0));
    sleep.load.assign(count, vec4(0));
  }
  sort_contacts(world);
  measure(world, dt, statics);
  const real long_enough = real(world.settings.sleep_time);
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

}  // namespace limber::inline LIMBER_PRECISION
