// Methods compared with each other, and integrators with their exact energies.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

/// A pendulum of 1 m released level, with one exact projection per step of 1/60 s: remaining energy above the
/// lowest point after 10 s (50-digit computation, case bdf1_vs_bdf2_pendulum of tests/vectors.json).
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
        {"pendulum, energy left after 10 s, " + name, left, 1.0 + x.y + 0.5 * glm::dot(v, v) / g, 1e-12});
  }
  return cases;
}

/// Trace of the first frame of a pinned cloth with quadratic energies.
std::vector<IterationTrace> trace_of(SolverMethod method, int iterations, double stretch_compliance) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.method->kind = method;
  scene.solver.step->substeps = 1, scene.solver.step->iterations = iterations;
  scene.solver.motion->damping = 0.0;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 8;
  cloth.pins = {std::string("top_left"), std::string("top_right")};
  cloth.material->stretch_compliance = stretch_compliance;
  cloth.material->bend_compliance = 100.0;
  cloth.material->bending_model = BendingModel::isometric;
  cloth.velocity = {0.0, 0.0, 3.0};
  scene.objects.push_back(std::move(cloth));
  const auto simulation = start(std::move(scene));
  std::vector<IterationTrace> trace;
  simulation->step(nullptr, &trace);
  return trace;
}

/// The objective F after the last iteration.
double objective_of(SolverMethod method, int iterations) {
  return trace_of(method, iterations, 1e-3).back().state.objective;
}

/// Newton, gradient descent and Projective Dynamics find the same minimum of implicit Euler's objective.
ValidationCases one_minimum() {
  const double newton = objective_of(SolverMethod::newton, 30);
  return {{"F of descent / F of newton - 1", 0.0, objective_of(SolverMethod::descent, 1000) / newton - 1.0,
           1e-12},
          {"F of projective / F of newton - 1", 0.0,
           objective_of(SolverMethod::projective, 1000) / newton - 1.0, 1e-12}};
}

/// Mean strain of a hanging cloth over its first second, with one substep per frame.
double stretch_of(Integrator integrator, int iterations) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.method->integrator = integrator;
  scene.solver.step->substeps = 1, scene.solver.step->iterations = iterations;
  scene.solver.motion->damping = 0.0;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 16;
  cloth.pins = {std::string("top_left"), std::string("top_right")};
  scene.objects.push_back(std::move(cloth));
  const auto simulation = start(std::move(scene));
  double sum = 0.0;
  for (int f = 0; f < 60; ++f) {
    simulation->step();
    sum += simulation->measure().strain.mean;
  }
  return sum / 60.0;
}

/// At rest, before constraints, gravity moves a particle by 4/9 h^2 g in a step of BDF2 and by h^2 g in a
/// step of BDF1.
ValidationCase half_the_iterations() {
  return {"strain, 5 iterations of bdf2 over 10 of bdf1 (at most)", 1.0,
          stretch_of(Integrator::bdf2, 5) / stretch_of(Integrator::bdf1, 10), 0.0,
          ValidationCase::Demand::at_most};
}

/// Largest ratio of PBD's F after an iteration to F before it, and of the end to the start, over the frame of
/// an almost rigid cloth. F has the elastic energies of the given compliances, which PBD does not use. The
/// first sweep may raise F: it trades the error of one edge for errors of its neighbours.
ValidationCases falling_objective() {
  const std::vector<IterationTrace> trace = trace_of(SolverMethod::pbd, 40, 1e-6);
  double most = 0.0;
  for (std::size_t n = 2; n < trace.size(); ++n)
    most = std::max(most, trace[n].state.objective / trace[n - 1].state.objective);
  return {
      {"F of pbd, iterations 2 to 40 over those before (at most)", 1.0, most, 0.0,
       ValidationCase::Demand::at_most},
      {"F of pbd, after 40 iterations over before (at most)", 0.2,
       trace.back().state.objective / trace.front().state.objective, 0.0, ValidationCase::Demand::at_most}};
}

/// Each projection of XPBD keeps g = M (x - y) - sum grad C^T lambda, except for the rotation of gradients
/// (Macklin et al. 2016, section 4): the largest |g| relative to |M (x - y)| over the iterations of a frame.
ValidationCase small_imbalance() {
  double most = 0.0;
  for (const IterationTrace& row : trace_of(SolverMethod::xpbd, 40, 1e-3))
    most = std::max(most, row.state.imbalance);
  return {"|g| / |M (x - y)| of xpbd over 40 iterations (at most)", 0.0, most, 0.1,
          ValidationCase::Demand::at_most};
}

/// Shares of constraint projection and contact search in the time of a cloth that falls on a ball. The
/// shortest time of each stage in half a second is used: other programs on the cores only make it longer.
struct TimeShares {
  double project = 0.0, contacts = 0.0;
};
TimeShares time_shares(int iterations) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.step->substeps = 2, scene.solver.step->iterations = iterations;
  scene.solver.contact->cloth_collision = true;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 24;
  cloth.pose.position = {0.0, 0.55, 0.0};
  scene.objects.push_back(std::move(cloth));
  scene.colliders.emplace_back().name = "ball";
  const auto simulation = start(std::move(scene));
  std::map<std::string, double> shortest;  // ms, by stage
  for (int f = 0; f < 31; ++f)
    for (const StepReport::Stage& stage : simulation->step().stages) {
      const auto [entry, first] = shortest.try_emplace(std::string(stage.name), stage.ms);
      entry->second = std::min(entry->second, stage.ms);
    }
  double all = 0.0;
  for (const auto& [stage, ms] : shortest) all += ms;
  return {shortest["project"] / all, shortest["contacts"] / all};
}

/// More iterations shift time from the contact search, done once per substep, to constraints. Ten iterations
/// instead of one multiply the share of the search by 0.4 to 0.6 and that of constraints by 5 to 10.
ValidationCases shifting_time() {
  const TimeShares one = time_shares(1), ten = time_shares(10);
  return {{"share of time in constraints, 10 iterations over 1 (at least)", 1.0, ten.project / one.project,
           0.0, ValidationCase::Demand::at_least},
          {"share of time finding contacts, 10 iterations over 1 (at most)", 1.0, ten.contacts / one.contacts,
           0.0, ValidationCase::Demand::at_most}};
}

}  // namespace

ValidationCases method_cases() {
  ValidationCases cases = pendulum_energies();
  const ValidationCases minimum = one_minimum();
  cases.insert(cases.end(), minimum.begin(), minimum.end());
  cases.push_back(half_the_iterations());
  const ValidationCases falling = falling_objective();
  cases.insert(cases.end(), falling.begin(), falling.end());
  cases.push_back(small_imbalance());
  const ValidationCases shifting = shifting_time();
  cases.insert(cases.end(), shifting.begin(), shifting.end());
  return cases;
}

}  // namespace limber
