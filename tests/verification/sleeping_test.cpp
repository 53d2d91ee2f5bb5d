// Sleeping rigid bodies stay where they are, and any contact wakes them in time.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace sleeping_test { namespace {

BodyDesc box_at(const std::string& name, const glm::dvec3& position) {
  BodyDesc box;
  box.name = name;
  box.half_extents = glm::dvec3(0.5);
  box.pose.position = position;
  return box;
}

/// Three boxes on each other, and one a metre beside them.
SceneDesc stack_and_neighbour() {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.sleep->sleeping = true;
  BodyDesc stack = box_at("stack", {0.0, 0.5, 0.0});
  stack.copies = {1, 3, 1};
  stack.spacing = {1.0, 1.0, 1.0};
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.bodies = {stack, box_at("neighbour", {2.0, 0.5, 0.0})};
  scene.colliders = {floor};
  return scene;
}

const vec4& place(const Rig& rig, std::size_t body) { return rig.world.bodies.position[body]; }

/// Runs half a second of rest plus the time that the boxes need to settle (they start in contact).
void fall_asleep(Rig& rig) {
  for (int f = 0; f < 120 && rig.world.bodies.sleep.count < rig.world.bodies.count(); ++f) rig.step();
  ASSERT_EQ(rig.world.bodies.sleep.count, rig.world.bodies.count());
}

TEST(Sleeping, WhatRestsStopsToTheLastBit) {
  Rig rig(stack_and_neighbour());
  rig.run(int(0.5 * 60) - 1);
  EXPECT_EQ(rig.world.bodies.sleep.count, 0) << "nobody has been at rest for half a second";
  fall_asleep(rig);
  const Bodies before = rig.world.bodies;
  rig.run(30);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(before.position[i], place(rig, i));
    EXPECT_EQ(before.orientation[i], rig.world.bodies.orientation[i]);
    EXPECT_EQ(rig.world.bodies.velocity[i], vec4(0));
  }
}

/// A ball whose surface moves at 60 mm/s, three times the limit of rest, turns on the spot and stays awake.
TEST(Sleeping, WhatTurnsInItsPlaceStaysAwake) {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.solver.sleep->sleeping = true;
  BodyDesc ball = box_at("ball", {0.0, 1.0, 0.0});
  ball.shape = BodyShape::sphere;
  ball.radius = 0.5;
  ball.angular_velocity = {0.0, 0.12 * 180.0 / std::acos(-1.0), 0.0};
  scene.bodies = {ball};
  Rig rig(scene);
  rig.run(90);
  EXPECT_EQ(rig.world.bodies.sleep.count, 0);
}

TEST(Sleeping, IsNotUnlessItIsAskedFor) {
  SceneDesc scene = stack_and_neighbour();
  scene.solver.sleep->sleeping = false;
  Rig rig(scene);
  rig.run(120);
  EXPECT_EQ(rig.world.bodies.sleep.count, 0);
}

/// Islands sleep alone: the stack is hit by a box that falls, and the neighbour sleeps on.
TEST(Sleeping, ABodyThatComesWakesItsIslandOnly) {
  SceneDesc scene = stack_and_neighbour();
  scene.bodies.push_back(box_at("late", {0.3, 40.0, 0.0}));
  Rig rig(scene);
  for (int f = 0; f < 400 && place(rig, 4).y > real(4.2); ++f) rig.step();
  EXPECT_EQ(rig.world.bodies.sleep.count, 4) << "still in the air";
  rig.run(6);
  EXPECT_EQ(rig.world.bodies.sleep.count, 1);
  EXPECT_TRUE(is_asleep(rig.world, 3));
  EXPECT_LT(place(rig, 4).y, real(4));
  EXPECT_GT(place(rig, 4).y, real(2.5)) << "it went through what slept";
}

/// Woken with the multipliers that it fell asleep with, a stack does not sink while they build up again.
TEST(Sleeping, AWokenStackIsTheOneThatFellAsleep) {
  Rig rig(stack_and_neighbour());
  fall_asleep(rig);
  const real top = place(rig, 2).y;
  wake_all(rig.world);
  double lowest = 0.0;
  for (int f = 0; f < 20; ++f) {
    rig.step();
    lowest = std::min(lowest, double(place(rig, 2).y - top));
  }
  EXPECT_GT(lowest, -1e-5);  // it sags by 0.07 mm
  EXPECT_EQ(rig.world.bodies.sleep.count, 0);
}

TEST(Sleeping, AColliderThatMovesWakesWhatItTouches) {
  SceneDesc scene = stack_and_neighbour();
  ColliderDesc pusher;
  pusher.name = "pusher";
  pusher.shape = ColliderShape::box;
  pusher.pose.position = {6.0, 0.5, 0.0};
  pusher.half_extents = glm::dvec3(0.5);
  pusher.linear_velocity = {-1.0, 0.0, 0.0};
  scene.colliders.push_back(pusher);
  Rig rig(scene);
  rig.run(120);  // its face is at 3.5 m, the neighbour's at 2.5
  EXPECT_EQ(rig.world.bodies.sleep.count, 4);
  rig.run(120);
  EXPECT_NEAR(double(place(rig, 3).x), 1.0, 0.05);
}

TEST(Sleeping, TheHandWakesWhatItHolds) {
  Rig rig(stack_and_neighbour());
  fall_asleep(rig);
  wake(rig.world, std::array<std::int32_t, 1>{3});
  rig.world.user.body_grab = BodyGrab{3, vec3(0), glm::dvec3(2.0, 2.0, 0.0)};
  rig.run(60);
  EXPECT_EQ(rig.world.bodies.sleep.count, 3);
  EXPECT_GT(place(rig, 3).y, real(1.5));
  rig.run(60);
  EXPECT_FALSE(is_asleep(rig.world, 3)) << "at rest, but in the hand";
}

TEST(Sleeping, AParticleThatFallsOnASleeperWakesIt) {
  SceneDesc scene = stack_and_neighbour();
  ObjectDesc stone;
  stone.name = "stone";
  stone.type = ObjectType::points;
  stone.points->list = {{{2.45, 15.0, 0.0}, 800.0}};
  scene.objects = {stone};
  Rig rig(scene);
  for (int f = 0; f < 200 && rig.x(0).y > real(1.4); ++f) rig.step();
  EXPECT_EQ(rig.world.bodies.sleep.count, 4);
  rig.run(15);
  EXPECT_EQ(rig.world.bodies.sleep.count, 3);
  EXPECT_GT(glm::length(vec3(rig.world.bodies.angular_momentum[3])), real(1)) << "it was hit at its edge";
}

/// A box on a strip of cloth that is drawn up at 9 mm/s, slower than a sleeper: the pull grows, and that
/// wakes it.
TEST(Sleeping, ALoadThatGrowsSlowlyWakesASleeper) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.sleep->sleeping = true;
  scene.solver.motion->damping = 0.9;
  ObjectDesc strip;
  strip.name = "strip";
  strip.cloth->columns = 3, strip.cloth->rows = 9;
  strip.cloth->width = 0.2, strip.cloth->height = 0.8;
  strip.pose.position = {0.0, 2.0, 0.0};
  strip.pins = {std::string("top")};
  AttachmentDesc hook;
  hook.vertices = {std::string("bottom")};
  hook.attach_to = "box";
  strip.attachments = {hook};
  BodyDesc box = box_at("box", {0.0, 1.5, 0.0});
  box.half_extents = glm::dvec3(0.1);
  box.density = 50.0;
  scene.objects = {strip};
  scene.bodies = {box};
  Rig rig(scene);
  for (int f = 0; f < 600 && rig.world.bodies.sleep.count == 0; ++f) rig.step();
  ASSERT_EQ(rig.world.bodies.sleep.count, 1);
  const real before = place(rig, 0).y;
  int asleep = 0;
  for (int f = 0; f < 120; ++f) {
    for (Attachment& attachment : rig.world.user.attachments) attachment.rest.y += 1.5e-4;
    rig.step();
    asleep += rig.world.bodies.sleep.count;
  }
  EXPECT_LT(asleep, 60);
  EXPECT_GT(place(rig, 0).y, before + real(0.01));
}

TEST(Sleeping, JointsKeepWhatTheyHoldInOneIsland) {
  SceneDesc scene = stack_and_neighbour();
  scene.bodies.erase(scene.bodies.begin());
  BodyDesc far = box_at("far", {6.0, 0.5, 0.0});
  JointDesc rod;
  rod.name = "rod";
  rod.type = JointType::distance;
  rod.a = "neighbour", rod.b = "far";
  rod.at = {2.0, 0.5, 0.0}, rod.at_b = {6.0, 0.5, 0.0};
  scene.bodies.push_back(far);
  scene.joints = {rod};
  Rig rig(scene);
  fall_asleep(rig);
  EXPECT_EQ(rig.world.bodies.sleep.island[1], 0);
  wake(rig.world, std::array<std::int32_t, 1>{1});
  EXPECT_EQ(rig.world.bodies.sleep.count, 0);
  rig.world.bodies.velocity[1] = vec4(2, 0, 0, 0);
  rig.run(30);
  EXPECT_GT(place(rig, 0).x, real(2.01)) << "the rod pulls it along";
}

/// Bodies that may sleep, where nothing pulls at them and nothing slows them down.
SceneDesc space_with(std::vector<BodyDesc> bodies) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.sleep->sleeping = true;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.bodies = std::move(bodies);
  return scene;
}

/// A box in space that trembles by 1 mm at 5 cm/s, more than twice the sleep speed, stays where it is; one
/// that goes on at 2.5 cm/s does not, and of one that shakes at 20 cm/s everybody sees it.
TEST(Sleeping, WhatTremblesInItsPlaceFallsAsleep) {
  Rig rig(space_with({box_at("trembles", {0.0, 5.0, 0.0}), box_at("goes", {4.0, 5.0, 0.0}),
                      box_at("shakes", {8.0, 5.0, 0.0})}));
  for (int f = 0; f < 60; ++f) {
    const real sign = f % 2 == 0 ? real(1) : real(-1);
    if (!is_asleep(rig.world, 0)) rig.world.bodies.velocity[0] = vec4(real(0.05) * sign, 0, 0, 0);
    rig.world.bodies.velocity[1] = vec4(real(0.025), 0, 0, 0);
    rig.world.bodies.velocity[2] = vec4(real(0.2) * sign, 0, 0, 0);
    rig.step();
  }
  EXPECT_TRUE(is_asleep(rig.world, 0));
  EXPECT_FALSE(is_asleep(rig.world, 1));
  EXPECT_FALSE(is_asleep(rig.world, 2));
}

/// While its neighbour shakes for 100 frames, a body creeps on by 2.5 cm, at less than the sleep speed. Half
/// a second after the shaking both sleep: where it was before is forgotten.
TEST(Sleeping, WhoWaitsForOthersMayCreepOn) {
  SceneDesc scene = space_with({box_at("creeps", {0.0, 5.0, 0.0}), box_at("shakes", {4.0, 5.0, 0.0})});
  JointDesc rope;
  rope.name = "rope";
  rope.type = JointType::distance;
  rope.rope = true;
  rope.a = "creeps", rope.b = "shakes";
  rope.at = {0.0, 5.0, 0.0}, rope.at_b = {4.0, 5.0, 0.0};
  rope.length = 9.0;
  scene.joints = {rope};
  Rig rig(scene);
  for (int f = 0; f < 133; ++f) {
    EXPECT_EQ(rig.world.bodies.sleep.count, 0) << f;
    const real speed = f >= 100 ? real(0) : f % 2 == 0 ? real(0.2) : real(-0.2);
    rig.world.bodies.velocity[0] = vec4(real(0.015), 0, 0, 0);
    rig.world.bodies.velocity[1] = vec4(speed, 0, 0, 0);
    rig.step();
    if (rig.world.bodies.sleep.count == 2) break;
  }
  EXPECT_EQ(rig.world.bodies.sleep.count, 2);
}

}}}}  // namespace limber::LIMBER_PRECISION::sleeping_test
