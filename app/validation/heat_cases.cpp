// Conduction, exchange and melting, compared with analytic solutions.
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

constexpr double conductivity = 0.6, capacity = 4000.0, density = 1000.0;
constexpr double diffusivity = conductivity / (density * capacity);  // m^2/s

/// A scene without motion, whose only heat source are colliders.
SceneDesc calm_scene(double radius) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = radius;
  scene.solver.step->substeps = scene.solver.step->iterations = 1;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.heat->enabled = true;
  scene.heat->exchange = 0.0;
  scene.heat->contact = 1e7;
  return scene;
}

ObjectDesc block(const std::string& name, const glm::dvec3& extent, const glm::dvec3& middle,
                 double temperature) {
  ObjectDesc object;
  object.name = name;
  object.type = ObjectType::fluid;
  object.fluid->rest_density = object.density = density;
  object.fluid->extent = extent;
  object.pose.position = middle;
  object.temperature = temperature;
  object.material->xsph = 0.0;
  object.material->conductivity = conductivity;
  object.material->heat_capacity = capacity;
  object.material->melts = true;  // far above the temperatures used: a rigid chunk whose particles do not
                                  // move
  object.material->solidus = 2000.0, object.material->liquidus = 2001.0;
  return object;
}

ColliderDesc wall(const std::string& name, double x, double temperature) {
  ColliderDesc box;
  box.name = name;
  box.shape = ColliderShape::box;
  box.half_extents = {0.1, 1.0, 1.0};
  box.pose.position = {x, 0.0, 0.0};
  box.temperature = temperature;
  return box;
}

/// Largest deviation of the temperatures from the function `right` of position, K.
double deviation(const Simulation& simulation, const std::function<double(const glm::dvec3&)>& right) {
  const std::vector<glm::dvec3> places = positions_of(simulation);
  std::vector<float> degrees(places.size());
  simulation.read(reading::Heat{HeatMap::temperature, degrees});
  double largest = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i)
    largest = std::max(largest, std::abs(double(degrees[i]) - right(places[i])));
  return largest;
}

/// Lets `frames` frames represent `seconds` of heat flow.
void run_for(SceneDesc& scene, double seconds, int frames) { scene.heat->speed = seconds / (frames * frame); }

/// A bar of 1 m at 100 degrees on its left and 0 on its right half: deviation, K, from 50 erfc(x / 2
/// sqrt(alpha t)).
double two_halves(int cells) {
  const double d = 1.0 / cells, width = 0.1, depth = 0.1;
  SceneDesc scene = calm_scene(0.5 * d);
  scene.objects = {block("left", {0.5, width, width}, {-0.25, 0, 0}, 100.0),
                   block("right", {0.5, width, width}, {0.25, 0, 0}, 0.0)};
  run_for(scene, depth * depth / (4.0 * diffusivity), 20);
  const auto simulation = start(scene);
  run_frames(*simulation, 20);
  return deviation(*simulation, [&](const glm::dvec3& x) { return 50.0 * std::erfc(x.x / depth); });
}

/// A bar of 1 m whose ends are held at 100 and 0 degrees, at alpha t / L^2 = 0.05: deviation, K, from the
/// Fourier series.
double between_walls(int cells) {
  const double d = 1.0 / cells, width = 0.2;
  SceneDesc scene = calm_scene(0.5 * d);
  scene.objects = {block("bar", {1.0, width, width}, glm::dvec3(0.0), 0.0)};
  scene.colliders = {wall("hot", -0.6, 100.0), wall("cold", 0.6, 0.0)};
  run_for(scene, 0.05 / diffusivity, 20);
  const auto simulation = start(scene);
  run_frames(*simulation, 20);
  return deviation(*simulation, [](const glm::dvec3& place) {
    const double x = place.x + 0.5;
    double right = 100.0 * (1.0 - x);
    for (int n = 1; n < 60; ++n) {
      const double turn = n * std::numbers::pi;
      right -= 200.0 / turn * std::sin(turn * x) * std::exp(-turn * turn * 0.05);
    }
    return right;
  });
}

/// A half space at 0 degrees whose surface steps to 100: deviation, K, from 100 erfc(x / 2 sqrt(alpha t)),
/// with 40 cells per length 2 sqrt(alpha t).
double half_space() {
  constexpr double d = 0.01, depth = 0.4;
  SceneDesc scene = calm_scene(0.5 * d);
  scene.objects = {block("bar", {1.2, 0.04, 0.04}, {0.6, 0, 0}, 0.0)};
  scene.colliders = {wall("hot", -0.1, 100.0)};
  run_for(scene, depth * depth / (4.0 * diffusivity), 20);
  const auto simulation = start(scene);
  run_frames(*simulation, 20);
  return deviation(*simulation, [&](const glm::dvec3& x) { return 100.0 * std::erfc(x.x / depth); });
}

/// Ice at its melting point before a wall that is 10 K warmer, with a melting range of 1 % of that and St =
/// 0.5. Returns the front relative to 2 lambda sqrt(alpha t), lambda exp(lambda^2) erf(lambda) = St /
/// sqrt(pi), once it is `cells` cells deep.
double melting_front(int cells) {
  constexpr double stefan = 0.5, step = 10.0, front = 0.6;
  const double d = front / cells, width = 4.0 * d;
  SceneDesc scene = calm_scene(0.5 * d);
  ObjectDesc ice = block("ice", {0.9, width, width}, {0.45, 0, 0}, -0.05);
  ice.material->melts = true;
  ice.material->solidus = -0.05, ice.material->liquidus = 0.05;
  ice.material->latent_heat = capacity * step / stefan;
  scene.objects = {ice};
  scene.colliders = {wall("warm", -0.1, step)};
  double low = 0.0, high = 2.0;
  while (high - low > 1e-12) {
    const double l = 0.5 * (low + high);
    (l * std::exp(l * l) * std::erf(l) < stefan * std::numbers::inv_sqrtpi ? low : high) = l;
  }
  run_for(scene, front * front / (4.0 * low * low * diffusivity), 40);
  const auto simulation = start(scene);
  run_frames(*simulation, 40);
  return simulation->measure().molten_share * 0.9 / front;
}

/// Remaining share of a difference of 60 K to the air after the time m c / (h A), relative to exp(-1).
double cooled(bool tets) {
  constexpr double side = 0.2, exchange = 20.0;
  SceneDesc scene = calm_scene(0.01);
  scene.heat->exchange = exchange;
  scene.heat->ambient = 20.0;
  ObjectDesc cube = block("cube", glm::dvec3(side), glm::dvec3(0.0), 80.0);
  if (tets) cube.type = ObjectType::tets, cube.material->melts = false;
  cube.tets->shape = TetShape::bar;
  cube.tets->cells = glm::dvec3(6.0), cube.tets->dimensions = glm::dvec3(side);
  cube.material->conductivity = 100.0;  // Biot number 0.007
  scene.objects = {cube};
  run_for(scene, density * side * capacity / (6.0 * exchange), 60);
  const auto simulation = start(scene);
  run_frames(*simulation, 60);
  return (simulation->measure().temperature.mean - scene.heat->ambient) / 60.0 * std::numbers::e;
}

/// Ice at -10 degrees beside water at 60 in a closed box, until all ice has melted: relative error of energy,
/// and deviation of the mean temperature from that of the heat balance, relative to the first difference.
struct Balance {
  double energy = 0.0, temperature = 0.0;
};
Balance closed_ice() {
  SceneDesc scene = calm_scene(0.02);
  scene.solver.step->substeps = 4;
  scene.objects = {block("water", {0.4, 0.2, 0.24}, glm::dvec3(0.0), 60.0),
                   block("ice", {0.16, 0.2, 0.24}, {0.285, 0, 0}, -10.0)};
  for (ObjectDesc& object : scene.objects) {
    object.material->melts = true;
    object.material->solidus = -0.5, object.material->liquidus = 0.5;
    object.material->latent_heat = 3.3e4;
  }
  scene.heat->speed = 2e5;
  const auto simulation = start(scene);
  const double before = simulation->measure().heat;
  Balance out;
  for (int f = 0; f < 300; ++f) {
    run_frames(*simulation, 1);
    out.energy = std::max(out.energy, std::abs(simulation->measure().heat / before - 1.0));
  }
  const double all = density * double(simulation->measure().fluid_particles) * 0.04 * 0.04 * 0.04;
  const double right = (before / all - 3.3e4) / capacity;
  out.temperature = std::abs(simulation->measure().temperature.mean - right) / 70.0;
  return out;
}

/// Acceleration of a parcel 50 K warmer than the air with an expansion of 0.01/K, relative to beta dT g,
/// upwards.
double rising() {
  SceneDesc scene = calm_scene(0.02);
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.motion->damping = 0.0;
  scene.heat->ambient = 20.0;
  ObjectDesc parcel = block("parcel", glm::dvec3(0.16), {0, 5, 0}, 70.0);
  parcel.material->expansion = 0.01;
  parcel.material->melts = false;
  scene.objects = {parcel};
  const auto simulation = start(scene);
  run_frames(*simulation, 30);
  double speed = 0.0;
  const std::vector<glm::dvec3> velocities = velocities_of(*simulation);
  for (const glm::dvec3& v : velocities) speed += v.y / double(velocities.size());
  return (speed / (30 * frame) + g) / (0.01 * 50.0 * g);
}

}  // namespace

// Tolerances are relative to 100 K or to the expected value.
ValidationCases heat_cases() {
  using enum ValidationCase::Demand;
  const double coarse = two_halves(40), fine = two_halves(80);
  const Balance closed = closed_ice();
  return {
      {"bar of two halves, 40 cells, largest error (K of 100)", 0.0, coarse, 1.0, at_most},
      {"the same in 80 cells, its share of that error", 0.5, fine / coarse, 0.0, at_most},
      {"bar between two temperatures, 40 cells, largest error (K of 100)", 0.0, between_walls(40), 1.0,
       at_most},
      {"half space, largest error (K of 100)", 0.0, half_space(), 2.0, at_most},
      {"melting half space, front over Stefan's", 1.0, melting_front(40), 0.03},
      {"cube of tetrahedra that cools, difference left over exp(-1)", 1.0, cooled(true), 0.01},
      {"cube of particles that cools, difference left over exp(-1)", 1.0, cooled(false), 0.1},
      {"ice in water, closed: energy gone (share)", 0.0, closed.energy, 1e-6, at_most},
      {"ice in water, mean temperature off the balance (share)", 0.0, closed.temperature, 1e-4, at_most},
      {"warm parcel, rise over beta dT g", 1.0, rising(), 0.1},
  };
}

}  // namespace limber
