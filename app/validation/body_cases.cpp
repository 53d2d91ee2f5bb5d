// Free bodies and closed surfaces: fall, spin, impact, sliding over seams, and the energy of a balloon.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

SceneDesc free_bodies(std::vector<BodyDesc> bodies, int substeps) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.step->substeps = substeps;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.bodies = std::move(bodies);
  return scene;
}

BodyDesc smooth_body(const std::string& name, BodyShape shape, const glm::dvec3& position) {
  BodyDesc body;
  body.name = name;
  body.shape = shape;
  body.pose.position = position;
  body.friction = 0.0;
  return body;
}

BodyPose pose_of(const Simulation& simulation, std::size_t body) {
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  return poses[body];
}

/// Distance, m, that a body falls in a second.
double fall() {
  SceneDesc scene = free_bodies({smooth_body("stone", BodyShape::sphere, {})}, 20);
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 60);
  return -double(pose_of(*simulation, 0).position.y);
}

constexpr glm::dvec3 racket{0.3, 0.2, 0.05};        // m, half extents
constexpr glm::dvec3 racket_spin{0.01, 10.0, 0.0};  // rad/s; y is the middle axis

/// Time, s, between two flips of `racket` (Dzhanibekov's effect), from Euler's equations integrated by the
/// classical Runge-Kutta method of fourth order.
double flip_time() {
  const glm::dvec3 e2 = racket * racket;
  const glm::dvec3 I(e2.y + e2.z, e2.x + e2.z, e2.x + e2.y);  // times m/3
  const auto rate = [&](const glm::dvec3& w) {
    return glm::dvec3((I.y - I.z) * w.y * w.z / I.x, (I.z - I.x) * w.z * w.x / I.y,
                      (I.x - I.y) * w.x * w.y / I.z);
  };
  constexpr double h = 1e-4;
  glm::dvec3 w = racket_spin;
  double first = 0.0;
  for (int n = 1; n < 400'000; ++n) {
    const glm::dvec3 a = rate(w), b = rate(w + 0.5 * h * a), c = rate(w + 0.5 * h * b), d = rate(w + h * c);
    const double before = w.y;
    w += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    if (before * w.y >= 0.0) continue;
    const double now = h * (n - w.y / (w.y - before));
    if (first > 0.0) return now - first;
    first = now;
  }
  return 0.0;
}

/// Time, s, between two flips of a simulated body. A flip is a passage of its middle axis through the plane
/// perpendicular to the angular momentum.
double flip_time_of_body() {
  BodyDesc box = smooth_body("racket", BodyShape::box, {});
  box.half_extents = racket;
  box.angular_velocity = racket_spin * (180.0 / std::numbers::pi);
  const auto simulation = start(free_bodies({box}, 40));
  const glm::dvec3 momentum = glm::normalize(simulation->measure().angular_momentum);
  double before = 1.0, first = 0.0;
  for (int f = 1; f < 1000; ++f) {
    simulation->step();
    const double now = glm::dot(glm::dvec3(pose_of(*simulation, 0).rotation[1]), momentum);
    if (before * now < 0.0) {
      const double at = frame * (f - now / (now - before));
      if (first > 0.0) return at - first;
      first = at;
    }
    before = now;
  }
  return 0.0;
}

/// Share of the rotational energy that a free box has left after 10 s.
double spin_left() {
  BodyDesc box = smooth_body("box", BodyShape::box, {});
  box.half_extents = {0.3, 0.2, 0.1};
  box.angular_velocity = {200.0, 300.0, -100.0};
  const auto simulation = start(free_bodies({box}, 10));
  const double before = simulation->measure().kinetic_energy;
  run_frames(*simulation, 600);
  return simulation->measure().kinetic_energy / before;
}

/// Speed, m/s, of a ball of half a metre radius after a ball of an eighth of its mass has struck it at 2 m/s;
/// the path of the striking ball passes its centre at a distance of half a metre. Expected along the line of
/// centres: v (1 + e) m / (m + M) cos.
constexpr double strike_speed = 2.0, strike_bounce = 0.8;
double struck_speed() {
  BodyDesc light = smooth_body("light", BodyShape::sphere, {-2.0, 0.5, 0.0}),
           heavy = smooth_body("heavy", BodyShape::sphere, {0.0, 0.0, 0.0});
  light.radius = 0.25, heavy.radius = 0.5;
  light.restitution = heavy.restitution = strike_bounce;
  light.velocity = {strike_speed, 0.0, 0.0};
  const auto simulation = start(free_bodies({light, heavy}, 20));
  run_frames(*simulation, 120);
  const glm::dvec3 from(pose_of(*simulation, 1).position);
  run_frames(*simulation, 30);
  return glm::distance(glm::dvec3(pose_of(*simulation, 1).position), from) / (30.0 * frame);
}

/// Share of its speed that a box keeps while sliding without friction over the seams of five fixed boxes.
double speed_over_seams() {
  std::vector<BodyDesc> bodies;
  for (int k = 0; k < 5; ++k) {
    bodies.push_back(smooth_body("tile " + std::to_string(k), BodyShape::box, {double(k), -0.5, 0.0}));
    bodies.back().half_extents = glm::dvec3(0.5);
    bodies.back().fixed = true;
  }
  bodies.push_back(smooth_body("sledge", BodyShape::box, {0.0, 0.1, 0.0}));
  bodies.back().half_extents = glm::dvec3(0.1);
  bodies.back().velocity = {2.0, 0.0, 0.0};
  SceneDesc scene = free_bodies(bodies, 20);
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 90);
  const double from = double(pose_of(*simulation, 5).position.x);
  run_frames(*simulation, 15);
  return (double(pose_of(*simulation, 5).position.x) - from) / (15.0 * frame) / 2.0;
}

/// Relative gain of energy of an inflated balloon without damping: the largest excess over its energy one
/// second after the start, during the following two seconds.
double balloon_gain() {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.step->substeps = 20;
  scene.solver.motion->damping = 0.0;
  scene.assets = shipped_meshes();
  ObjectDesc skin;
  skin.name = "skin";
  skin.mesh = "balloon_small.obj";
  skin.size = 0.5;
  skin.pressure = 2.0;
  skin.pose.position = {0.0, 1.0, 0.0};
  scene.objects.push_back(skin);
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = 0.0;
  scene.colliders.push_back(ground);
  const auto simulation = start(std::move(scene));
  const auto energy = [&] {
    const Measures m = simulation->measure();
    return m.kinetic_energy + m.potential_energy + m.elastic_energy;
  };
  run_frames(*simulation, 60);
  const double first = energy();
  double most = 0.0;
  for (int f = 0; f < 120; ++f) {
    simulation->step();
    most = std::max(most, energy());
  }
  return most / first - 1.0;
}

}  // namespace

ValidationCases body_cases() {
  using Demand = ValidationCase::Demand;
  // sine of the angle between path and line of centres: 0.5 m over the sum of both radii
  const double struck = strike_speed * (1.0 + strike_bounce) / 9.0 * std::sqrt(1.0 - 4.0 / 9.0);
  const double flip = flip_time();
  // With the first order integrator the distance of a fall is (h + t) g t / 2, with h = 1/1200 s.
  return {
      {"free fall from rest, way in 1 s (m)", 0.5 * g, fall(), 1e-3 * 0.5 * g},
      {"Dzhanibekov's racket, time between two flips (s)", flip, flip_time_of_body(), 6e-6 * flip},
      {"free box that spins, energy left after 10 s", 1.0, spin_left(), 5e-6},
      {"ball struck off its middle by a lighter one, e 0.8, speed (m/s)", struck, struck_speed(),
       2e-7 * struck},
      {"box that slides over seams, speed left", 1.0, speed_over_seams(), 1e-9},
      {"balloon without damping, gain of energy in 2 s (share)", 0.0, balloon_gain(), 1e-4, Demand::at_most}};
}

}  // namespace limber
