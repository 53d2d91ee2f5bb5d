// Elastic rods: elastica, frequencies, twist, loads and a buckling ring.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>
#include <optional>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber {
namespace {

constexpr double rod_density = 1000.0, rod_radius = 0.005, rod_ratio = 0.3;

RodSection round_section() { return rod_section(rod_radius, 1.0, 0.0); }

/// A round rod of one metre along x, clamped at its start. `damping`: 1/s.
SceneDesc rod_scene(double youngs_modulus, int segments, double damping, double gravity) {
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = damping;
  scene.solver.motion->gravity = {0.0, -gravity, 0.0};
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.density = rod_density;
  rod.rod->segments = segments;
  rod.rod->radius = rod_radius;
  rod.material->youngs_modulus = youngs_modulus;
  rod.material->poisson_ratio = rod_ratio;
  rod.material->damping_time = damping > 0.0 ? 0.1 : 0.0;
  scene.objects = {rod};
  return scene;
}

/// Height over width of a cantilever by rho A g L^3/(E I), from tables of the elastica, with 40 segments. The
/// tables have four digits; constant curvature per joint is of second order.
ValidationCases own_weight() {
  ValidationCases cases;
  const std::array<double, 3> table[] = {
      {1.0, 0.1246, 1.5e-4}, {5.0, 0.5857, 1.3e-3}, {10.0, 1.0668, 2.6e-3}, {50.0, 3.706, 2.1e-2}};
  for (const auto& [load, expected, tolerance] : table) {
    const double modulus = rod_density * round_section().area * g / (load * round_section().i1);
    const auto simulation = start(rod_scene(modulus, 40, 0.9, g));
    run_frames(*simulation, 500);
    const glm::dvec3 tip = positions_of(*simulation).back();
    cases.push_back({"rod under its weight, load " + std::to_string(int(load)) + ", height / width", expected,
                     -tip.y / tip.x, tolerance});
  }
  return cases;
}

/// Deflection by P L^2/(E I) at the tip of a light rod.
ValidationCases tip_load() {
  ValidationCases cases;
  const std::pair<double, double> table[] = {{1.0, 0.30172}, {5.0, 0.71379}, {10.0, 0.81061}};
  for (const auto& [load, expected] : table) {
    SceneDesc scene = rod_scene(1e8, 40, 0.9, g);
    object_of(scene).density = 1e-3;
    object_of(scene).rod->end_mass = load * 1e8 * round_section().i1 / g;
    const auto simulation = start(std::move(scene));
    run_frames(*simulation, 500);
    cases.push_back({"rod with a load at its tip, " + std::to_string(int(load)) + ", deflection / length",
                     expected, -positions_of(*simulation).back().y, 0.001 * expected});
  }
  return cases;
}

/// Mean time, s, of a period, from the first to the last time that `value` rises through `level`.
template <class Value>
double period(Simulation& simulation, double step, double level, int periods, const Value& value) {
  std::optional<double> first;
  double before = value(), last = 0.0;
  int crossings = 0;
  for (int frames = 1; frames < 100000 && crossings <= periods; ++frames) {
    simulation.step();
    const double now = value();
    if (before < level && now >= level) {
      last = step * (frames - 1 + (level - before) / (now - before));
      if (!first) first = last;
      ++crossings;
    }
    before = now;
  }
  return first && crossings > 1 ? (last - *first) / (crossings - 1) : 0.0;
}

/// Period of bending from the frequency (1.8751^2/2 pi) sqrt(E I/(rho A L^4)), released under a hundredth of
/// a per cent of its weight. Implicit Euler damps the swing but changes the period only in second order of h.
ValidationCase bending_period() {
  constexpr double modulus = 1e8, gravity = 1e-3;
  SceneDesc scene = rod_scene(modulus, 40, 0.0, gravity);
  scene.solver.step->substeps = 40;
  const double stiff = modulus * round_section().i1, line = rod_density * round_section().area;
  const auto simulation = start(std::move(scene));
  const double sag = -line * gravity / (8.0 * stiff);
  const double got = period(*simulation, frame, sag, 4, [&] { return positions_of(*simulation).back().y; });
  const double expected = 2.0 * glm::pi<double>() / (1.875104 * 1.875104) / std::sqrt(stiff / line);
  return {"rod, first period of bending (s)", expected, got, 0.002 * expected};
}

/// Period 4 L/sqrt(G/rho) of torsion: a uniformly twisted rod is released at its end.
ValidationCase twist_period() {
  constexpr double modulus = 1e6;
  SceneDesc scene = rod_scene(modulus, 40, 0.0, 0.0);
  scene.solver.step->substeps = 100;
  scene.solver.step->dt = 1e-2;
  object_of(scene).rod->twist = 20.0;
  const auto simulation = start(std::move(scene));
  std::vector<glm::dvec4> turns;
  simulation->read(reading::Turns{turns});
  const glm::dvec4 straight = turns.front();
  const auto roll = [&] {
    simulation->read(reading::Turns{turns});
    return rotation_between(straight, turns.back()).z;
  };
  const double expected = 4.0 / std::sqrt(modulus / (2.0 * (1.0 + rod_ratio)) / rod_density);
  return {"rod, period of twist (s)", expected, period(*simulation, 1e-2, 0.0, 4, roll), 3e-7 * expected};
}

/// Energy G J theta^2/(2 L) of half a turn between two clamps.
ValidationCase twist_energy() {
  SceneDesc scene = rod_scene(1e8, 40, 0.9, 0.0);
  object_of(scene).rod->last_end = RodEnd::clamped;
  object_of(scene).rod->twist = 180.0;
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 60);
  const double theta = glm::pi<double>(), stiff = 1e8 / (2.0 * (1.0 + rod_ratio)) * round_section().torsion;
  const double expected = 0.5 * stiff * theta * theta;
  return {"rod twisted by half a turn, energy (J)", expected, simulation->measure().elastic_energy,
          1e-9 * expected};
}

/// Elongation m g L/(E A) of a steel wire under more than ten thousand times its mass, with one substep per
/// frame.
ValidationCase heavy_end() {
  constexpr double modulus = 2.05e11, mass = 1000.0;
  SceneDesc scene = rod_scene(modulus, 50, 0.5, g);
  scene.solver.step->substeps = 1;
  ObjectDesc& rod = object_of(scene);
  rod.pose.rotation_degrees = {0.0, 0.0, -90.0};
  rod.rod->first_end = RodEnd::pinned;
  rod.rod->end_mass = mass;
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 300);
  const double expected = mass * g / (modulus * round_section().area);
  return {"steel wire under 12,700 times its mass, stretch", expected,
          -positions_of(*simulation).back().y - 1.0, 1e-4 * expected};
}

/// Michell's instability: a naturally straight ring leaves its plane beyond a twist of 2 pi sqrt(3) E I/(G
/// J).
ValidationCases ring() {
  ValidationCases cases;
  for (const double share : {0.95, 1.05}) {
    SceneDesc scene = rod_scene(3e8, 48, 0.1, 0.0);
    ObjectDesc& rod = object_of(scene);
    rod.rod->form = RodForm::ring;
    rod.rod->rest = RodRest::straight;
    rod.rod->twist = share * glm::degrees(2.0 * glm::pi<double>() * std::sqrt(3.0) * (1.0 + rod_ratio));
    rod.jitter = 1e-5;
    rod.material->damping_time = 0.01;
    const auto simulation = start(std::move(scene));
    double height = 0.0;
    for (int f = 0; f < 400; ++f) {
      simulation->step();
      const Measures m = simulation->measure();
      if (f > 50) height = std::max(height, m.bounds_max.y - m.bounds_min.y);
    }
    using Demand = ValidationCase::Demand;
    if (share < 1.0)
      cases.push_back(
          {"ring twisted by 0.95 of Michell's twist, height (m)", 0.0, height, 1e-5, Demand::at_most});
    else
      cases.push_back({"ring twisted by 1.05 of it, height (m)", 0.05, height, 0.0, Demand::at_least});
  }
  return cases;
}

/// A free rod at two turns per second keeps its angular momentum for ten seconds.
ValidationCase free_spin() {
  SceneDesc scene = rod_scene(1e8, 40, 0.0, 0.0);
  object_of(scene).rod->first_end = RodEnd::free;
  object_of(scene).angular_velocity = {30.0, 600.0, 390.0};
  const auto simulation = start(std::move(scene));
  const glm::dvec3 before = simulation->measure().angular_momentum;
  run_frames(*simulation, 600);
  const double left = glm::length(simulation->measure().angular_momentum) / glm::length(before);
  return {"free rod at two turns a second, angular momentum left after 10 s", 1.0, left, 1e-10};
}

}  // namespace

ValidationCases rod_cases() {
  ValidationCases cases = own_weight();
  for (const ValidationCases& more :
       {tip_load(), ValidationCases{bending_period(), twist_period(), twist_energy(), heavy_end()}, ring(),
        ValidationCases{free_spin()}})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace limber
