#include "engine/state/body_changes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Index of the first shape of `body`, or at which it would have to be inserted.
std::ptrdiff_t first_shape(const BodyParts& parts, std::int32_t body) {
  const auto at = std::partition_point(parts.shapes.begin(), parts.shapes.end(),
                                       [&](const PlacedShape& shape) { return shape.body < body; });
  return at - parts.shapes.begin();
}

/// The smallest number of a removed body; the number of bodies if there is none.
std::int32_t free_number(const World& world) {
  std::int32_t body = world.bodies.parts->built;
  while (body < world.bodies.count() && is_added(world, body)) ++body;
  return body;
}

void insert_shapes(BodyParts& parts, std::int32_t body, const std::vector<PlacedShape>& shapes) {
  const auto at =
      parts.shapes.insert(parts.shapes.begin() + first_shape(parts, body), shapes.begin(), shapes.end());
  for (std::size_t k = 0; k < shapes.size(); ++k) (at + std::ptrdiff_t(k))->body = body;
}

/// Adds `more` to all numbers from `first` on: the numbers of shapes, and behind them of colliders, by which
/// contacts name their two sides.
void renumber(std::vector<BodyContact>& contacts, std::int32_t first, std::int32_t more) {
  for (BodyContact& contact : contacts) {
    if (contact.a >= first) contact.a += more;
    if (contact.b >= first) contact.b += more;
  }
}

/// Drops the contacts of the shapes [first, first + count).
void drop(std::vector<BodyContact>& contacts, std::int32_t first, std::int32_t count) {
  const auto gone = [&](std::int32_t shape) { return shape >= first && shape < first + count; };
  std::erase_if(contacts, [&](const BodyContact& contact) { return gone(contact.a) || gone(contact.b); });
}

void set_row(Bodies& bodies, std::size_t i, const NewBody& body) {
  bodies.position[i] = body.position;
  bodies.remainder[i] = vec4(0);
  bodies.orientation[i] = body.orientation;
  bodies.velocity[i] = body.velocity;
  bodies.angular_momentum[i] = body.angular_momentum;
  bodies.inverse_inertia[i] = body.inverse_inertia;
}

/// Resets the sleep of body i to awake. The arrays are empty as long as no body may sleep.
void keep_awake(Sleep& sleep, std::size_t i) {
  if (sleep.island.empty()) return;
  const std::size_t count = std::max(sleep.island.size(), i + 1);
  sleep.calm.resize(count), sleep.anchor.resize(count), sleep.anchor_turn.resize(count);
  sleep.island.resize(count), sleep.load.resize(count);
  sleep.calm[i] = 0;
  sleep.anchor[i] = sleep.load[i] = vec4(0);
  sleep.anchor_turn[i] = vec4(0, 0, 0, 1);
  sleep.island[i] = Sleep::awake;
}

}  // namespace

void append_body(const NewBody& body, std::int32_t source, Bodies& bodies, BodyParts& parts) {
  const std::size_t i = bodies.position.size();
  for (auto* rows : {&bodies.position, &bodies.remainder, &bodies.orientation, &bodies.velocity,
                     &bodies.angular_momentum, &bodies.inverse_inertia})
    rows->resize(i + 1);
  set_row(bodies, i, body);
  parts.source.push_back(source);
  insert_shapes(parts, std::int32_t(i), body.shapes);
}

std::int32_t add_body(World& world, const NewBody& body, const BodyMaterial& material) {
  auto parts = std::make_shared<BodyParts>(*world.bodies.parts);
  const std::int32_t number = free_number(world);
  const std::size_t i = std::size_t(number);
  const std::int32_t first = std::int32_t(first_shape(*parts, number));
  if (number == world.bodies.count()) {
    append_body(body, std::int32_t(world.settings.body_materials.size()), world.bodies, *parts);
    world.settings.body_materials.push_back(material);
  } else {
    set_row(world.bodies, i, body);
    insert_shapes(*parts, number, body.shapes);
    world.settings.body_materials[std::size_t(parts->source[i])] = material;
  }
  for (auto* contacts : {&world.contacts.bodies, &world.bodies.sleep.contacts})
    renumber(*contacts, first, std::int32_t(body.shapes.size()));
  keep_awake(world.bodies.sleep, i);
  world.bodies.parts = std::move(parts);
  world.changed(Change::bodies);
  return number;
}

bool is_added(const World& world, std::int32_t body) {
  const BodyParts& parts = *world.bodies.parts;
  if (body < parts.built || body >= world.bodies.count()) return false;
  const std::size_t first = std::size_t(first_shape(parts, body));
  return first < parts.shapes.size() && parts.shapes[first].body == body;
}

void remove_body(World& world, std::int32_t body) {
  auto parts = std::make_shared<BodyParts>(*world.bodies.parts);
  const std::int32_t first = std::int32_t(first_shape(*parts, body)),
                     count = std::int32_t(first_shape(*parts, body + 1)) - first;
  wake(world, std::array{body});
  if (world.user.body_grab && world.user.body_grab->body == body) world.user.body_grab.reset();
  for (auto* contacts : {&world.contacts.bodies, &world.bodies.sleep.contacts}) {
    drop(*contacts, first, count);
    renumber(*contacts, first + count, -count);
  }
  const auto at = parts->shapes.begin() + first;
  parts->shapes.erase(at, at + count);
  set_row(world.bodies, std::size_t(body), {});
  world.bodies.parts = std::move(parts);
  world.changed(Change::bodies);
}

}}  // namespace limber::LIMBER_PRECISION
