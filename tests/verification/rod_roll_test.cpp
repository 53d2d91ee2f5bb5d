// Friction acts around rods: a rod that is pushed across its axis rolls.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <string>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_roll_test { namespace {

constexpr double g = 9.81;
constexpr double slope = 0.35;  // rad

enum class Ground { plane, body };
enum class Lies { across, along };  // against the slope

struct Case {
  Ground ground = Ground::plane;
  Lies lies = Lies::across;
  RodSolve solve = RodSolve::direct;
  int substeps = 10;
  double friction = 0.6, hollow = 0.0;
};

/// A metre of 2 cm of thickness on a slope that falls along x: gravity is tilted instead of the ground.
SceneDesc rod_on_slope(const Case& of) {
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.pose.position = of.lies == Lies::across ? glm::dvec3(0, 0.01, -0.5) : glm::dvec3(-0.5, 0.01, 0);
  rod.pose.rotation_degrees.y = of.lies == Lies::across ? -90.0 : 0.0;
  rod.density = 1000.0;
  rod.rod->segments = 20;
  rod.rod->radius = 0.01;
  rod.rod->hollow = of.hollow;
  rod.rod->first_end = rod.rod->last_end = RodEnd::free;
  rod.material->youngs_modulus = of.solve == RodSolve::direct ? 1e9 : 1e7;
  rod.material->friction = of.friction;
  SceneDesc scene;
  scene.solver.step->substeps = of.substeps;
  scene.solver.step->iterations = 4;
  scene.solver.step->automatic = false;
  scene.solver.method->rods = of.solve;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = g * glm::dvec3(std::sin(slope), -std::cos(slope), 0.0);
  scene.objects = {rod};
  if (of.ground == Ground::plane) {
    ColliderDesc floor;
    floor.shape = ColliderShape::plane;
    floor.friction = of.friction;
    scene.colliders = {floor};
  } else {
    BodyDesc block;
    block.name = "block";
    block.shape = BodyShape::box;
    block.half_extents = {5.0, 0.5, 1.0};
    block.pose.position = {4.0, -0.5, 0.0};
    block.fixed = true;
    block.friction = of.friction;
    scene.bodies = {block};
  }
  return scene;
}

/// m, mean of the points along x.
double mean_place(const World& world) {
  const ParticleRange& range = world.topology->objects[0];
  double sum = 0.0;
  for (std::int32_t i = range.first; i < range.end(); ++i)
    sum += double(world.particles.position[std::size_t(i)].x);
  return sum / double(range.count);
}

/// m/s^2, mean acceleration down the slope in the first second: symplectic Euler goes a t (t + h)/2.
double acceleration(const Case& of) {
  Rig rig(rod_on_slope(of));
  const double start = mean_place(rig.world);
  for (int frame = 0; frame < 60; ++frame) EXPECT_FALSE(rig.step().nonfinite);
  return 2.0 * (mean_place(rig.world) - start) / (1.0 + 1.0 / (60.0 * of.substeps));
}

/// Inertia over m r^2: 1/2 of a full section, (1 + hollow^2)/2 of a tube.
double rolling(double hollow) { return g * std::sin(slope) / (1.0 + 0.5 * (1.0 + hollow * hollow)); }

TEST(RodsRoll, DownASlopeWithTwoThirdsOfItsPull) {
  for (const Ground ground : {Ground::plane, Ground::body})
    for (const double hollow : {0.0, 0.8})
      for (const int substeps : {4, 10, 40}) {
        const double got = acceleration({.ground = ground, .substeps = substeps, .hollow = hollow});
        EXPECT_NEAR(got, rolling(hollow), 0.005 * rolling(hollow))
            << (ground == Ground::body ? "body" : "plane") << ", hollow " << hollow << ", " << substeps;
      }
}

/// The last point of a rod has no segment that begins there, so it drags.
TEST(RodsRoll, WithSweepsToo) {
  for (const int substeps : {4, 10, 40})
    EXPECT_NEAR(acceleration({.solve = RodSolve::sweeps, .substeps = substeps}), rolling(0.0),
                0.06 * rolling(0.0))
        << substeps;
}

/// Across the slope a rod slides if mu < tan(slope) / 3, along it if mu < tan(slope); then mu alone counts.
TEST(RodsRoll, SlideWhereFrictionCannotHold) {
  for (const Ground ground : {Ground::plane, Ground::body}) {
    const auto slid = [](double mu) { return g * (std::sin(slope) - mu * std::cos(slope)); };
    EXPECT_NEAR(acceleration({.ground = ground, .friction = 0.08}), slid(0.08), 0.01 * slid(0.08));
    EXPECT_NEAR(acceleration({.ground = ground, .lies = Lies::along, .friction = 0.2}), slid(0.2),
                0.01 * slid(0.2));
    EXPECT_LT(std::abs(acceleration({.ground = ground, .lies = Lies::along, .friction = 0.5})), 1e-3);
  }
}

/// A rod that slides across its axis starts to roll: 2/3 of its speed stay.
TEST(RodsRoll, ASlidingRodEndsUpRolling) {
  for (const Ground ground : {Ground::plane, Ground::body}) {
    SceneDesc scene = rod_on_slope({.ground = ground, .friction = 0.3});
    scene.solver.motion->gravity = {0.0, -g, 0.0};
    scene.objects[0].velocity = {1.0, 0.0, 0.0};
    Rig rig(scene);
    rig.run(60);
    EXPECT_NEAR(mean_velocity(rig.world, 0).x, 2.0 / 3.0, 0.01) << int(ground);
  }
}

/// Two parallel cylinders: one that spins under a rod turns the rod the other way. The rod lies in the groove
/// between a smooth post and the cylinder.
TEST(RodsRoll, ASpinningCylinderTurnsARod) {
  SceneDesc scene = rod_on_slope({.friction = 0.5});
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  ObjectDesc& rod = scene.objects[0];
  rod.pose.position.y = 0.2;
  ColliderDesc drum;
  drum.name = "drum", drum.shape = ColliderShape::capsule;
  drum.radius = 0.1, drum.half_length = 0.8;
  drum.pose.position = {-0.07, 0.1, 0.0};
  drum.pose.rotation_degrees = {90.0, 0.0, 0.0};
  drum.friction = 0.5;
  ColliderDesc post = drum;
  post.name = "post", post.pose.position.x = 0.07, post.friction = 0.0;
  drum.angular_velocity = {0.0, 0.0, 90.0};
  scene.colliders = {drum, post};
  rod.pose.position.y = 0.1 + std::sqrt(0.11 * 0.11 - 0.07 * 0.07);
  Rig rig(scene);
  rig.run(180);
  const RodMatter& rods = rig.world.topology->rods;
  const double spin = double(rig.world.particles.velocity[std::size_t(rods.first_row + 10)].z);
  EXPECT_NEAR(std::abs(spin), glm::radians(90.0) * 0.1 / 0.01, 0.8) << spin;
  EXPECT_LT(glm::length(mean_velocity(rig.world, 0)), 0.02);
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_roll_test
