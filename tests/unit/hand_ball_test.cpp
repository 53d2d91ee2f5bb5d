// The ball in the user's hand: its effect on grains and fluids, its replay, and its removal without a trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <memory>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber::hand_ball_test { namespace {

constexpr double particle_radius = 0.02, ball_radius = 0.12;  // m

/// A block of water or a heap of grains on the ground between four walls of 1.2 m.
SceneDesc basin(ObjectType type) {
  SceneDesc scene;
  scene.name = "basin";
  scene.solver.step->substeps = 4;
  scene.solver.contact->particle_radius = particle_radius;
  ObjectDesc matter;
  matter.name = "matter";
  matter.type = type;
  if (type == ObjectType::fluid) {
    matter.fluid->extent = {1.0, 0.32, 0.48};
    matter.pose.position = {0.0, 0.17, 0.0};
  } else {
    matter.copies = {20.0, 6.0, 10.0};
    matter.spacing = glm::dvec3(0.042);
    matter.pose.position = {0.0, 0.022, 0.0};
  }
  scene.objects.push_back(matter);
  const auto wall = [&](const char* name, const glm::dvec3& at, const glm::dvec3& turn) {
    ColliderDesc plane;
    plane.name = name, plane.shape = ColliderShape::plane, plane.pose = {at, turn};
    scene.colliders.push_back(plane);
  };
  wall("ground", {0, 0, 0}, {0, 0, 0});
  wall("left", {-0.6, 0, 0}, {0, 0, -90});
  wall("right", {0.6, 0, 0}, {0, 0, 90});
  wall("back", {0, 0, -0.3}, {90, 0, 0});
  wall("front", {0, 0, 0.3}, {-90, 0, 0});
  return scene;
}

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 2) {
  auto made = make_simulation(scene, {Precision::f32, Simd::automatic, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}

std::vector<glm::dvec3> places(const Simulation& simulation) {
  std::vector<glm::dvec3> out(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Positions{std::span<glm::dvec3>(out)});
  return out;
}

struct Hand {
  Simulation& simulation;
  InputHistory history;
  void act(const Command& command) {
    ASSERT_TRUE(simulation.submit(command));
    history.add(command, simulation.frame());
  }
  /// Dips into the matter at the left and goes to the right through it, growing on the way.
  void sweep() {
    for (int i = 0; i < 15; ++i) simulation.step();
    act(HoldBall{{-0.35, 0.5, 0.0}, 0.5 * ball_radius});
    for (int i = 0; i <= 20; ++i) {
      act(MoveGrab{{-0.35, 0.5 - 0.0175 * i, 0.0}});
      if (i == 10) act(ResizeBall{ball_radius});
      simulation.step();
    }
    for (int i = 0; i <= 40; ++i) {
      act(MoveGrab{{-0.35 + 0.0175 * i, 0.15, 0.0}});
      simulation.step();
    }
  }
};

class HandBall : public testing::TestWithParam<ObjectType> {};

/// Grains that it meets go out of its way and along with it: nothing is left inside, and the heap has moved
/// right.
TEST_P(HandBall, PushesWhatItMeets) {
  const auto simulation = start(basin(GetParam())), untouched = start(basin(GetParam()));
  Hand hand{*simulation, {}};
  hand.sweep();
  while (untouched->frame() < simulation->frame()) untouched->step();
  const auto ball = simulation->held().ball;
  ASSERT_TRUE(ball);
  EXPECT_NEAR(ball->position.x, 0.35, 1e-9);
  EXPECT_EQ(ball->radius, ball_radius);
  double least = 1e9;
  std::size_t right = 0, right_before = 0;
  for (const glm::dvec3& at : places(*simulation)) {
    least = std::min(least, glm::distance(at, ball->position));
    right += at.x > 0.2;
  }
  for (const glm::dvec3& at : places(*untouched)) right_before += at.x > 0.2;
  EXPECT_GT(least, 0.9 * ball_radius);
  EXPECT_GT(double(right), 1.05 * double(right_before));
}

TEST_P(HandBall, ReplaysToTheSameBitsOnAnyNumberOfThreads) {
  const SceneDesc scene = basin(GetParam());
  const auto simulation = start(scene, 2);
  Hand hand{*simulation, {}};
  hand.history.begin(scene);
  hand.sweep();
  hand.act(ReleaseGrab{});
  for (int i = 0; i < 10; ++i) simulation->step();
  const auto recording = hand.history.recording(*simulation);
  ASSERT_TRUE(recording);
  const auto read = parse_input_recording(to_json(*recording), "recording");
  ASSERT_TRUE(read) << read.error().text();
  for (const int threads : {1, 3}) {
    const auto again = start(scene, threads);
    InputPlayer player(*read);
    for (std::int64_t frame = 0; frame < read->frames; ++frame) {
      ASSERT_TRUE(player.submit_due(*again));
      again->step();
    }
    EXPECT_EQ(again->state_hash(), simulation->state_hash()) << threads << " threads";
  }
}

/// The held ball survives changed settings, steps back and release.
TEST_P(HandBall, SurvivesSettingsStepsBackAndLettingGo) {
  const auto simulation = start(basin(GetParam()));
  const auto before = simulation->save();
  Hand hand{*simulation, {}};
  hand.sweep();
  const auto held = simulation->save();
  const std::uint64_t hash = simulation->state_hash();
  ASSERT_TRUE(simulation->submit(SetValue{"solver.substeps", 3L}));
  ASSERT_TRUE(simulation->submit(SetValue{"solver.gravity", glm::dvec3(0.0, -5.0, 0.0)}));
  for (int i = 0; i < 5; ++i) simulation->step();
  EXPECT_TRUE(simulation->held().ball);
  ASSERT_TRUE(simulation->restore(before));
  EXPECT_FALSE(simulation->held().ball);
  for (int i = 0; i < 3; ++i) simulation->step();
  ASSERT_TRUE(simulation->restore(held));
  EXPECT_EQ(simulation->state_hash(), hash);
  ASSERT_TRUE(simulation->held().ball);
  for (int i = 0; i < 3; ++i) simulation->step();
  const auto copy = simulation->clone();
  ASSERT_TRUE(simulation->submit(ReleaseGrab{}));
  ASSERT_TRUE(copy->submit(ReleaseGrab{}));
  for (int i = 0; i < 20; ++i) simulation->step(), copy->step();
  EXPECT_EQ(simulation->state_hash(), copy->state_hash());
  EXPECT_FALSE(simulation->held().ball);
  EXPECT_EQ(simulation->measure().nonfinite, 0);
  simulation->restart();
  for (int i = 0; i < 3; ++i) simulation->step();
}

INSTANTIATE_TEST_SUITE_P(Matter, HandBall, testing::Values(ObjectType::fluid, ObjectType::grains));

/// A mouse that jumps: the ball follows at a bounded speed, and nothing is thrown out of the basin.
TEST(HandBallAlone, AJumpOfTheMouseThrowsNothing) {
  const auto simulation = start(basin(ObjectType::fluid));
  ASSERT_TRUE(simulation->submit(HoldBall{{-0.35, 0.15, 0.0}, ball_radius}));
  simulation->step();
  ASSERT_TRUE(simulation->submit(MoveGrab{{1e6, 0.15, 0.0}}));
  simulation->step();
  EXPECT_LT(simulation->held().ball->position.x, -0.2);
  for (int i = 0; i < 60; ++i) simulation->step();
  for (const glm::dvec3& at : places(*simulation)) EXPECT_LT(std::abs(at.x), 0.62);
  EXPECT_FALSE(simulation->submit(HoldBall{{0.0, 0.0, 0.0}, 0.0}));
  EXPECT_FALSE(simulation->submit(ResizeBall{1e9}));
}

/// Bodies are pushed too, also one that has fallen asleep against the ball, which wakes when that is taken
/// away.
TEST(HandBallAlone, PushesBodiesAndWakesThemWhenItGoes) {
  SceneDesc scene = basin(ObjectType::grains);
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.05);
  box.pose.position = {0.0, 0.75, 0.0};
  scene.bodies.push_back(box);
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(SetValue{"solver.sleeping", true}));
  ASSERT_TRUE(simulation->submit(HoldBall{{0.0, 0.55, 0.0}, ball_radius}));
  std::vector<BodyPose> poses(1);
  for (int i = 0; i < 12; ++i) simulation->step();
  simulation->read(reading::Bodies{poses});
  EXPECT_GT(poses[0].position.y, 0.6f);  // it stands on the ball
  ASSERT_TRUE(simulation->submit(ReleaseGrab{}));
  for (int i = 0; i < 60; ++i) simulation->step();
  simulation->read(reading::Bodies{poses});
  EXPECT_LT(poses[0].position.y, 0.5f);
}

}}  // namespace limber::hand_ball_test
