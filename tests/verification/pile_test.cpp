// Bodies that stand on each other for a long time stay in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace pile_test {
namespace {

/// The farthest that any body is after ten seconds from where it was after one, m.
double drift(const SceneDesc& scene) {
  Rig rig(scene);
  rig.run(60);
  const auto before = rig.world.bodies.position;
  rig.run(600);
  double most = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    most = std::max(most, double(glm::length(vec3(rig.world.bodies.position[i]) - vec3(before[i]))));
  return most;
}

SceneDesc standing(const BodyDesc& boxes) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  scene.bodies = {boxes};
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = 0.5;
  scene.colliders = {floor};
  return scene;
}

}  // namespace

/// Twenty levels, 210 boxes of a metre.
TEST(Pile, APyramidDoesNotCreep) {
  if (std::is_same_v<real, double>) GTEST_SKIP() << "in float it is no easier";
  BodyDesc boxes;
  boxes.name = "boxes";
  boxes.shape = BodyShape::box;
  boxes.copies = {20.0, 20.0, 1.0};
  boxes.spacing = {1.02, 1.0, 1.0};
  boxes.arrangement = Arrangement::pyramid;
  boxes.pose.position = {0.0, 0.5, 0.0};
  EXPECT_LT(drift(standing(boxes)), 1e-3);
}

TEST(Pile, AStackDoesNotCreep) {
  BodyDesc cubes;
  cubes.name = "cubes";
  cubes.shape = BodyShape::box;
  cubes.copies = {1.0, 10.0, 1.0};
  cubes.spacing = glm::dvec3(1.0);
  cubes.pose.position = {0.0, 0.5, 0.0};
  EXPECT_LT(drift(standing(cubes)), 1e-3);
}

/// Nine columns of ten cubes fall, turned and a little aside, on each other: none comes deeper into another
/// than the fastest goes in a substep.
TEST(Pile, WhatFallsDoesNotSinkIntoWhatItFallsOn) {
  BodyDesc cubes;
  cubes.name = "cubes";
  cubes.shape = BodyShape::box;
  cubes.copies = {3.0, 10.0, 3.0};
  cubes.spacing = glm::dvec3(1.5);
  cubes.pose.position = {0.0, 1.5, 0.0};
  cubes.jitter = 0.1;
  cubes.yaw_jitter = 20.0;
  cubes.friction = 0.2;
  SceneDesc scene = standing(cubes);
  scene.solver.contact->depenetration_speed = 3.0;
  Rig rig(scene);
  double deepest = 0.0, fastest = 0.0;
  for (int frame = 0; frame < 100; ++frame) {
    rig.run(1);
    const Measures now = measure(rig.world);
    deepest = std::max(deepest, now.penetration_max);
    fastest = std::max(fastest, now.max_speed);
  }
  EXPECT_LT(deepest, fastest * scene.solver.step->dt / scene.solver.step->substeps) << fastest;
}

}}}  // namespace limber::LIMBER_PRECISION::pile_test
