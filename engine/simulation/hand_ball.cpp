#include "engine/simulation/hand_ball.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/state/sleep.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double ball_speed = 6.0;   // m/s, bound: after a jump of the mouse the ball must not throw things
                                     // out of the scene
constexpr real ball_friction = 1.0;  // high, so that the ball drags along what it slides on

/// Sets the collider's size, position and motion from the ball.
void place_hand_ball(const HandBall& ball, double time, const glm::dvec3& velocity, Collider& collider) {
  collider.size = vec3(real(ball.radius), 0, 0);
  collider.motion.rest.position = ball.position;
  collider.motion.linear_velocity = velocity;
  collider.motion.start = time;
  collider.position = vec3(ball.position);
}

/// `place`, moved out of all colliders. Leaves a gap of one particle diameter between the ball and a
/// collider: particles that the ball presses against a wall could not give way.
glm::dvec3 beside_colliders(const World& world, const HandBall& ball, glm::dvec3 place) {
  const double room = ball.radius + 2.0 * world.settings.solver.contact->particle_radius;
  for (std::size_t c = 0; c + 1 < world.colliders.size(); ++c) {
    const Collider& collider = world.colliders[c];
    if (collider.shape == ColliderShape::mesh && !collider.field) continue;  // a deforming mesh
    const auto nearest = closest(collider, vec3(place));
    if (double(nearest.distance) < room)
      place += (room - double(nearest.distance)) * glm::dvec3(nearest.normal);
  }
  return place;
}

/// Position that the ball reaches along `way`, m. Moves in short pieces, so that it passes through no wall.
glm::dvec3 end_of(const World& world, const HandBall& ball, const glm::dvec3& way) {
  constexpr double piece = 0.02;  // m, no longer than a wall is thick
  const int pieces = std::max(1, int(std::ceil(glm::length(way) / piece)));
  glm::dvec3 place = ball.position;
  for (int i = 0; i < pieces; ++i) place = beside_colliders(world, ball, place + way / double(pieces));
  return place;
}

}  // namespace

void add_hand_ball(World& world) {
  Collider& collider = world.colliders.emplace_back();
  collider.shape = ColliderShape::sphere;
  collider.friction = ball_friction;
  place_hand_ball(*world.user.ball, world.time, glm::dvec3(0.0), collider);
  world.changed(Change::everything);  // arrays have an entry per collider
}

void remove_hand_ball(World& world) {
  world.user.ball.reset();
  wake_all(world);
  world.colliders.pop_back();
  world.changed(Change::everything);
  const auto sides = std::int32_t(world.bodies.parts->shapes.size() + world.colliders.size());
  std::erase_if(world.contacts.bodies, [&](const BodyContact& contact) { return contact.b >= sides; });
}

void move_hand_ball(World& world, double dt) {
  if (!world.user.ball) return;
  HandBall& ball = *world.user.ball;
  glm::dvec3 way = ball.target - ball.position;
  const double length = glm::length(way), longest = ball_speed * dt;
  if (length > longest) way *= longest / length;
  way = end_of(world, ball, way) - ball.position;
  place_hand_ball(ball, world.time, way / dt, world.colliders.back());
  ball.position += way;
}

}}  // namespace limber::LIMBER_PRECISION
