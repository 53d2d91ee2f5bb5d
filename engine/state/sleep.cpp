#include "engine/state/sleep.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool in_order(const BodyContact& x, const BodyContact& y) {
  return std::tie(x.a, x.b, x.patch) < std::tie(y.a, y.b, y.patch);
}

/// Moves the contacts for which `wanted` is true to another list. Both lists are sorted, and stay so.
template <class Wanted>
void hand_over(std::vector<BodyContact>& from, std::vector<BodyContact>& to, const Wanted& wanted) {
  const std::ptrdiff_t known = std::ptrdiff_t(to.size());
  const auto left = std::stable_partition(from.begin(), from.end(),
                                          [&](const BodyContact& contact) { return !wanted(contact); });
  to.insert(to.end(), left, from.end());
  from.erase(left, from.end());
  std::inplace_merge(to.begin(), to.begin() + known, to.end(), in_order);
}

}  // namespace

bool is_asleep(const World& world, std::size_t body) {
  return world.bodies.sleep.count > 0 && world.bodies.sleep.island[body] != Sleep::awake;
}

bool takes_part(const World& world, std::size_t body) {
  return world.bodies.position[body].w > real(0) && !is_asleep(world, body);
}

void wake(World& world, std::span<const std::int32_t> bodies) {
  Sleep& sleep = world.bodies.sleep;
  const std::int32_t before = sleep.count;
  for (const std::int32_t body : bodies) {
    if (!is_asleep(world, std::size_t(body))) continue;
    const std::int32_t island = sleep.island[std::size_t(body)];
    for (std::size_t i = std::size_t(island); i < sleep.island.size(); ++i) {
      if (sleep.island[i] != island) continue;
      sleep.island[i] = Sleep::awake;
      sleep.calm[i] = 0;
      --sleep.count;
    }
  }
  sleep.changed |= sleep.count != before;
}

void wake_all(World& world) {
  Sleep& sleep = world.bodies.sleep;
  if (sleep.count == 0) return;
  std::fill(sleep.island.begin(), sleep.island.end(), Sleep::awake);
  std::fill(sleep.calm.begin(), sleep.calm.end(), real(0));
  sleep.count = 0;
  sleep.changed = true;
}

void put_to_sleep(World& world, std::span<const std::int32_t> bodies, std::span<const std::int32_t> islands) {
  Sleep& sleep = world.bodies.sleep;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t i = std::size_t(bodies[k]);
    sleep.island[i] = islands[k];
    sleep.load[i] = vec4(0);
    sleep.calm[i] = 0;
    world.bodies.velocity[i] = world.bodies.angular_momentum[i] = vec4(0);
  }
  sleep.count += std::int32_t(bodies.size());
  sleep.changed |= !bodies.empty();
}

void sort_contacts(World& world) {
  if (!world.bodies.sleep.changed) return;
  world.bodies.sleep.changed = false;
  const auto& shapes = world.bodies.parts->shapes;
  const auto sleeps = [&](std::int32_t shape) {
    return std::size_t(shape) < shapes.size() &&
           is_asleep(world, std::size_t(shapes[std::size_t(shape)].body));
  };
  const auto of_sleeper = [&](const BodyContact& contact) { return sleeps(contact.a) || sleeps(contact.b); };
  hand_over(world.contacts.bodies, world.bodies.sleep.contacts, of_sleeper);
  hand_over(world.bodies.sleep.contacts, world.contacts.bodies, std::not_fn(of_sleeper));
}

}}  // namespace limber::LIMBER_PRECISION
