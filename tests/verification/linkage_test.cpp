// Closed linkages that pass through poses in which their links are in line, where J M^-1 J^T is singular.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <tuple>

#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace linkage_test { namespace {

using namespace joint_scenes;

BodyDesc bar(const char* name, const glm::dvec3& half_extents, const glm::dvec3& position) {
  BodyDesc body = solid(name, BodyShape::box, position);
  body.half_extents = half_extents;
  return body;
}

JointDesc pin(const char* name, JointType type, const char* a, const char* b, const glm::dvec3& at) {
  JointDesc desc = joint(name, type, a, b, at);
  desc.axis = {0.0, 0.0, 1.0};
  return desc;
}

/// All of them lie in planes z = const; the first joint is that of the crank, the last body the one to push.
using MakeLinkage = SceneDesc (*)(JointType);

SceneDesc parallelogram(JointType type) {
  return scene_of(
      {bar("left", {0.02, 0.3, 0.02}, {-0.5, 1.5, -0.1}), bar("right", {0.02, 0.3, 0.02}, {0.5, 1.5, 0.1}),
       bar("coupler", {0.3, 0.02, 0.02}, {0.0, 2.0, 0.0})},
      {pin("1", JointType::hinge, "left", "", {-0.5, 1.0, 0.0}),
       pin("2", JointType::hinge, "right", "", {0.5, 1.0, 0.0}),
       pin("3", type, "left", "coupler", {-0.5, 2.0, 0.0}),
       pin("4", type, "right", "coupler", {0.5, 2.0, 0.0})});
}

SceneDesc porch_swing(JointType type) {
  return scene_of(
      {bar("left", {0.03, 0.4, 0.03}, {-0.5, 2.5, 0.4}), bar("right", {0.03, 0.4, 0.03}, {0.5, 2.5, -0.4}),
       bar("seat", {0.5, 0.03, 0.3}, {0.0, 2.0, 0.0})},
      {pin("1", JointType::hinge, "left", "", {-0.5, 3.0, 0.0}),
       pin("2", JointType::hinge, "right", "", {0.5, 3.0, 0.0}),
       pin("3", type, "left", "seat", {-0.5, 2.0, 0.0}), pin("4", type, "right", "seat", {0.5, 2.0, 0.0})});
}

/// Crank and rod of 0.5 m: where the slider is in line with the crank's axis, the crank may turn alone.
SceneDesc slider_crank(JointType type) {
  BodyDesc crank = bar("crank", {0.25, 0.03, 0.03}, {0.2, 1.15, 0.0}),
           rod = bar("rod", {0.25, 0.03, 0.03}, {0.6, 1.15, 0.15});
  crank.pose.rotation_degrees.z = std::atan2(0.3, 0.4) * 180.0 / pi;
  rod.pose.rotation_degrees.z = -crank.pose.rotation_degrees.z;
  JointDesc rail = joint("4", JointType::slider, "piston", "", {0.8, 1.0, 0.0});
  rail.axis = {1.0, 0.0, 0.0};
  return scene_of({crank, rod, bar("piston", {0.1, 0.1, 0.1}, {0.8, 1.0, 0.3})},
                  {pin("1", JointType::hinge, "crank", "", {0.0, 1.0, 0.0}),
                   pin("2", type, "crank", "rod", {0.4, 1.3, 0.07}),
                   pin("3", type, "rod", "piston", {0.8, 1.0, 0.2}), rail});
}

/// Not held by anything, above a ground.
SceneDesc four_bars(JointType type) {
  SceneDesc scene = scene_of(
      {bar("low", {0.5, 0.05, 0.05}, {0.0, 1.0, 0.0}), bar("right", {0.05, 0.5, 0.05}, {0.5, 1.5, 0.11}),
       bar("left", {0.05, 0.5, 0.05}, {-0.5, 1.5, -0.11}), bar("high", {0.5, 0.05, 0.05}, {0.0, 2.0, 0.0})},
      {pin("1", JointType::hinge, "right", "low", {0.5, 1.0, 0.0}),
       pin("2", type, "right", "high", {0.5, 2.0, 0.0}), pin("3", type, "high", "left", {-0.5, 2.0, 0.0}),
       pin("4", type, "left", "low", {-0.5, 1.0, 0.0})});
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = 0.5;
  scene.colliders = {ground};
  return scene;
}

/// No loop.
SceneDesc chain(JointType type) {
  return scene_of(
      {bar("low", {0.02, 0.25, 0.02}, {0.0, 2.75, 0.0}), bar("middle", {0.02, 0.25, 0.02}, {0.0, 2.25, 0.0}),
       bar("end", {0.02, 0.25, 0.02}, {0.0, 1.75, 0.0})},
      {pin("1", JointType::hinge, "low", "", {0.0, 3.0, 0.0}),
       pin("2", type, "low", "middle", {0.0, 2.5, 0.0}), pin("3", type, "middle", "end", {0.0, 2.0, 0.0})});
}

struct Case {
  const char* name;
  MakeLinkage make;
  JointType type;
  int substeps;
};

/// A substep is a frame of its own, so that nothing is missed between two.
SceneDesc scene_of(const Case& c) {
  SceneDesc scene = c.make(c.type);
  scene.solver.step->substeps = 1;
  scene.solver.step->dt /= c.substeps;
  return scene;
}

double energy(const World& world) {
  const Measures m = measure(world);
  return m.kinetic_energy + m.potential_energy;
}

/// Relative rotation of the two bodies of the first joint.
glm::dmat3 turn_of_crank(const World& world) {
  const Joint& first = world.topology->joints[0];
  const auto of = [&](std::int32_t body) {
    return body < 0 ? glm::dmat3(1.0) : matrix_of(glm::dvec4(world.bodies.orientation[std::size_t(body)]));
  };
  return glm::transpose(of(first.a)) * of(first.b);
}

double angle_between(const glm::dmat3& a, const glm::dmat3& b) {
  const glm::dvec4 q = precise_quaternion_of(a * glm::transpose(b));
  return 2.0 * std::atan2(glm::length(glm::dvec3(q)), std::abs(q.w));
}

class Linkage : public testing::TestWithParam<Case> {};

/// From a quarter of a metre a second to a quarter turn a substep, or 90 m/s if that is less.
TEST_P(Linkage, HoldsAndGainsNothingWhenPushed) {
  const Case& c = GetParam();
  const double quarter_turn = 0.5 * pi * 60.0 * c.substeps * 0.5;
  for (const double speed : {0.25, 3.0, 8.0, std::min(90.0, quarter_turn)}) {
    SceneDesc scene = scene_of(c);
    scene.bodies.back().velocity = {c.make == slider_crank ? -speed : speed, 0.0, 0.0};
    Rig rig(scene);
    const double begin = energy(rig.world), scale = measure(rig.world).kinetic_energy + 10.0;
    for (int f = 0; f < 40 * c.substeps; ++f) {
      rig.step();
      ASSERT_LT(measure(rig.world).joint_error_max, 1e-4) << "at " << speed << " m/s, substep " << f;
      ASSERT_LT(energy(rig.world), begin + 0.01 * scale) << "at " << speed << " m/s, substep " << f;
    }
  }
}

TEST_P(Linkage, GainsWhatItsMotorDoes) {
  const Case& c = GetParam();
  const double quarter_turn = 0.5 * pi * 60.0 * c.substeps;
  for (const double speed : {3.0, 120.0, quarter_turn})
    for (const double torque : {20.0, 500.0}) {
      SceneDesc scene = scene_of(c);
      scene.joints[0].motor_speed = speed * 180.0 / pi, scene.joints[0].motor_torque = torque;
      Rig rig(scene);
      const double begin = energy(rig.world);
      double work = 0.0;
      for (int f = 0; f < 40 * c.substeps; ++f) {
        const glm::dmat3 before = turn_of_crank(rig.world);
        rig.step();
        work += torque * angle_between(before, turn_of_crank(rig.world));
        ASSERT_LT(measure(rig.world).joint_error_max, 1e-4)
            << "at " << speed << " rad/s, " << torque << " N m, substep " << f;
        ASSERT_LT(energy(rig.world), begin + 1.01 * work + 0.1)
            << "at " << speed << " rad/s, " << torque << " N m, substep " << f;
      }
    }
}

/// The hand pulls the last body round and round, across its change points.
TEST_P(Linkage, HoldsInTheHand) {
  const Case& c = GetParam();
  SceneDesc scene = c.make(c.type);
  scene.solver.step->substeps = c.substeps;
  Rig rig(scene);
  const std::int32_t held = rig.world.bodies.count() - 1;
  const glm::dvec3 middle(vec3(rig.world.bodies.position[std::size_t(held)]));
  for (int f = 0; f < 90; ++f) {
    const double angle = 0.2 * f;
    const glm::dvec3 target =
        middle + glm::dvec3(std::sin(angle), 1.0 - std::cos(angle), 0.3 * std::sin(0.5 * angle));
    rig.world.user.body_grab = BodyGrab{held, vec3(0.1f, 0, 0), target};
    rig.step();
    ASSERT_LT(measure(rig.world).joint_error_max, 1e-4) << f;
    ASSERT_LT(measure(rig.world).max_speed, 60.0) << "a hand is not faster than 12 m/s; frame " << f;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, make] :
       std::initializer_list<std::pair<const char*, MakeLinkage>>{{"Parallelogram", parallelogram},
                                                                  {"PorchSwing", porch_swing},
                                                                  {"SliderCrank", slider_crank},
                                                                  {"FourBars", four_bars},
                                                                  {"Chain", chain}})
    for (const JointType type : {JointType::hinge, JointType::ball})
      for (const int substeps : {1, 8, 40}) all.push_back({name, make, type, substeps});
  return all;
}

INSTANTIATE_TEST_SUITE_P(ChangePoints, Linkage, testing::ValuesIn(cases()), [](const auto& info) {
  const Case& c = info.param;
  return std::string(c.name) + (c.type == JointType::hinge ? "Hinges" : "Balls") + std::to_string(c.substeps);
});

}}}}  // namespace limber::LIMBER_PRECISION::linkage_test
