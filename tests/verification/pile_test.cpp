// Bodies that stand on each other for a long time stay in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <random>
#include <vector>

#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/pool.hpp"
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

/// Cubes of 1 m that fall, turned and a little aside.
BodyDesc falling_cubes(const glm::dvec3& copies, double spacing, double height) {
  BodyDesc cubes;
  cubes.name = "cubes";
  cubes.shape = BodyShape::box;
  cubes.copies = copies;
  cubes.spacing = glm::dvec3(spacing);
  cubes.pose.position = {0.0, height, 0.0};
  cubes.jitter = 0.1;
  cubes.yaw_jitter = 20.0;
  return cubes;
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
  BodyDesc cubes = falling_cubes({3.0, 10.0, 3.0}, 1.5, 1.5);
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

/// Pairs and colours that the solver keeps from frame to frame never show: a solver that begins with the
/// World of a pile on the move goes on bit for bit, on any number of threads.
TEST(Pile, GoesOnTheSameFromACopyOfTheWorld) {
  const SceneDesc scene = standing(falling_cubes({4.0, 4.0, 4.0}, 1.2, 1.0));
  Rig going(scene);
  for (const int threads : {1, 2, 3}) {
    going.run(25);
    Rig fresh(scene, threads);
    fresh.world = going.world;
    fresh.solver.follow(fresh.world);
    going.run(10), fresh.run(10);
    ASSERT_EQ(state_hash(going.world), state_hash(fresh.world)) << threads;
  }
}

/// A cube that leaves the ground while the solver is prepared anew falls: its last contact has gone with the
/// ground, and no list of new contacts says so.
TEST(Pile, NoContactOutlivesAPreparation) {
  Rig rig(standing(falling_cubes({1.0, 1.0, 1.0}, 1.0, 0.5)));
  rig.run(60);
  const double height = double(rig.world.bodies.position[0].y);
  rig.world.bodies.position[0].y += 5;
  rig.world.changed(Change::everything);
  rig.solver.follow(rig.world);
  rig.run(30);  // g t^2/2 = 1.2 m
  EXPECT_NEAR(double(rig.world.bodies.position[0].y), height + 5 - 1.2, 0.1);
}

/// The pairs of 300 boxes and a plane that fly, stand, jump and sleep are those of a search that knows
/// nothing of former frames, and all pairs that there are.
TEST(Pile, PairsDoNotDependOnThePast) {
  constexpr int count = 300;
  std::mt19937 random(7);
  const auto any = [&](real most) { return most * (real(random() >> 8) / real(1 << 23) - real(1)); };
  std::vector<PairBox> boxes(count + 1);
  std::vector<vec3> place, speed;
  for (int i = 0; i < count; ++i) {
    place.push_back({any(3), any(3), any(3)});
    speed.push_back(i % 3 == 0 ? vec3(any(0.2f), any(0.2f), any(0.2f)) : vec3(any(1e-3f)));
    boxes[std::size_t(i)].owner = i;
  }
  boxes[count].plane = true, boxes[count].movable = false, boxes[count].owner = -1;
  boxes[count].box.low = vec3(0, 1, 0), boxes[count].offset = real(-2.5);
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    BodyPairs kept;
    for (int frame = 0; frame < 60; ++frame) {
      const bool jumps = frame % 20 == 7;
      for (int i = 0; i < count; ++i) {
        vec3& x = place[std::size_t(i)];
        x += speed[std::size_t(i)];
        if (jumps && i % 50 == 0) x = {any(3), any(3), any(3)};
        PairBox& box = boxes[std::size_t(i)];
        const vec3 half(real(0.2) + real(0.002) * real(i));
        box.box = {x - half, x + half};
        box.movable = i % 7 != 0, box.active = (i + frame / 10) % 4 != 0;
      }
      BodyPairs fresh;
      pool.run([&](Team& team) { kept.find(boxes, team), fresh.find(boxes, team); });
      ASSERT_TRUE(std::ranges::equal(kept.pairs(), fresh.pairs())) << frame;
      std::size_t all = 0;
      for (int a = 0; a <= count; ++a)
        for (int b = a + 1; b <= count; ++b) {
          const PairBox &one = boxes[std::size_t(a)], &other = boxes[std::size_t(b)];
          const Bounds &x = one.box, &y = other.box;
          const bool meet = b < count ? glm::all(glm::lessThanEqual(x.low, y.high)) &&
                                            glm::all(glm::lessThanEqual(y.low, x.high))
                                      : x.low.y <= other.offset;
          all += meet && (one.movable || other.movable) && (one.active || other.active);
        }
      ASSERT_EQ(kept.pairs().size(), all) << frame;
    }
  }
}

}}}  // namespace limber::LIMBER_PRECISION::pile_test
