#include "engine/collision/balls.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/constraints/particle_pair.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr double restitution = 0.55;     // of a bounce ...
constexpr double slowest_bounce = 0.25;  // m/s, ... and slower than that it rests
constexpr double rolling_loss = 0.8;     // 1/s, of its speed along a surface
constexpr double way_out = 20.0;         // m/s, at which it leaves what it is inside
constexpr double most_kick = 2.0;        // m/s more than it had: what rests in its way may push it

glm::dvec3 bounded(const glm::dvec3& v, double most) {
  const double length = glm::length(v);
  return length > most ? v * (most / length) : v;
}

/// What friction changes in the velocity `along` a surface, at most by `most` m/s: a push at the surface of a
/// ball of mass m moves it there as if it had 2/7 m, of which the spin takes 5/7.
glm::dvec3 friction_on(const Ball& ball, const glm::dvec3& along, const glm::dvec3& n, double most) {
  const glm::dvec3 slid = along - ball.radius * glm::cross(ball.spin, n);
  const double length = glm::length(slid);
  if (!(length > 0.0)) return glm::dvec3(0.0);
  return -std::min(length / surface_mobility, most) / length * slid;
}

}  // namespace

void fly(Ball& ball, const glm::dvec3& gravity, double h) {
  ball.velocity = bounded(ball.velocity + h * gravity, fastest_ball);
  ball.position += h * ball.velocity;
}

void bounce(Ball& ball, const BallTouch& touch, double h) {
  const double depth = ball.radius - touch.distance;
  if (!(depth > 0.0)) return;
  const glm::dvec3& n = touch.n;
  ball.position += std::min(depth, way_out * h) * n;
  const glm::dvec3 v = ball.velocity - touch.surface;
  const double approach = glm::dot(v, n);
  if (approach >= 0.0) return;
  const double e = approach < -slowest_bounce ? restitution : 0.0;
  const double keep = std::max(1.0 - rolling_loss * h, 0.0);
  const glm::dvec3 rubbed = friction_on(ball, v - approach * n, n, -touch.friction * (1.0 + e) * approach);
  const glm::dvec3 along = keep * (v - approach * n + rubbed);
  ball.spin = keep * (ball.spin - spin_mobility / ball.radius * glm::cross(n, rubbed));
  ball.velocity = bounded(touch.surface + along - e * approach * n, fastest_ball);
}

void bounce_off_each_other(std::span<Ball> balls, double h) {
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const glm::dvec3 apart = balls[i].position - balls[j].position;
      const double distance = glm::length(apart), reach = balls[i].radius + balls[j].radius;
      if (!(distance < reach)) continue;
      const glm::dvec3 n = distance > 1e-9 ? apart / distance : glm::dvec3(0.0, 1.0, 0.0);
      const double share = balls[j].mass() / (balls[i].mass() + balls[j].mass());
      const glm::dvec3 out = std::min(reach - distance, way_out * h) * n;
      balls[i].position += share * out;
      balls[j].position -= (1.0 - share) * out;
      const double approach = glm::dot(balls[i].velocity - balls[j].velocity, n);
      if (approach >= 0.0) continue;
      const glm::dvec3 change = (1.0 + restitution) * approach * n;
      balls[i].velocity -= share * change;
      balls[j].velocity += (1.0 - share) * change;
    }
}

void kick(Ball& ball, const glm::dvec3& impulse) {
  const glm::dvec3 change = bounded(impulse / ball.mass(), glm::length(ball.velocity) + most_kick);
  ball.velocity = bounded(ball.velocity + change, fastest_ball);
}

}  // namespace limber::inline LIMBER_PRECISION
