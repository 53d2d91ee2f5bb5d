// Thrown balls: their effect on cloth, the effect of cloth and ground on them, and sessions with balls.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::balls_test { namespace {

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 2,
                                  Precision precision = Precision::f32) {
  auto made = make_simulation(scene, {precision, Simd::automatic, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}

void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) ASSERT_FALSE(simulation.step().nonfinite);
}

SceneDesc sheet() {
  SceneDesc scene = test::hanging_cloth(24);
  scene.solver.step->substeps = 5;
  scene.objects[0].pose.position.y = 2.0;
  return scene;
}

const ThrowBall at_the_sheet{{0.0, 2.0, 1.5}, {0.0, 1.0, -7.0}, 0.15};

SceneDesc sheet_over_ground() {
  SceneDesc scene = sheet();
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  scene.colliders.push_back(ground);
  return scene;
}

glm::dvec3 place_of(const Simulation& simulation, std::size_t body = 0) {
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  return glm::dvec3(poses[body].position);
}

/// The sheet bulges behind the plane it hung in, and no vertex is ever inside the ball.
TEST(Balls, DentASheetAndLoseSpeedToIt) {
  const auto simulation = start(sheet());
  run(*simulation, 20);
  ASSERT_TRUE(simulation->submit(at_the_sheet));
  double deepest = 0.0, inside = -1.0, speed = 0.0;
  for (int f = 0; f < 30; ++f) {
    const glm::dvec3 before = place_of(*simulation);
    run(*simulation, 1);
    std::vector<glm::dvec3> x(std::size_t(simulation->model()->vertex_count));
    simulation->read(reading::Positions{std::span(x)});
    const glm::dvec3 ball = place_of(*simulation);
    for (const glm::dvec3& p : x) {
      deepest = std::min(deepest, p.z);
      inside = std::max(inside, at_the_sheet.radius - glm::distance(p, ball));
    }
    speed = (ball.z - before.z) / simulation->scene().solver.step->dt;
  }
  EXPECT_LT(deepest, -0.15) << "the ball moved the sheet by less than its radius";
  EXPECT_LT(inside, simulation->scene().objects[0].material->thickness / 3.0);
  // Alone it would still fly at 7 m/s along z. The ball has 1.7 kg, the sheet 0.8 kg, of which it meets half.
  EXPECT_GT(speed, -7.0 * 1.7 / (1.7 + 0.4));
}

/// Without a sheet in the way: a parabola until it meets the ground, on which it comes to rest.
TEST(Balls, FlyInAParabolaAndComeToRestOnTheGround) {
  const SceneDesc scene = sheet_over_ground();
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(ThrowBall{{3.0, 1.0, 0.0}, {1.0, 2.0, 0.0}, 0.1}));
  const int frames = 20;
  run(*simulation, frames);
  const double t = frames * scene.solver.step->dt, h = scene.solver.step->dt / scene.solver.step->substeps;
  // The integrator falls g t h / 2 farther than the parabola.
  EXPECT_NEAR(place_of(*simulation).y, 1.0 + 2.0 * t - 0.5 * 9.81 * t * (t + h), 1e-3);
  EXPECT_NEAR(place_of(*simulation).x, 3.0 + t, 2e-3);  // less what damping takes
  run(*simulation, 600);
  const glm::dvec3 before = place_of(*simulation);
  run(*simulation, 1);
  EXPECT_NEAR(before.y, 0.1, 1e-3);
  EXPECT_LT(glm::distance(before, place_of(*simulation)), 0.1 * scene.solver.step->dt);
}

TEST(Balls, RestOnColliders) {
  SceneDesc scene = sheet();
  ColliderDesc table;
  table.shape = ColliderShape::box;
  table.pose.position = {3.0, 0.5, 0.0};
  table.half_extents = {1.0, 0.02, 1.0};
  scene.colliders.push_back(table);
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(ThrowBall{{3.0, 3.0, 0.0}, {0.0, -12.0, 0.0}, 0.05}));
  run(*simulation, 400);
  EXPECT_NEAR(place_of(*simulation).y, 0.57, 1e-3);
}

/// A ball in the hand follows it, in a scene that had no body of its own.
TEST(Balls, CanBeGrabbed) {
  const auto simulation = start(sheet_over_ground());
  ASSERT_TRUE(simulation->submit(ThrowBall{{3.0, 0.1, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  run(*simulation, 10);
  ASSERT_TRUE(simulation->submit(GrabBody{0, place_of(*simulation), {3.0, 1.5, 0.5}}));
  run(*simulation, 120);
  EXPECT_LT(glm::distance(place_of(*simulation), {3.0, 1.5, 0.5}), 0.05);
  simulation->restart();
  EXPECT_EQ(simulation->body_count(), 0u);
  EXPECT_FALSE(simulation->held().target);
  EXPECT_FALSE(simulation->submit(GrabBody{0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}));
}

/// The drawn model contains the thrown balls, and follows when time goes back and forth.
TEST(Balls, ArePartOfTheModelWhileTheyExist) {
  const auto simulation = start(sheet_over_ground());
  const auto empty = simulation->model();
  run(*simulation, 2);
  const auto before = simulation->save();
  ASSERT_TRUE(simulation->submit(at_the_sheet));
  const auto model = simulation->model();
  EXPECT_EQ(model, simulation->model()) << "the same until something changes";
  EXPECT_EQ(model->version, empty->version);
  ASSERT_EQ(model->bodies.size(), 1u);
  EXPECT_TRUE(model->bodies[0].added);
  EXPECT_EQ(model->bodies[0].parts[0].size.x, double(float(at_the_sheet.radius)));
  run(*simulation, 2);
  const auto with_ball = simulation->save();
  EXPECT_GT(simulation->bytes(with_ball), simulation->bytes(before));
  ASSERT_TRUE(simulation->restore(before));
  EXPECT_TRUE(simulation->model()->bodies.empty());
  run(*simulation, 2);
  ASSERT_TRUE(simulation->restore(with_ball));
  EXPECT_EQ(simulation->model()->bodies.size(), 1u);
  run(*simulation, 2);
}

TEST(Balls, ArePartOfTheStateThatIsSavedAndHashed) {
  for (const Precision precision : built_precisions()) {
    const auto simulation = start(sheet(), 2, precision);
    run(*simulation, 10);
    const std::uint64_t untouched = start(sheet(), 1, precision)->state_hash();
    ASSERT_TRUE(simulation->submit(at_the_sheet));
    run(*simulation, 10);
    const auto saved = simulation->save();
    run(*simulation, 15);
    const std::uint64_t later = simulation->state_hash();
    ASSERT_TRUE(simulation->restore(saved));
    run(*simulation, 15);
    EXPECT_EQ(simulation->state_hash(), later);
    simulation->restart();
    EXPECT_EQ(simulation->body_count(), 0u);
    EXPECT_EQ(simulation->state_hash(), untouched);
  }
}

/// A sleeping wall, and stones: the outcome depends only on the state, asleep or awake.
TEST(Balls, AndSleepersArePartOfTheStateToo) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.sleep->sleeping = true;
  BodyDesc wall;
  wall.name = "wall";
  wall.half_extents = glm::dvec3(0.25);
  wall.pose.position = {0.0, 0.25, 0.0};
  wall.copies = {4, 3, 1};
  wall.spacing = {0.6, 0.5, 1.0};
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.bodies = {wall};
  scene.colliders = {floor};
  const ThrowBall stone{{-0.9, 1.2, 2.5}, {0.0, 1.0, -9.0}, 0.2, ball_of_stone};
  std::uint64_t first = 0;
  for (const int threads : {1, 3}) {
    const auto simulation = start(scene, threads);
    run(*simulation, 60);
    EXPECT_EQ(simulation->measure().sleeping_bodies, 12);
    const auto asleep = simulation->save();
    ASSERT_TRUE(simulation->submit(stone));
    run(*simulation, 25);
    EXPECT_LT(simulation->measure().sleeping_bodies, 12);
    EXPECT_GT(simulation->measure().sleeping_bodies, 0) << "only what it hits wakes";
    const std::uint64_t hit = simulation->state_hash();
    if (threads == 1) first = hit;
    EXPECT_EQ(hit, first);
    ASSERT_TRUE(simulation->restore(asleep));
    EXPECT_EQ(simulation->measure().sleeping_bodies, 12);
    ASSERT_TRUE(simulation->submit(stone));
    run(*simulation, 25);
    EXPECT_EQ(simulation->state_hash(), hit);
    // settings that differ from those at which bodies fell asleep wake them
    ASSERT_TRUE(simulation->submit(SetValue{"solver.gravity", glm::dvec3(1.0, -9.81, 0.0)}));
    EXPECT_EQ(simulation->measure().sleeping_bodies, 0);
    // a saved state brings the settings back that they fell asleep under
    ASSERT_TRUE(simulation->restore(asleep));
    EXPECT_EQ(simulation->scene().solver.motion->gravity.x, 0.0);
    EXPECT_EQ(simulation->measure().sleeping_bodies, 12);
  }
}

/// Throwing, going back and throwing again gives the same state, as often as one likes.
TEST(Balls, ThrownAgainFromTheSameStateEndTheSame) {
  const auto simulation = start(sheet_over_ground());
  run(*simulation, 5);
  ASSERT_TRUE(simulation->submit(ThrowBall{{1.5, 2.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  run(*simulation, 5);
  const auto saved = simulation->save();
  std::uint64_t first = 0;
  for (int round = 0; round < 3; ++round) {
    if (round > 0) {
      ASSERT_TRUE(simulation->restore(saved));
    }
    ASSERT_TRUE(simulation->submit(at_the_sheet));
    run(*simulation, 20);
    if (round == 0) first = simulation->state_hash();
    EXPECT_EQ(simulation->state_hash(), first) << round;
  }
}

TEST(Balls, AreAsManyAsOneThrows) {
  const auto simulation = start(sheet());
  for (int n = 0; n < 40; ++n) {
    ASSERT_TRUE(simulation->submit(ThrowBall{{3.0 + n, 5.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
    run(*simulation, 1);
  }
  ASSERT_EQ(simulation->body_count(), 40u);
  for (std::size_t n = 0; n < 40; ++n) EXPECT_EQ(place_of(*simulation, n).x, 3.0 + double(n));
}

TEST(Balls, BadThrowsAreRefused) {
  const auto simulation = start(sheet());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(simulation->submit(ThrowBall{{nan, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  EXPECT_FALSE(simulation->submit(ThrowBall{{0.0, 0.0, 0.0}, {0.0, nan, 0.0}, 0.1}));
  for (const double radius : {nan, 0.0, -1.0, 1e9})
    EXPECT_FALSE(simulation->submit(ThrowBall{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, radius}));
  EXPECT_EQ(simulation->body_count(), 0u);
  ASSERT_TRUE(simulation->submit(ThrowBall{{0.0, 3.0, 0.0}, {0.0, 1e9, 0.0}, 0.1}));
  run(*simulation, 3);
  const SolverSettings& solver = simulation->scene().solver;
  EXPECT_LE(place_of(*simulation).y, 3.0 + 3.0 * solver.step->dt * solver.motion->max_speed + 1e-3);
}

/// Two sheets a few thicknesses apart and balls from either side: nothing crosses.
TEST(Balls, PushNoSheetThroughAnother) {
  SceneDesc scene = sheet();
  scene.solver.contact->cloth_collision = true;
  scene.objects[0].cloth->columns = scene.objects[0].cloth->rows = 20;
  ObjectDesc second = scene.objects[0];
  second.name = "second";
  second.pose.position.z = -0.05;
  scene.objects.push_back(second);
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(at_the_sheet));
  ASSERT_TRUE(simulation->submit(ThrowBall{{0.3, 2.2, -1.5}, {0.0, 1.0, 9.0}, 0.12}));
  for (int f = 0; f < 30; ++f) {
    run(*simulation, 1);
    ASSERT_EQ(simulation->count_intersections(), 0) << "frame " << f;
  }
  std::vector<ContactMark> marks;
  simulation->read(reading::Contacts{marks});
  EXPECT_FALSE(marks.empty());
  simulation->restart();
  simulation->read(reading::Contacts{marks});
  EXPECT_TRUE(marks.empty());
}

}}  // namespace limber::balls_test
