// Weightless drops, and balls sinking in honey and in water.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

constexpr double spacing = 0.04;

/// A weightless fluid held together by a surface tension of `sigma` N/m.
SceneDesc drop(double sigma, const ObjectDesc& fluid) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.contact->particle_radius = 0.5 * spacing;
  scene.solver.step->substeps = 8;
  scene.solver.step->iterations = 3;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.solver.fluid->s_corr_k = 0.0;  // the artificial pressure would add to the pressure
  scene.assets = shipped_meshes();
  scene.objects = {fluid};
  scene.objects[0].material->surface_tension = sigma;
  scene.objects[0].material->xsph = 0.02;
  return scene;
}

/// Radius, m, of the ball that n particles fill.
double radius_of(std::size_t n) { return spacing * std::cbrt(double(n) * 0.75 / std::numbers::pi); }

/// Mean pressure within half the radius R of a drop at rest, times R / 2 and relative to sigma. The drop is
/// `wide` particles wide. Laplace's law: 2 sigma / R.
double laplace(double wide, int settles) {
  constexpr double sigma = 10.0;
  ObjectDesc ball = water_block({}, {0, 0, 0});
  ball.mesh = "balloon.obj";
  ball.size = wide * spacing;
  ball.jitter = 0.1 * spacing;
  SceneDesc scene = drop(sigma, ball);
  scene.solver.motion->damping = 0.9;
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, settles);
  const std::size_t n = std::size_t(simulation->model()->vertex_count);
  const double R = radius_of(n);
  std::vector<float> pressure(n);
  double sum = 0.0, count = 0.0;
  for (int f = 0; f < 10; ++f) {
    simulation->step();
    simulation->read(reading::Heat{HeatMap::pressure, pressure});
    const std::vector<glm::dvec3> x = positions_of(*simulation);
    glm::dvec3 middle(0.0);
    for (const glm::dvec3& p : x) middle += p / double(n);
    for (std::size_t i = 0; i < n; ++i)
      if (glm::distance(x[i], middle) < 0.5 * R) sum += double(pressure[i]), count += 1.0;
  }
  return sum / count * 0.5 * R / sigma;
}

/// Period of a drop without viscosity that starts as a block a quarter longer than wide and oscillates about
/// the ball, relative to Rayleigh's 2 pi sqrt(rho R^3 / (8 sigma)). Measured between the first and the third
/// zero of the moment that vanishes for a ball.
double swing_period(const glm::dvec3& particles) {
  constexpr double sigma = 40.0;
  SceneDesc scene = drop(sigma, water_block(spacing * particles, {0, 0, 0}));
  scene.objects[0].material->xsph = 0.0;
  const auto simulation = start(std::move(scene));
  const double R = radius_of(std::size_t(simulation->model()->vertex_count));
  std::vector<double> zeros;  // s
  for (double before = 0.0; zeros.size() < 3 && simulation->time() < 8.0;) {
    double now = 0.0;
    for (const glm::dvec3& x : positions_of(*simulation)) now += x.y * x.y - 0.5 * (x.x * x.x + x.z * x.z);
    if (now * before < 0.0) zeros.push_back(simulation->time() - frame * now / (now - before));
    before = now;
    simulation->step();
  }
  return zeros.size() < 3 ? 0.0
                          : (zeros[2] - zeros[0]) /
                                (2.0 * std::numbers::pi * std::sqrt(1000.0 * R * R * R / (8.0 * sigma)));
}

/// Terminal speed of a ball 200 kg/m^3 denser than honey on the axis of a square duct three times as wide as
/// the ball, relative to Stokes' speed 2/9 drho g a^2 / mu times the factor `duct` for the walls.
double honey_ball(double viscosity) {
  constexpr double radius = 0.01, a = 5.0 * radius, half = 3.0 * a, depth = 6.0 * a;
  // Haberman and Sayre's series of a tube, a third as wide, with the leading term of a square duct (Happel
  // and Brenner: 1.9033 for 2.1050)
  constexpr double duct = 0.42;
  SceneDesc scene = basin(radius, {-half, 0.0, -half}, {2.0 * half, depth, 2.0 * half}, 2.0 * half);
  scene.solver.motion->damping = 0.0;
  scene.objects[0].material->viscosity = viscosity;
  scene.objects[0].jitter = 0.2 * radius;
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = a;
  ball.density = 1200.0;
  ball.friction = 0.0;
  ball.pose.position = {0.0, 0.6 * depth, 0.0};
  scene.bodies = {ball};
  const auto simulation = start(std::move(scene));
  std::vector<BodyPose> pose(1);
  run_frames(*simulation, 20);
  simulation->read(reading::Bodies{pose});
  const double from = double(pose[0].position.y);
  run_frames(*simulation, 20);
  simulation->read(reading::Bodies{pose});
  const double speed = (from - double(pose[0].position.y)) / (20.0 * frame);
  return speed / (duct * 2.0 / 9.0 * 200.0 * g * a * a / viscosity);
}

/// Mean acceleration of a ball of five particle radii and `density` kg/m^3 over the first half radius of its
/// fall in water without XSPH, relative to (rho - rho_f) g / (rho + rho_f / 2): weight less buoyancy, and the
/// added mass of half the displaced water.
double water_ball(double density) {
  constexpr double r = 0.02, a = 5.0 * r, half = 3.0 * a, depth = 5.0 * a, longest = 3.0;
  SceneDesc scene = basin(r, {-half, 0.0, -half}, {2.0 * half, depth, 2.0 * half}, 2.0 * half);
  scene.solver.motion->damping = 0.0;
  scene.objects[0].material->xsph = 0.0;
  scene.objects[0].jitter = 0.2 * r;
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = a;
  ball.density = density;
  ball.friction = 0.0;
  ball.pose.position = {0.0, 0.6 * depth, 0.0};
  scene.bodies = {ball};
  const auto simulation = start(std::move(scene));
  std::vector<BodyPose> pose(1);
  double before = 0.0, fall = 0.0;  // m
  while (fall < 0.5 * a && simulation->time() < longest) {
    before = fall;
    simulation->step();
    simulation->read(reading::Bodies{pose});
    fall = ball.pose.position.y - double(pose[0].position.y);
  }
  if (fall < 0.5 * a) return 0.0;
  const double t = simulation->time() - frame * (fall - 0.5 * a) / (fall - before);
  return a / (t * t) / ((density - 1000.0) * g / (density + 500.0));
}

}  // namespace

// One calibration for all drops. Packings of particles under a pressure p resist shear like a fluid that is
// more viscous by 0.0175 s p, here by 45 Pa s. The balls in honey and water are slower by this, as their
// tolerances say.
ValidationCases drop_cases() {
  constexpr auto near = ValidationCase::Demand::near;
  return {
      {"drop 16 particles wide, pressure R / (2 sigma)", 1.0, laplace(16.0, 90), 0.15},
      {"drop 24 particles wide, pressure R / (2 sigma)", 1.0, laplace(24.0, 120), 0.15},
      {"drop of 640 particles that swings, period over Rayleigh's", 1.0, swing_period({8.0, 10.0, 8.0}),
       0.15},
      {"drop of 2,160 particles that swings, period over Rayleigh's", 1.0, swing_period({12.0, 15.0, 12.0}),
       0.15},
      {"ball that sinks in 10 Pa s, speed over Stokes's in a duct", 1.0, honey_ball(10.0), 1.0, near, 0.25},
      {"the same, 200 Pa s", 1.0, honey_ball(200.0), 0.25},
      {"ball of 1,200 kg/m^3 released in water, acceleration over theory", 1.0, water_ball(1200.0), 1.0, near,
       0.15},
      {"the same, 2,000 kg/m^3", 1.0, water_ball(2000.0), 0.15},
      {"the same, 8,000 kg/m^3", 1.0, water_ball(8000.0), 0.045}};
}

}  // namespace limber
