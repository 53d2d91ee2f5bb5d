// Single springs, for which the discrete solution is known in closed form.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

/// XPBD with one iteration is backward Euler for a single spring: v <- (v - h k x/m)/(1 + h^2 k/m), x <- x +
/// h v, with x the elongation. Rounding of positions near 1.5 grows with the number of steps: 120 steps of a
/// few eps.
ValidationCase backward_euler() {
  SceneDesc scene = points_scene({{0, 0, 0}, {1.5, 0, 0}}, {0.0, 1.0}, {{{0, 1}, 1.0}});
  object_of(scene).material->stretch_compliance = 1e-3;
  const auto simulation = start(std::move(scene));
  const double k = 1000.0;
  double x = 0.5, v = 0.0, worst = 0.0;
  for (int i = 0; i < 120; ++i) {
    simulation->step();
    v = (v - frame * k * x) / (1.0 + frame * frame * k);
    x += frame * v;
    worst = std::max(worst, std::abs(positions_of(*simulation)[1].x - 1.0 - x));
  }
  return {"spring is backward Euler, worst of 120 steps (m)", 0.0, worst, 1e-12};
}

SceneDesc hanging_mass() {
  SceneDesc scene = points_scene({{0, 0, 0}, {0, -1, 0}}, {0.0, 2.0}, {{{0, 1}, 1.0}});
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  return scene;
}

double sag_at_rest(SceneDesc scene) {
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 1200);
  return -1.0 - positions_of(*simulation)[1].y;
}

/// A mass m on a compliance a stretches it by m g a for any number of iterations: here 2 kg on 1000 N/m.
/// Backward Euler damps by 1/sqrt(1 + h^2 k/m) = 0.937 per step, so after 1200 steps only rounding is left.
ValidationCases static_sag() {
  ValidationCases cases;
  for (const int iterations : {1, 5, 20}) {
    SceneDesc scene = hanging_mass();
    scene.solver.step->iterations = iterations;
    object_of(scene).material->stretch_compliance = 1e-3;
    const std::string name = "xpbd static sag, iterations " + std::to_string(iterations) + " (m)";
    cases.push_back({name, 2.0 * g * 1e-3, sag_at_rest(std::move(scene)), 1e-10});
  }
  // PBD keeps (1-k) of the error in each step, so it rests where (1-k)(e + g h^2) = e, whatever the mass.
  for (const int iterations : {1, 5, 20}) {
    SceneDesc scene = hanging_mass();
    scene.solver.method->kind = SolverMethod::pbd;
    scene.solver.step->iterations = iterations;
    object_of(scene).material->stretch_stiffness = 0.5;
    const std::string name = "pbd static sag, k 0.5, iterations " + std::to_string(iterations) + " (m)";
    cases.push_back({name, g * frame * frame, sag_at_rest(std::move(scene)), 1e-10});
  }
  return cases;
}

/// With k' = 1-(1-k)^(1/n), the error left after n iterations is 1-k for every n, exact up to n roundings.
ValidationCases stiffness_law() {
  ValidationCases cases;
  for (const double k : {0.1, 0.5, 0.9}) {
    for (const int iterations : {1, 4, 20, 160}) {
      SceneDesc scene = points_scene({{0, 0, 0}, {1.5, 0, 0}}, {1.0, 0.5}, {{{0, 1}, 1.0}});
      scene.solver.method->kind = SolverMethod::pbd;
      scene.solver.step->iterations = iterations;
      object_of(scene).material->stretch_stiffness = k;
      const auto simulation = start(std::move(scene));
      simulation->step();
      const auto p = positions_of(*simulation);
      char name[64];
      std::snprintf(name, sizeof name, "error left, k %.1f, iterations %d", k, iterations);
      cases.push_back({name, 1.0 - k, (glm::distance(p[0], p[1]) - 1.0) / 0.5, 1e-12});
    }
  }
  return cases;
}

/// A worked example: particles A, B, C of 10, 5 and 2 kg, C1(A,B) before C2(A,C), rest length 1. Expected
/// lengths from an independent 50-digit computation (case slides_2d_three_vertex of tests/vectors.json).
ValidationCases slides_triangle() {
  ValidationCases cases;
  const std::pair<int, double> length_ab[] = {
      {1, 0.9435629465541274}, {2, 0.9995541726942018}, {5, 0.9999999997680722}};
  for (const auto& [iterations, expected] : length_ab) {
    SceneDesc scene =
        points_scene({{1, 1, 0}, {4, 2, 0}, {2, 3, 0}}, {10.0, 5.0, 2.0}, {{{0, 1}, 1.0}, {{0, 2}, 1.0}});
    scene.solver.method->kind = SolverMethod::pbd;
    scene.solver.step->iterations = iterations;
    const auto simulation = start(std::move(scene));
    simulation->step();
    const auto p = positions_of(*simulation);
    const std::string suffix = " after " + std::to_string(iterations) + " iterations (m)";
    cases.push_back({"slides triangle |AB|" + suffix, expected, glm::distance(p[0], p[1]), 1e-12});
    cases.push_back({"slides triangle |AC|" + suffix, 1.0, glm::distance(p[0], p[2]), 1e-12});
  }
  return cases;
}

}  // namespace

ValidationCases spring_cases() {
  ValidationCases cases = {backward_euler()};
  for (const ValidationCases& group : {static_sag(), stiffness_law(), slides_triangle()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace limber
