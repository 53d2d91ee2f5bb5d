// The Simulation interface: determinism, commands, rebuilds, snapshots.
#include "engine/simulation/simulation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <glm/geometric.hpp>
#include <limits>
#include <thread>

#include "tests/same_bits.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::simulation_test { namespace {

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 1, Simd simd = Simd::scalar,
                                  Precision precision = Precision::f32) {
  auto made = make_simulation(scene, {precision, simd, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}
void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) EXPECT_FALSE(simulation.step().nonfinite);
}

/// Large and small objects, a collider, both damping laws: every path of the schedule.
SceneDesc busy_scene(DampingLaw law) {
  SceneDesc scene = test::hanging_cloth(60);
  scene.solver.motion->damping_law = law;
  scene.solver.motion->damping = 0.3;
  ObjectDesc small = scene.objects[0];
  small.name = "small";
  small.cloth->columns = small.cloth->rows = 12;
  small.copies = {3, 2, 1};
  small.pins.clear();
  small.cloth->upright = false;
  small.pose.position = {0, 0.6, 1};
  scene.objects.push_back(small);
  ColliderDesc ball;
  ball.name = "ball";
  ball.pose.position = {0.0, -0.2, 0.6};
  scene.colliders.push_back(ball);
  return scene;
}

TEST(Determinism, SameBitsForAnyThreadCountAndInstructionSet) {
  for (DampingLaw law : {DampingLaw::plain, DampingLaw::rigid_modes}) {
    for (int iterations : {1, 3}) {
      SceneDesc scene = busy_scene(law);
      scene.solver.step->iterations = iterations;
      test::expect_same_bits([&](int threads, Simd simd) {
        auto simulation = start(scene, threads, simd);
        run(*simulation, 4);
        return simulation->state_hash();
      });
    }
  }
}

TEST(Determinism, SequentialOrderToo) {
  SceneDesc scene = test::hanging_cloth(20);
  scene.solver.method->order = Order::sequential;
  auto one = start(scene, 1, Simd::scalar), three = start(scene, 3, Simd::automatic);
  run(*one, 30), run(*three, 30);
  EXPECT_EQ(one->state_hash(), three->state_hash());
}

/// Slots in the order of the mesh follow tears as the coloured ones do.
TEST(Methods, SwitchWhileTheSceneRunsAndTears) {
  SceneDesc scene = test::hanging_cloth(30);
  scene.objects[0].material->tear_strain = 0.05;
  SceneDesc sequential = scene;
  sequential.solver.method->order = Order::sequential;
  auto built = start(sequential), switched = start(scene);
  ASSERT_TRUE(switched->submit(SetValue{"solver.order", std::string("sequential")}));
  run(*built, 30), run(*switched, 30);
  EXPECT_EQ(switched->state_hash(), built->state_hash());
  EXPECT_GT(switched->model()->vertex_count, 900) << "nothing tore";

  for (const char* method : {"pbd", "jacobi", "xpbd"}) {
    const std::int64_t frame = switched->frame();
    ASSERT_TRUE(switched->submit(SetValue{"solver.order", std::string("coloured")}));
    ASSERT_TRUE(switched->submit(SetValue{"solver.method", std::string(method)}));
    run(*switched, 3);
    EXPECT_EQ(switched->frame(), frame + 3) << "started anew";
    EXPECT_LT(switched->measure().max_speed, 50.0) << method;
  }
  ASSERT_TRUE(switched->submit(SetValue{"solver.order", std::string("alternating")}));
  run(*switched, 3);
  switched->restart();
  ASSERT_TRUE(switched->submit(SetValue{"solver.order", std::string("sequential")}));
  run(*switched, 30);
  EXPECT_EQ(switched->state_hash(), built->state_hash());
}

/// A mass m that falls for h onto a spring: C = g h^2 as predicted, and the objective's minimum is
/// C^2 / (2 (alpha + h^2/m)), which one projection finds.
TEST(Probes, TraceTheObjectiveOfImplicitEuler) {
  const double alpha = 1e-3, mass = 2.0;
  SceneDesc scene = test::hanging_mass(mass, 1.0, alpha);
  auto simulation = start(scene);
  std::vector<IterationTrace> trace;
  simulation->step(nullptr, &trace);
  const double h2 = scene.solver.step->dt * scene.solver.step->dt, C = 9.81 * h2;
  ASSERT_EQ(trace.size(), 2u);
  const double rounding = 2e-4;  // of C, 2.7 mm, at a coordinate of 1 m in float: 6e-8 / 2.7e-3, squared in F
  EXPECT_NEAR(trace[0].state.objective / (0.5 * C * C / alpha), 1.0, rounding);
  EXPECT_NEAR(trace[1].state.objective / (0.5 * C * C / (alpha + h2 / mass)), 1.0, rounding);
  EXPECT_NEAR(trace[0].state.residual / (C * (h2 / mass) / (alpha + h2 / mass)), 1.0, rounding);
  EXPECT_LT(trace[1].state.residual_max, 1e-6);
}

TEST(Probes, TraceTheResidualOfEveryIteration) {
  SceneDesc scene = test::hanging_cloth(12);
  scene.objects[0].material->stretch_compliance = 1e-4;
  scene.solver.step->substeps = 2, scene.solver.step->iterations = 30;
  std::vector<IterationTrace> trace;
  double left[2];
  for (const SolverMethod method : {SolverMethod::xpbd, SolverMethod::jacobi}) {
    scene.solver.method->kind = method;
    auto traced = start(scene), plain = start(scene);
    run(*plain, 2);
    traced->step(nullptr, &trace);
    traced->step(nullptr, &trace);
    EXPECT_EQ(traced->state_hash(), plain->state_hash());
    ASSERT_EQ(trace.size(), 2u * 31u);
    EXPECT_EQ(trace[31].substep, 1);
    EXPECT_EQ(trace[31].iteration, 0);
    EXPECT_EQ(trace.back().iteration, 30);
    EXPECT_LT(trace.back().state.residual, trace[31].state.residual);
    EXPECT_LE(trace.back().state.residual, trace.back().state.residual_max);
    left[int(method == SolverMethod::jacobi)] = trace.back().state.residual;
  }
  EXPECT_LT(left[0], left[1]) << "Gauss-Seidel converges faster";
}

TEST(Methods, JacobiHasNoOrder) {
  auto simulation = start(test::hanging_cloth(10));
  ASSERT_TRUE(simulation->submit(SetValue{"solver.method", std::string("jacobi")}));
  const auto refused = simulation->submit(SetValue{"solver.order", std::string("sequential")});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("no order"), std::string::npos) << refused.error().text();
  EXPECT_EQ(simulation->scene().solver.method->order, Order::coloured);
  SceneDesc scene = test::hanging_cloth(10);
  scene.solver.method->kind = SolverMethod::jacobi;
  scene.solver.method->order = Order::alternating;
  EXPECT_FALSE(make_simulation(scene, {}));
}

TEST(Determinism, RestartReplaysTheSameRun) {
  auto simulation = start(busy_scene(DampingLaw::plain), 2, Simd::automatic);
  run(*simulation, 10);
  const std::uint64_t hash = simulation->state_hash();
  simulation->restart();
  EXPECT_EQ(simulation->frame(), 0);
  run(*simulation, 10);
  EXPECT_EQ(simulation->state_hash(), hash);
}

TEST(Determinism, SavedStateContinuesAsIfNothingHappened) {
  auto simulation = start(test::hanging_cloth(20));
  run(*simulation, 5);
  const auto saved = simulation->save();
  run(*simulation, 5);
  const std::uint64_t hash = simulation->state_hash();
  ASSERT_TRUE(simulation->restore(saved));
  EXPECT_EQ(simulation->frame(), 5);
  run(*simulation, 5);
  EXPECT_EQ(simulation->state_hash(), hash);
}

/// A pool that chooses takes turns with teams of several sizes within the first frames.
TEST(Determinism, TheChoiceOfThreadsChangesNoResult) {
  SceneDesc scene = busy_scene(DampingLaw::plain);
  ObjectDesc grains;
  grains.name = "grains";
  grains.type = ObjectType::grains;
  grains.copies = {6, 3, 6};
  grains.spacing = {0.05, 0.05, 0.05};
  grains.pose.position = {0, 1.0, 1.0};
  scene.objects.push_back(grains);
  scene.solver.contact->particle_radius = 0.025;
  auto one = start(scene);
  run(*one, 14);
  auto chosen = make_simulation(scene, {.simd = Simd::scalar, .most_threads = 4});
  ASSERT_TRUE(chosen) << chosen.error().text();
  EXPECT_TRUE((*chosen)->machine().chooses_threads);
  EXPECT_EQ((*chosen)->machine().threads, 4);
  run(**chosen, 14);
  EXPECT_EQ((*chosen)->state_hash(), one->state_hash());
}

TEST(Threads, AnExplicitNumberIsObeyedUntilItIsTakenBack) {
  auto simulation = start(busy_scene(DampingLaw::plain), 2);
  EXPECT_FALSE(simulation->machine().chooses_threads);
  for (int f = 0; f < 12; ++f) {
    EXPECT_EQ(simulation->machine().threads_at_work, 2) << f;
    run(*simulation, 1);
  }
  simulation->set_threads(0);
  EXPECT_TRUE(simulation->machine().chooses_threads);
  simulation->set_threads(3);
  EXPECT_FALSE(simulation->machine().chooses_threads);
  EXPECT_EQ(simulation->machine().threads_at_work, 3);
}

/// Whenever the flag is raised, all threads end at the same place, and nothing of the frame is left.
TEST(Determinism, ACancelledFrameLeavesTheWorldAsItWasAtItsStart) {
  SceneDesc scene = busy_scene(DampingLaw::rigid_modes);
  scene.solver.step->iterations = 3;
  for (int threads : {1, 3}) {
    auto plain = start(scene, threads, Simd::automatic), cancelled = start(scene, threads, Simd::automatic);
    CancelFlag flag{true};
    run(*cancelled, 1);
    const std::uint64_t before = cancelled->state_hash();
    EXPECT_TRUE(cancelled->step(&flag).cancelled);
    EXPECT_EQ(cancelled->state_hash(), before);
    EXPECT_EQ(cancelled->frame(), 1);
    int times = 0;
    for (int tried = 0; cancelled->frame() < 12 && tried < 200; ++tried) {
      flag = false;
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(37 * tried % 9000));
        flag = true;
      });
      times += cancelled->step(&flag).cancelled;
      other.join();
    }
    run(*plain, int(cancelled->frame()));
    EXPECT_GT(times, 0);
    EXPECT_EQ(cancelled->state_hash(), plain->state_hash()) << times << " frames were cancelled";
  }
}

TEST(Grab, HoldsTheVertexAndGivesItsMassBack) {
  auto simulation = start(test::hanging_cloth(20));
  std::vector<glm::dvec3> x(400), y(400);
  simulation->read(reading::Positions{std::span(x)});
  const glm::dvec3 target = x[399] + glm::dvec3(0.1, 0.1, 0.2);
  ASSERT_TRUE(simulation->submit(GrabVertex{399, x[399]}));
  ASSERT_TRUE(simulation->submit(MoveGrab{target}));
  run(*simulation, 30);
  simulation->read(reading::Positions{std::span(y)});
  EXPECT_LT(glm::distance(y[399], target), 1e-5);
  ASSERT_TRUE(simulation->submit(ReleaseGrab{}));
  EXPECT_FALSE(simulation->held().vertex);
  run(*simulation, 60);
  simulation->read(reading::Positions{std::span(y)});
  EXPECT_GT(glm::distance(y[399], target), 0.05) << "still held";
}

TEST(Grab, AJumpingMouseMovesTheVertexAtMostABoundedDistance) {
  auto simulation = start(test::hanging_cloth(20));
  std::vector<glm::dvec3> x(400);
  simulation->read(reading::Positions{std::span(x)});
  const glm::dvec3 before = x[399];
  ASSERT_TRUE(simulation->submit(GrabVertex{399, before}));
  ASSERT_TRUE(simulation->submit(MoveGrab{{1e9, -1e9, 1e9}}));
  run(*simulation, 1);
  simulation->read(reading::Positions{std::span(x)});
  EXPECT_LT(glm::distance(x[399], before), 12.0 / 60 + 1e-5);
  for (int i = 0; i < 60; ++i) {
    const double side = i % 2 ? 1e6 : -1e6;
    ASSERT_TRUE(simulation->submit(MoveGrab{{side, side, -side}}));
    run(*simulation, 1);
  }
  const Measures m = simulation->measure();
  EXPECT_EQ(m.nonfinite, 0);
  EXPECT_LE(m.max_speed, simulation->scene().solver.motion->max_speed * 1.001);
}

TEST(Grab, RefusesWhatDoesNotExist) {
  auto simulation = start(test::hanging_cloth(5));
  EXPECT_FALSE(simulation->submit(GrabVertex{25, {}}));
  EXPECT_FALSE(simulation->submit(GrabVertex{-1, {}}));
  EXPECT_FALSE(simulation->submit(SetPinned{99, true}));
  EXPECT_FALSE(simulation->submit(GrabVertex{1, glm::dvec3(std::numeric_limits<double>::quiet_NaN())}));
  EXPECT_TRUE(simulation->submit(ReleaseGrab{})) << "releasing nothing is no error";
}

/// Position of `vertex`, m.
glm::dvec3 place_of(const Simulation& simulation, Index vertex) {
  std::vector<glm::dvec3> x(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Positions{std::span(x)});
  return x[std::size_t(vertex)];
}

/// A cloth whose first vertex follows a moving collider, a moving body (far from the cloth, so that it feels
/// nothing of it), or a motion of its own.
std::vector<SceneDesc> carried_cloths() {
  std::vector<SceneDesc> scenes(3, test::square_cloth(6));
  for (SceneDesc& scene : scenes) {
    AttachmentDesc attachment;
    attachment.vertices = {0L};
    scene.objects[0].attachments = {attachment};
  }
  ColliderDesc ball;
  ball.name = "walker";
  ball.pose.position = {0.0, 20.0, 0.0};
  ball.linear_velocity = {0.5, 0.0, 0.3};
  ball.angular_velocity = {0.0, 20.0, 0.0};
  scenes[0].colliders = {ball};
  scenes[0].objects[0].attachments[0].attach_to = "walker";
  BodyDesc crate;
  crate.name = "walker";
  crate.pose.position = {0.0, 20.0, 0.0};
  scenes[1].bodies = {crate};
  scenes[1].objects[0].attachments[0].attach_to = "walker";
  scenes[1].objects[0].attachments[0].two_way = false;
  scenes[2].objects[0].attachments[0].amplitude = {0.0, 0.2, 0.1};
  return scenes;
}

TEST(Grab, WhatIsCarriedGoesBackToItsCarrierWhenLetGo) {
  for (const Precision precision : built_precisions())
    for (const SceneDesc& scene : carried_cloths()) {
      auto touched = start(scene, 1, Simd::scalar, precision),
           twin = start(scene, 1, Simd::scalar, precision);
      run(*touched, 3), run(*twin, 3);
      ASSERT_TRUE(touched->submit(GrabVertex{0, place_of(*touched, 0)}));
      ASSERT_TRUE(touched->submit(ReleaseGrab{}));  // a click
      run(*touched, 10), run(*twin, 10);
      EXPECT_EQ(touched->state_hash(), twin->state_hash()) << "a click moved something";

      const glm::dvec3 aside = place_of(*touched, 0) + glm::dvec3(0.3, 0.2, 0.4);
      ASSERT_TRUE(touched->submit(GrabVertex{0, aside}));
      run(*touched, 20), run(*twin, 20);
      EXPECT_LT(glm::distance(place_of(*touched, 0), aside), 1e-5) << "the hand is stronger than the carrier";
      ASSERT_TRUE(touched->submit(ReleaseGrab{}));
      run(*touched, 20), run(*twin, 20);
      EXPECT_EQ(place_of(*touched, 0), place_of(*twin, 0));

      ASSERT_TRUE(touched->submit(GrabVertex{0, aside}));
      run(*touched, 20);
      ASSERT_TRUE(touched->submit(ReleaseGrab{true}));
      run(*touched, 20);
      EXPECT_LT(glm::distance(place_of(*touched, 0), aside), 1e-5) << "pinned, it is carried no more";
    }
}

TEST(Pin, StaysWhereItIsDroppedAndAClickChangesNothing) {
  for (const Precision precision : built_precisions()) {
    const SceneDesc scene = test::hanging_cloth(10);
    auto touched = start(scene, 1, Simd::scalar, precision), twin = start(scene, 1, Simd::scalar, precision);
    run(*touched, 3), run(*twin, 3);
    ASSERT_TRUE(touched->submit(GrabVertex{0, place_of(*touched, 0)}));
    run(*touched, 5), run(*twin, 5);
    ASSERT_TRUE(touched->submit(ReleaseGrab{}));
    run(*touched, 5), run(*twin, 5);
    EXPECT_EQ(touched->state_hash(), twin->state_hash());

    ASSERT_TRUE(touched->submit(GrabVertex{0, place_of(*touched, 0) + glm::dvec3(0.1, 0.2, 0.3)}));
    run(*touched, 20);
    ASSERT_TRUE(touched->submit(ReleaseGrab{}));
    const glm::dvec3 dropped = place_of(*touched, 0);
    run(*touched, 20);
    EXPECT_EQ(place_of(*touched, 0), dropped);
    EXPECT_NE(place_of(*touched, 0), place_of(*twin, 0));
  }
}

TEST(Pin, DroppingWithAPinKeepsTheVertexThere) {
  auto simulation = start(test::hanging_cloth(10));
  std::vector<glm::dvec3> x(100), y(100);
  ASSERT_TRUE(simulation->submit(GrabVertex{99, {0.5, -0.5, 0.5}}));
  run(*simulation, 60);
  ASSERT_TRUE(simulation->submit(ReleaseGrab{true}));
  simulation->read(reading::Positions{std::span(x)});
  run(*simulation, 60);
  simulation->read(reading::Positions{std::span(y)});
  EXPECT_EQ(x[99], y[99]);
  std::vector<Index> fixed;
  simulation->read(reading::Fixed{fixed});
  EXPECT_EQ(fixed.size(), 3u);
  ASSERT_TRUE(simulation->submit(SetPinned{99, false}));
  ASSERT_TRUE(simulation->submit(SetPinned{0, false}));
  simulation->read(reading::Fixed{fixed});
  EXPECT_EQ(fixed.size(), 1u);
  run(*simulation, 60);
  simulation->read(reading::Positions{std::span(y)});
  EXPECT_NE(x[99], y[99]);
}

TEST(SetValue, ActsLiveOrRebuildsOrChangesNothing) {
  auto simulation = start(test::hanging_cloth(10));
  const auto model = simulation->model();
  ASSERT_TRUE(simulation->submit(SetValue{"solver.substeps", 4L}));
  EXPECT_EQ(simulation->scene().solver.step->substeps, 4);
  EXPECT_EQ(simulation->model(), model);
  ASSERT_TRUE(simulation->submit(SetValue{"objects.cloth.columns", 7L}));
  EXPECT_EQ(simulation->model()->vertex_count, 70);
  EXPECT_NE(simulation->model(), model);

  const auto unknown = simulation->submit(SetValue{"solver.substep", 4L});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("solver.substeps"), std::string::npos) << unknown.error().text();
  EXPECT_FALSE(simulation->submit(SetValue{"solver.substeps", -3L}));
  EXPECT_FALSE(simulation->submit(SetValue{"objects.cloth.mesh", std::string("nowhere.obj")}));
  EXPECT_EQ(simulation->scene().objects[0].mesh, "");
  EXPECT_EQ(simulation->model()->vertex_count, 70);
}

/// More substeps need less of the error that carries a cloth at rest, and a thousand would throw it over its
/// pins. A saved state goes on in the same way.
TEST(SetValue, RepaysTheErrorOfTheOldSettingsWithoutSpeed) {
  if (built_precisions().size() < 2) GTEST_SKIP() << "built in single precision only";
  SceneDesc scene = test::hanging_cloth(12);
  scene.solver.motion->damping = 0.95;
  const auto simulation = std::move(*make_simulation(scene, {.precision = Precision::f64}));
  for (int f = 0; f < 240; ++f) simulation->step();
  const double before = simulation->measure().kinetic_energy;
  ASSERT_LT(before, 1e-6);
  ASSERT_TRUE(simulation->submit(SetValue{"solver.substeps", 200L}));
  simulation->step();
  const auto saved = simulation->save();
  double most = 0.0;
  for (int f = 0; f < 11; ++f) {
    simulation->step();
    most = std::max(most, simulation->measure().kinetic_energy);
  }
  EXPECT_LT(most, 2.0 * before + 1e-6);
  const std::uint64_t hash = simulation->state_hash();
  ASSERT_TRUE(simulation->restore(saved));
  for (int f = 0; f < 11; ++f) simulation->step();
  EXPECT_EQ(simulation->state_hash(), hash);
}

TEST(Precision, DoubleRunsTheSameScene) {
  if (built_precisions().size() < 2) GTEST_SKIP() << "built in single precision only";
  auto single = start(test::hanging_cloth(20), 1, Simd::scalar);
  auto twice = start(test::hanging_cloth(20), 1, Simd::automatic, Precision::f64);
  run(*single, 10), run(*twice, 10);
  std::vector<glm::dvec3> a(400), b(400);
  single->read(reading::Positions{std::span(a)}), twice->read(reading::Positions{std::span(b)});
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, glm::distance(a[i], b[i]));
  EXPECT_GT(largest, 0.0);
  EXPECT_LT(largest, 1e-3);
}

}}  // namespace limber::simulation_test
