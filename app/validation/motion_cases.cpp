// Quantities that internal constraints and damping must conserve.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"

namespace limber {
namespace {

/// Each projection moves two masses by opposite momenta, so a free cloth keeps its momentum. 60 frames of ten
/// substeps round each of 144 velocities of a few m/s about 1e3 times, with 0.8 kg in all.
ValidationCase free_cloth_momentum() {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  ObjectDesc cloth;
  cloth.name = "object";
  cloth.cloth->columns = cloth.cloth->rows = 12;
  cloth.jitter = 0.02;
  cloth.velocity = {1.0, 2.0, -0.5};
  scene.objects.push_back(cloth);
  const auto simulation = start(std::move(scene));
  const glm::dvec3 before = simulation->measure().momentum;
  run_frames(*simulation, 60);
  return {"free cloth, change of momentum in 1 s (kg m/s)", 0.0,
          glm::distance(before, simulation->measure().momentum), 1e-13};
}

/// A mass on a rigid rod without gravity. After a turn of theta in the last step, it is predicted at 2 x_n -
/// x_{n-1} and projected back to the circle, so it turns by theta' with tan theta' = sin theta / (2 - cos
/// theta): the exact numerical damping of the scheme. Ten frames of gravity start the spin.
ValidationCase spinning_rod() {
  SceneDesc scene = points_scene({{0, 0, 0}, {1, 0, 0}}, {0.0, 1.0}, {{{0, 1}, 1.0}});
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 10);
  set_value(*simulation, "solver.gravity", glm::dvec3(0.0));

  const auto angle = [&] {
    const glm::dvec3 p = positions_of(*simulation)[1];
    return std::atan2(p.y, p.x);
  };
  const auto turn = [](double from, double to) { return std::remainder(to - from, 2.0 * std::numbers::pi); };
  double before = angle();
  simulation->step();
  double now = angle(), worst = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double theta = turn(before, now);
    simulation->step();
    before = std::exchange(now, angle());
    const double expected = std::atan(std::sin(theta) / (2.0 - std::cos(theta)));
    worst = std::max(worst, std::abs(turn(before, now) - expected));
  }
  return {"turn per step of a spinning rod, worst of 60 (rad)", 0.0, worst, 1e-12};
}

/// Damping with k = 1 leaves exactly a rigid motion (Mueller et al. 2006, section 3.5): no two points
/// approach or separate, and momentum and angular momentum stay. The motion comes from one frame of stiff
/// springs of the wrong length.
ValidationCases rigid_damping() {
  SceneDesc scene = points_scene({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0.3, 0.4, 1.5}}, {1.0, 2.0, 1.5, 0.5},
                                 {{{0, 1}, 0.8}, {{1, 2}, 2.0}, {{2, 3}, 1.5}, {{0, 3}, 1.8}});
  scene.solver.method->kind = SolverMethod::pbd;
  scene.solver.motion->damping_law = DampingLaw::rigid_modes;
  const auto simulation = start(std::move(scene));
  simulation->step();
  const auto x = positions_of(*simulation);
  const double masses[] = {1.0, 2.0, 1.5, 0.5};
  const auto angular_momentum = [&] {
    const auto v = velocities_of(*simulation);
    glm::dvec3 total(0.0);
    for (std::size_t i = 0; i < x.size(); ++i) total += masses[i] * glm::cross(x[i], v[i]);
    return total;
  };
  const glm::dvec3 momentum = simulation->measure().momentum, turning = angular_momentum();

  set_value(*simulation, "objects.object.material.stretch_stiffness", 0.0);
  set_value(*simulation, "solver.damping", 1.0);
  simulation->step();
  const auto v = velocities_of(*simulation);
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) worst = std::max(worst, std::abs(glm::dot(v[i] - v[j], x[i] - x[j])));
  }
  // Velocities come from positions, v = (p - x)/h: eps |x| / h = 2e-14 m/s, times a few masses and lengths.
  return {{"damping k 1, rate of change of distances (m^2/s)", 0.0, worst, 1e-12},
          {"damping k 1, change of momentum (kg m/s)", 0.0,
           glm::distance(momentum, simulation->measure().momentum), 1e-12},
          {"damping k 1, change of angular momentum (kg m^2/s)", 0.0,
           glm::distance(turning, angular_momentum()), 1e-12}};
}

}  // namespace

ValidationCases motion_cases() {
  ValidationCases cases = {free_cloth_momentum(), spinning_rod()};
  const ValidationCases damping = rigid_damping();
  cases.insert(cases.end(), damping.begin(), damping.end());
  return cases;
}

}  // namespace limber
