// Methods against each other, integrators against their exact energies.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/scene_desc.hpp"

namespace limber {
namespace {

/// A pendulum of 1 m, released level, one exact projection a step of 1/60 s: what is left of its energy above
/// the lowest point after 10 s (50-digit computation, bdf1_vs_bdf2_pendulum).
ValidationCases pendulum_energies() {
  ValidationCases cases;
  const std::pair<Integrator, double> expected[] = {{Integrator::bdf1, 0.10351445840268192},
                                                    {Integrator::bdf2, 0.974011400932625}};
  for (const auto& [integrator, left] : expected) {
    SceneDesc scene = points_scene({{0, 0, 0}, {1, 0, 0}}, {0.0, 1.0}, {{{0, 1}, 1.0}});
    scene.solver.method->kind = SolverMethod::pbd;
    scene.solver.method->integrator = integrator;
    scene.solver.motion->gravity = {0.0, -g, 0.0};
    const auto simulation = start(std::move(scene));
    run_frames(*simulation, 600);
    const glm::dvec3 x = positions_of(*simulation)[1], v = velocities_of(*simulation)[1];
    const std::string name = integrator == Integrator::bdf1 ? "bdf1" : "bdf2";
    cases.push_back(
        {"pendulum, energy left after 10 s, " + name, left, 1.0 + x.y + 0.5 * glm::dot(v, v) / g, 1e-7});
  }
  return cases;
}

/// F after the last iteration of a frame of a pinned cloth with quadratic energies.
double objective_of(SolverMethod method, int iterations) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.method->kind = method;
  scene.solver.method->chebyshev_radius = 0.9;
  scene.solver.step->substeps = 1, scene.solver.step->iterations = iterations;
  scene.solver.motion->damping = 0.0;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth.columns = cloth.cloth.rows = 8;
  cloth.pins = {std::string("top_left"), std::string("top_right")};
  cloth.material->stretch_compliance = 1e-3;
  cloth.material->bend_compliance = 100.0;
  cloth.material->bending_model = BendingModel::isometric;
  cloth.velocity = {0.0, 0.0, 3.0};
  scene.objects.push_back(std::move(cloth));
  const auto simulation = start(std::move(scene));
  std::vector<IterationTrace> trace;
  simulation->step_traced(trace);
  return trace.back().state.objective;
}

/// Newton, gradient descent and Projective Dynamics find one minimum of the function of implicit Euler.
ValidationCases one_minimum() {
  const double newton = objective_of(SolverMethod::newton, 30);
  return {
      {"F of descent / F of newton - 1", 0.0, objective_of(SolverMethod::descent, 3000) / newton - 1.0, 1e-8},
      {"F of projective / F of newton - 1", 0.0, objective_of(SolverMethod::projective, 1000) / newton - 1.0,
       1e-8}};
}

}  // namespace

ValidationCases method_cases() {
  ValidationCases cases = pendulum_energies();
  const ValidationCases minimum = one_minimum();
  cases.insert(cases.end(), minimum.begin(), minimum.end());
  return cases;
}

}  // namespace limber
