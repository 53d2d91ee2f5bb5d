// Limits, motors and friction of joints against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/motion.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_limits_test { namespace {

using namespace joint_scenes;

constexpr double g = 9.81;

glm::dvec3 center(const World& world, std::size_t body) { return glm::dvec3(world.bodies.position[body]); }

double angle_about_z(const World& world, std::size_t body) {
  const vec4 q = world.bodies.orientation[body];
  return 2.0 * std::atan2(double(q.z), double(q.w));
}

/// A rod of 1 m on a hinge at its end.
SceneDesc rod_on_hinge(int substeps = 8) {
  BodyDesc rod = solid("rod", BodyShape::box, {0.5, 0.0, 0.0});
  rod.half_extents = {0.5, 0.02, 0.02};
  JointDesc hinge = joint("hinge", JointType::hinge, "rod", "", {});
  hinge.axis = {0.0, 0.0, 1.0};
  return scene_of({rod}, {hinge}, substeps);
}

TEST(Joint, AHingeStopsAtItsLimitAndRestsThere) {
  SceneDesc scene = rod_on_hinge();
  scene.joints[0].limited = true;
  scene.joints[0].lower_degrees = -40.0, scene.joints[0].upper_degrees = 10.0;
  Rig rig(scene);
  double lowest = 0.0;
  for (int f = 0; f < 90; ++f) {
    rig.step();
    lowest = std::min(lowest, angle_about_z(rig.world, 0));
  }
  EXPECT_NEAR(angle_about_z(rig.world, 0), -40.0 * pi / 180.0, 1e-5);
  EXPECT_GT(lowest, -40.0 * pi / 180.0 - 1e-4);
  EXPECT_LT(double(glm::length(vec3(rig.world.bodies.velocity[0]))), 1e-4);
}

/// A motor that presses a body against its stop gives it no velocity, and throws nothing that falls on it.
TEST(Joint, AMotorAtItsStopGivesNoVelocity) {
  for (const int substeps : {1, 8, 40}) {
    JointDesc slider = joint("rail", JointType::slider, "cart", "", {});
    slider.axis = {1.0, 0.0, 0.0};
    slider.limited = true, slider.lower = -0.3, slider.upper = 0.3;
    slider.motor_velocity = 10.0, slider.motor_force = 1e5;
    SceneDesc scene = scene_of({solid("cart", BodyShape::box, {})}, {slider}, substeps);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    Rig rig(scene);
    rig.run(60);
    EXPECT_NEAR(center(rig.world, 0).x, 0.3, 1e-5) << substeps;
    EXPECT_LT(double(glm::length(vec3(rig.world.bodies.velocity[0]))), 1e-3) << substeps;
  }
  for (const double range : {0.0, 1.0})
    for (const int substeps : {1, 8, 40}) {
      BodyDesc paddle = solid("paddle", BodyShape::box, {0.5, 1.0, 0.0});
      paddle.half_extents = {0.5, 0.05, 0.3}, paddle.density = 500.0;
      BodyDesc ball = bob("ball", {0.5, 2.0, 0.0}, 0.1);
      ball.restitution = 0.8;
      JointDesc hinge = joint("hinge", JointType::hinge, "paddle", "", {0.0, 1.0, 0.0});
      hinge.axis = {0.0, 0.0, 1.0};
      hinge.limited = true, hinge.lower_degrees = -range, hinge.upper_degrees = 0.0;
      hinge.motor_speed = 360.0, hinge.motor_torque = 1e5;
      Rig rig(scene_of({paddle, ball}, {hinge}, substeps));
      double highest = 0.0;
      for (int f = 0; f < 240; ++f) {
        rig.step();
        if (f > 40) highest = std::max(highest, center(rig.world, 1).y);
      }
      EXPECT_LT(highest, 1.95) << "range " << range << ", substeps " << substeps;
    }
}

/// Without gravity: T / I until it has its speed, and that then. About its end the rod has m (1/3 + ...).
TEST(Joint, AMotorSpeedsUpByItsTorqueToItsSpeed) {
  SceneDesc scene = rod_on_hinge();
  scene.solver.motion->gravity = {};
  const double mass = 1.6, about_end = mass * ((1.0 + 0.04 * 0.04) / 12.0 + 0.25);
  scene.joints[0].motor_speed = 360.0, scene.joints[0].motor_torque = 2.0;
  Rig rig(scene);
  rig.run(30);
  const double speed = 2.0 / about_end * 0.5;
  EXPECT_NEAR(double(angular_velocity(rig.world.bodies, 0).z), speed, 1e-3 * speed);
  rig.run(150);
  EXPECT_NEAR(double(angular_velocity(rig.world.bodies, 0).z), 2.0 * pi, 1e-4);
}

/// A motor that is too weak stops at the angle at which the rod's weight needs the motor's torque.
TEST(Joint, FrictionHoldsAHingeUpToItsTorque) {
  SceneDesc scene = rod_on_hinge();
  const double torque = 1.6 * g * 0.5;
  scene.joints[0].friction_torque = 1.02 * torque;
  Rig holds(scene);
  holds.run(60);
  EXPECT_NEAR(angle_about_z(holds.world, 0), 0.0, 1e-5);
  scene.joints[0].friction_torque = 0.98 * torque;
  Rig slips(scene);
  slips.run(60);
  EXPECT_LT(angle_about_z(slips.world, 0), -0.01);
}

/// a = g sin(theta) along the axis, then held by the limit; symplectic Euler is a t (t + h) / 2 exactly.
TEST(Joint, ASliderRunsDownItsAxisToItsLimit) {
  const double theta = 30.0 * pi / 180.0;
  JointDesc slider = joint("rail", JointType::slider, "cart", "", {0.3, 0.2, 0.0});  // beside the middle
  slider.axis = {-std::cos(theta), -std::sin(theta), 0.0};
  SceneDesc scene = scene_of({solid("cart", BodyShape::box, {})}, {slider});
  Rig rig(scene);
  rig.run(30);
  const double a = g * std::sin(theta), h = 1.0 / 480.0;
  EXPECT_NEAR(glm::length(center(rig.world, 0)), 0.5 * a * 0.5 * (0.5 + h), 1e-5);
  EXPECT_NEAR(glm::dot(center(rig.world, 0), glm::dvec3(-std::sin(theta), std::cos(theta), 0.0)), 0.0, 1e-6);
  scene.joints[0].limited = true;
  scene.joints[0].lower = -1.0, scene.joints[0].upper = 0.4;
  Rig stopped(scene);
  stopped.run(60);
  EXPECT_NEAR(glm::length(center(stopped.world, 0)), 0.4, 1e-5);
  scene.joints[0].friction_force = 1000.0 * g * std::sin(theta) * 1.01;
  Rig rubs(scene);
  rubs.run(60);
  EXPECT_LT(glm::length(center(rubs.world, 0)), 1e-5);
}

/// A joint beside the centre of a body turns it; that force must not count as the push of a distant bound.
TEST(Joint, ABoundOutOfReachPushesNothing) {
  JointDesc slider = joint("rail", JointType::slider, "cart", "", {0.5, 0.0, 0.0});
  slider.axis = {0.0, 0.0, 1.0};
  BodyDesc cart = solid("cart", BodyShape::box, {});
  cart.half_extents = glm::dvec3(0.2);
  cart.velocity = {0.0, 0.0, 3.0};
  const SceneDesc free = scene_of({cart}, {slider});
  slider.limited = true;
  slider.lower = -100.0, slider.upper = 100.0;
  const SceneDesc bounded = scene_of({cart}, {slider});
  Rig a(free), b(bounded);
  a.run(20), b.run(20);
  // the same rows, solved by the same matrix with one row that does nothing
  EXPECT_NEAR(glm::distance(center(a.world, 0), center(b.world, 0)), 0.0, 1e-6);
  EXPECT_NEAR(center(a.world, 0).z, 1.0, 1e-5);
}

}}}}  // namespace limber::LIMBER_PRECISION::joint_limits_test
