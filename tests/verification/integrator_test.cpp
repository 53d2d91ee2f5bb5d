// BDF1 and BDF2 against worked cases.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace integrator_test { namespace {

using test::matches;
using test::vector_case;
using test::VectorCase;

/// A mass of 1 kg on a rod of 1 m about the origin, released level.
SceneDesc pendulum(Integrator integrator) {
  SceneDesc scene = test::hanging_mass(1.0, 1.0, 0.0);
  scene.objects[0].points->list[1].position = {1, 0, 0};
  scene.solver.method->integrator = integrator;
  scene.solver.method->kind = SolverMethod::pbd;
  return scene;
}

/// Worked in double; float follows for the first second.
TEST(Integrators, SwingAPendulum) {
  const VectorCase c = vector_case("bdf1_vs_bdf2_pendulum");
  for (const auto& [integrator, name] :
       {std::pair{Integrator::bdf1, "bdf1"}, std::pair{Integrator::bdf2, "bdf2"}}) {
    Rig rig(pendulum(integrator));
    for (int n = 1; n <= (LIMBER_DOUBLE ? 600 : 60); ++n) {
      rig.step();
      if (n != 60 && n != 300 && n != 600) continue;
      const auto& state = c.expected.at("states").at(std::string(name) + "_N=" + std::to_string(n));
      const double y = double(rig.x(1).y), vx = double(rig.v(1).x), vy = double(rig.v(1).y);
      const double above = (9.81 * y + 0.5 * (vx * vx + vy * vy) + 9.81) / 9.81;
      const double bound = LIMBER_DOUBLE ? 1e-7 : 2e-3;
      EXPECT_NEAR(double(rig.x(1).x), state.at("x").at(0).get<double>(), bound) << name << ' ' << n;
      EXPECT_NEAR(vx, state.at("v").at(0).get<double>(), 10.0 * bound) << name << ' ' << n;
      EXPECT_NEAR(above, state.at("energy_above_bottom_fraction").get<double>(), bound) << name << ' ' << n;
    }
  }
}

/// x'' = -(2 pi)^2 x as a spring of no length: positions and energies after one period.
TEST(Integrators, FollowAnOscillator) {
  const VectorCase c = vector_case("bdf1_vs_bdf2_oscillator");
  const double omega = c.inputs.at("omega").get<double>();
  for (const auto& [integrator, name] :
       {std::pair{Integrator::bdf1, "bdf1"}, std::pair{Integrator::bdf2, "bdf2"}})
    for (const int steps : {50, 200}) {
      SceneDesc scene = test::hanging_mass(1.0, 1.0, 1.0 / (omega * omega));
      scene.objects[0].points->springs[0].rest_length = 0.0;
      scene.solver.motion->gravity = {0, 0, 0};
      scene.solver.method->integrator = integrator;
      scene.solver.step->dt = 1.0 / steps;
      Rig rig(scene);
      rig.run(steps);
      const auto& state = c.expected.at("states").at(
          std::string(name) + "_steps_per_period=" + std::to_string(steps) + "_periods=1");
      const double bound = LIMBER_DOUBLE ? 1e-8 : 2e-4;
      EXPECT_NEAR(-double(rig.x(1).y), state.at("x").get<double>(), bound) << name << ' ' << steps;
      EXPECT_NEAR(-double(rig.v(1).y), state.at("v").get<double>(), 10.0 * bound) << name << ' ' << steps;
    }
}

/// A particle that falls on a floor stays there: no bounce out of the past.
TEST(Integrators, DoNotBounceOutOfThePast) {
  const VectorCase c = vector_case("bdf2_contact_exception");
  SceneDesc scene = test::hanging_mass(1.0, 1.0, 0.0);
  scene.objects[0].points->list = {{{0, 0.15, 0}, 1.0}, {{1, 0.15, 0}, 1.0}};
  scene.objects[0].material->thickness = 0.0;
  scene.objects[0].velocity = {0, -10, 0};
  scene.solver.method->integrator = Integrator::bdf2;
  scene.solver.motion->gravity = {0, 0, 0};
  scene.solver.step->dt = c.inputs["h"];
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.colliders.push_back(floor);
  Rig rig(scene);
  rig.step();
  EXPECT_NEAR(double(rig.x(0).y), 0.05, 1e-6);  // the case begins here
  for (const test::Value& state : c.expected["with_exception"]) {
    rig.step();
    EXPECT_NEAR(double(rig.x(0).y), state["x"].get<double>(), 1e-6);
    EXPECT_NEAR(double(rig.v(0).y), state["v"].get<double>(), 1e-6);
  }
}

/// A cloth that falls onto a ball, with one sweep in a substep. Without friction nothing but gravity does
/// work.
TEST(Integrators, KeepClothCalmWithOneSweep) {
  SceneDesc scene = test::square_cloth(20);
  scene.objects[0].cloth->width = scene.objects[0].cloth->height = 1.0;
  scene.objects[0].cloth->upright = false;
  scene.objects[0].pose.position = {0.0, 0.75, 0.0};
  scene.solver.method->integrator = Integrator::bdf2;
  scene.solver.step->substeps = 16;
  ColliderDesc ball;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.3;
  ball.pose.position = {0.0, 0.3, 0.0};
  scene.colliders.push_back(ball);
  for (const SolverMethod kind : {SolverMethod::xpbd, SolverMethod::pbd}) {
    scene.solver.method->kind = kind;
    Rig rig(scene);
    const auto mechanical = [&] {
      const Measures m = measure(rig.world);
      return m.kinetic_energy + m.potential_energy - m.elastic_energy;
    };
    const double start = mechanical();
    for (int f = 0; f < 90; ++f) {
      rig.step();
      ASSERT_LE(mechanical(), 1.01 * start) << "frame " << f;
    }
  }
}

TEST(Integrators, AreTheSameOnAnyNumberOfThreads) {
  SceneDesc scene = test::hanging_cloth(20);
  scene.solver.method->integrator = Integrator::bdf2;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 5;
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.pose.position = {0, -0.5, 0};
  scene.colliders.push_back(floor);
  std::uint64_t alone = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(30);
    if (threads == 1) alone = state_hash(rig.world);
    EXPECT_EQ(state_hash(rig.world), alone) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::integrator_test
