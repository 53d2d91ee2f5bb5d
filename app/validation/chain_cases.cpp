// Chains and pendula.
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

/// Period of a particle on a rigid rod of 1 m released at rest, in units of 2 pi sqrt(L/g): four times the
/// time to the first passage through the lowest point, found by linear interpolation (the path is straight
/// there).
double period_ratio(double amplitude_degrees) {
  const double a = amplitude_degrees * std::numbers::pi / 180.0;
  SceneDesc scene = points_scene({{0, 0, 0}, {std::sin(a), -std::cos(a), 0}}, {0.0, 1.0}, {{{0, 1}, 1.0}});
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.step->dt = 1e-3;
  scene.solver.step->substeps = 20;
  const auto simulation = start(std::move(scene));
  double before = std::sin(a), now = before;
  int frames = 0;
  while (now > 0.0 && frames < 10000) {
    simulation->step();
    ++frames;
    before = now;
    now = positions_of(*simulation)[1].x;
  }
  const double quarter = 1e-3 * (frames - 1 + before / (before - now));
  return 4.0 * quarter / (2.0 * std::numbers::pi * std::sqrt(1.0 / g));
}

/// T/T0 = (2/pi) K(sin(a/2)). The scheme is of first order in the substep of 5e-5 s: it loses amplitude and
/// shifts the release, by shares of h sqrt(g/L) = 1.6e-4.
ValidationCases pendulum() {
  ValidationCases cases;
  for (const int degrees : {10, 45, 90, 120, 170}) {
    const double ratio =
        2.0 / std::numbers::pi * std::comp_ellint_1(std::sin(degrees * std::numbers::pi / 360.0));
    const std::string name = "pendulum T/T0 at " + std::to_string(degrees) + " degrees";
    cases.push_back({name, ratio, period_ratio(degrees), 1e-4 * ratio});
  }
  return cases;
}

/// A chain of `links` unit masses hanging straight down from a fixed point, solved from the top.
SceneDesc hanging_chain(int links, double link_length) {
  std::vector<glm::dvec3> positions;
  std::vector<SpringDesc> springs;
  for (int i = 0; i <= links; ++i) positions.push_back({0.0, -link_length * i, 0.0});
  for (Index i = 0; i < links; ++i) springs.push_back({{i, i + 1}, link_length});
  std::vector<double> masses(std::size_t(links) + 1, 1.0);
  masses[0] = 0.0;
  SceneDesc scene = points_scene(positions, masses, std::move(springs));
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  return scene;
}

/// The work of ten iterations, divided in several ways between substeps and iterations (case
/// small_steps_hanging_chain of tests/vectors.json): elongation after one second, from an independent
/// 50-digit computation. 60 to 600 roundings of positions near 1 stay under 1e-12.
ValidationCases small_steps() {
  ValidationCases cases;
  struct Split {
    int substeps, iterations;
    double elongation;
  };
  for (const Split& split : {Split{1, 1, 0.18169978703009362}, Split{1, 10, 0.011040823255096116},
                             Split{2, 5, 0.005860817875959268}, Split{10, 1, 0.0012255151907498152}}) {
    SceneDesc scene = hanging_chain(10, 0.1);
    scene.solver.method->kind = SolverMethod::pbd;
    scene.solver.step->substeps = split.substeps;
    scene.solver.step->iterations = split.iterations;
    const auto simulation = start(std::move(scene));
    run_frames(*simulation, 60);
    const std::string name = "chain elongation, " + std::to_string(split.substeps) + " substeps x " +
                             std::to_string(split.iterations) + " (m)";
    cases.push_back({name, split.elongation, -1.0 - positions_of(*simulation)[10].y, 1e-10});
  }
  return cases;
}

/// Mean |C| over 10 s in a chain of 20 links whose tip is 1e5 times heavier than a link.
double heavy_tip_error(int substeps, int iterations) {
  SceneDesc scene = hanging_chain(20, 0.1);
  object_of(scene).points->list.back().mass = 1e5;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = iterations;
  const auto simulation = start(std::move(scene));
  double total = 0.0;
  for (int i = 0; i < 600; ++i) {
    simulation->step();
    const auto p = positions_of(*simulation);
    for (std::size_t j = 0; j + 1 < p.size(); ++j)
      total += std::abs(glm::distance(p[j], p[j + 1]) - 0.1) / 20.0;
  }
  return total / 600.0;
}

/// "Small steps in physics simulation" (Macklin et al. 2019): at equal work, substeps give less error than
/// iterations.
ValidationCase heavy_tip() {
  const double ratio = heavy_tip_error(1, 100) / heavy_tip_error(100, 1);
  return {"error 1 x 100 over 100 x 1, mass ratio 1e5 (at least)", 50.0, ratio, 0.0,
          ValidationCase::Demand::at_least};
}

/// Sag of a chain of length 2 over a span of 1, which starts as a V of the right length. With 40 links, the
/// sag of the polygon differs from that of the curve by terms of the order (link/2)^2 times curvature, 1e-3.
/// The elongation caused by the substeps is of the order N^2/2 g h^2, 2e-4.
ValidationCase catenary() {
  constexpr int links = 40;
  const double depth = std::sqrt(1.0 - 0.25);
  std::vector<glm::dvec3> positions;
  std::vector<SpringDesc> springs;
  for (int i = 0; i <= links; ++i) {
    const double s = double(i) / links;
    positions.push_back({s - 0.5, -depth * (1.0 - std::abs(2.0 * s - 1.0)), 0.0});
  }
  for (Index i = 0; i < links; ++i) springs.push_back({{i, i + 1}, 2.0 / links});
  std::vector<double> masses(links + 1, 0.05);
  masses.front() = masses.back() = 0.0;
  SceneDesc scene = points_scene(positions, masses, std::move(springs));
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.motion->damping_law = DampingLaw::plain;
  scene.solver.motion->damping = 0.95;
  scene.solver.step->substeps = 100;
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 900);
  return {"catenary sag, length 2 over span 1 (m)", 0.79639, -positions_of(*simulation)[links / 2].y, 1.5e-3};
}

}  // namespace

ValidationCases chain_cases() {
  ValidationCases cases = pendulum();
  const ValidationCases steps = small_steps();
  cases.insert(cases.end(), steps.begin(), steps.end());
  cases.push_back(heavy_tip());
  cases.push_back(catenary());
  return cases;
}

}  // namespace limber
