#include "engine/collision/balls.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

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

}  // namespace

void fly(Ball& ball, const glm::dvec3& gravity, double h) {
  ball.velocity = bounded(ball.velocity + h * gravity, fastest_ball);
  ball.position += h * ball.velocity;
}

void bounce(Ball& ball, double distance, const glm::dvec3& n, const glm::dvec3& surface, double h) {
  const double depth = ball.radius - distance;
  if (!(depth > 0.0)) return;
  ball.position += std::min(depth, way_out * h) * n;
  const glm::dvec3 v = ball.velocity - surface;
  const double approach = glm::dot(v, n);
  if (approach >= 0.0) return;
  const glm::dvec3 along = (v - approach * n) * std::max(1.0 - rolling_loss * h, 0.0);
  const double e = approach < -slowest_bounce ? restitution : 0.0;
  ball.velocity = bounded(surface + along - e * approach * n, fastest_ball);
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
