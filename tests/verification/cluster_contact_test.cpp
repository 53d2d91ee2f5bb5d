// Rigid clusters of particles touch each other, grains and colliders as rigid bodies do.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/verify/matter_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace cluster_contact_test { namespace {

constexpr double radius = 0.03;

ObjectDesc solid(const std::string& name, const char* mesh, const glm::dvec3& position) {
  ObjectDesc object;
  object.name = name;
  object.type = ObjectType::solid;
  object.mesh = test::source("assets/") + mesh;
  object.size = 0.4;
  object.pose.position = position;
  object.density = 500.0;
  object.material->friction = 0.5;
  return object;
}

SceneDesc scene_of(std::vector<ObjectDesc> objects) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = radius;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  scene.objects = std::move(objects);
  return scene;
}

/// Two clusters that fly past each other off centre, with friction. Both momenta are kept, the angular one to
/// O(h), because the contact point moves by h v = 4 mm of the clusters' width of 0.4 m: a hundredth of the
/// exchanged momentum.
TEST(SolidContact, CollisionsKeepBothMomenta) {
  ObjectDesc left = solid("left", "brick.obj", {-0.4, 0.0, 0.0}),
             right = solid("right", "jack.obj", {0.3, 0.08, 0.05});
  left.velocity = {2.0, 0.0, 0.0};
  SceneDesc scene = scene_of({left, right});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  const Measures before = measure(rig.world);
  rig.run(30);
  const Measures after = measure(rig.world);
  EXPECT_LT(after.kinetic_energy, 0.9 * before.kinetic_energy);
  const double momentum = glm::length(before.momentum);
  EXPECT_LT(glm::length(after.momentum - before.momentum),
            (std::is_same_v<real, double> ? 1e-9 : 2e-3) * momentum);
  EXPECT_LT(glm::length(after.angular_momentum - before.angular_momentum), 0.01 * momentum * 0.4);
}

/// A brick that falls onto another one on the ground: a second after the impact both lie still, and have not
/// sunk into each other: gravity moves them by g h^2 = 4e-5 m in a substep.
TEST(SolidContact, AStackLiesStill) {
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  SceneDesc scene =
      scene_of({solid("low", "brick.obj", {0.0, 0.15, 0.0}), solid("high", "brick.obj", {0.02, 0.5, 0.01})});
  scene.colliders = {floor};
  Rig rig(scene);
  rig.run(90);
  const Measures m = measure(rig.world);
  EXPECT_LT(m.max_speed, 1e-3);
  EXPECT_LT(deepest_particle_overlap(rig.world), 0.06 * radius);  // 5 % are left where there was an impact
  EXPECT_GT(m.bounds_min.y, -4e-5);
}

/// A solid a thousand times as heavy as the grains on it or below it stays where it is.
TEST(SolidContact, GrainsCarryASolidAndLieOnIt) {
  ObjectDesc sand;
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = {9, 2, 9};
  sand.spacing = glm::dvec3(2.02 * radius);
  sand.pose.position = {0.0, radius, 0.0};
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = 1.0;
  SceneDesc scene = scene_of({sand, solid("brick", "brick.obj", {0.0, 0.35, 0.0})});
  scene.colliders = {floor};
  Rig rig(scene);
  rig.run(60);
  const Solid& brick = rig.world.topology->matter.solids[0];
  for (std::int32_t i = brick.first; i < brick.first + brick.count; ++i)
    EXPECT_GT(double(rig.world.particles.position[std::size_t(i)].y),
              2.0 * radius);  // above a layer at least
  EXPECT_LT(measure(rig.world).penetration_max, 0.2 * radius);
}

ObjectDesc sheet(double y) {
  ObjectDesc cloth;
  cloth.name = "sheet";
  cloth.cloth->columns = cloth.cloth->rows = 13;
  cloth.cloth->width = cloth.cloth->height = 1.2;
  cloth.cloth->upright = false;
  cloth.pose.position.y = y;
  cloth.material->preset = Preset::denim;
  apply_preset(*cloth.material);
  return cloth;
}

/// A brick of 15 kg falls onto a sheet that is held at its border and lies in it, with its whole mass: none
/// of its particles comes below the sheet's lowest vertex.
TEST(SolidContact, ASheetCatchesASolid) {
  ObjectDesc cloth = sheet(0.5);
  for (const char* side : {"top", "bottom", "left", "right"}) cloth.pins.push_back(std::string(side));
  Rig rig(scene_of({cloth, solid("brick", "brick.obj", {0.02, 0.85, 0.01})}));
  rig.run(40);
  const auto& x = rig.world.particles.position;
  real lowest = 1;
  for (Index vertex = 0; vertex < 13 * 13; ++vertex) lowest = std::min(lowest, rig.x(vertex).y);
  const Solid& brick = rig.world.topology->matter.solids[0];
  for (std::int32_t i = brick.first; i < brick.first + brick.count; ++i)
    EXPECT_GT(x[std::size_t(i)].y, lowest) << i;
}

/// A free sheet hit by a solid takes the momentum that the solid loses, also if the sheet makes the solid
/// turn.
TEST(SolidContact, ASheetAndASolidKeepTheirMomentum) {
  ObjectDesc jack = solid("jack", "jack.obj", {0.1, 0.35, 0.05});
  jack.velocity = {0.5, -3.0, 0.0};
  SceneDesc scene = scene_of({sheet(0.0), jack});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  const Measures before = measure(rig.world);
  rig.run(15);
  const Measures after = measure(rig.world);
  EXPECT_LT(after.kinetic_energy, 0.99 * before.kinetic_energy);  // they have met
  const double momentum = glm::length(before.momentum);
  EXPECT_LT(glm::length(after.momentum - before.momentum),
            (std::is_same_v<real, double> ? 1e-9 : 2e-3) * momentum);
}

/// Largest overlap of particles of two solids, m.
double overlap_of(const World& world, const Solid& a, const Solid& b) {
  double least = 1.0;
  for (std::int32_t i = a.first; i < a.first + a.count; ++i)
    for (std::int32_t j = b.first; j < b.first + b.count; ++j)
      least = std::min(least, double(glm::length(vec3(world.particles.position[std::size_t(i)] -
                                                      world.particles.position[std::size_t(j)]))));
  return 2.0 * radius - least;
}

/// Bricks beside each other along x, `apart` m from one to the next, in space.
SceneDesc row_of_bricks(int count, double apart) {
  ObjectDesc bricks = solid("bricks", "brick.obj", glm::dvec3(0.0));
  bricks.copies = {double(count), 1, 1};
  bricks.spacing = {apart, 1.0, 1.0};
  SceneDesc scene = scene_of({bricks});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  return scene;
}

/// Three bricks in a row before a wall, the first of which is pressed into the second by two thirds of a
/// radius. Resolving the overlap moves the first brick only. If it pressed the second into the third,
/// overlaps would wander through a pile, unload contacts that hold it by friction, and the pile would slide
/// for ever.
TEST(SolidContact, WhatPartsTwoDoesNotPressOthersTogether) {
  SceneDesc scene = row_of_bricks(3, 0.4);
  ColliderDesc wall;
  wall.name = "wall";
  wall.shape = ColliderShape::plane;
  wall.pose.rotation_degrees = {0.0, 0.0, 90.0};
  Rig probe(scene);
  const auto& solids = probe.world.topology->matter.solids;
  double right = -1.0;
  for (std::int32_t i = solids[2].first; i < solids[2].first + solids[2].count; ++i)
    right = std::max(right, double(probe.world.particles.position[std::size_t(i)].x));
  wall.pose.position.x = right + radius;
  scene.colliders = {wall};
  Rig rig(scene);
  const double between = overlap_of(rig.world, solids[1], solids[2]);
  for (std::int32_t s : {0, 1, 2})  // the others touch
    for (std::int32_t i = solids[std::size_t(s)].first;
         i < solids[std::size_t(s)].first + solids[std::size_t(s)].count; ++i) {
      rig.world.particles.position[std::size_t(i)].x += real((2 - s) * between);
      if (s == 0) rig.world.particles.position[std::size_t(i)].x += real(0.67 * radius);
    }
  ASSERT_NEAR(overlap_of(rig.world, solids[1], solids[2]), 0.0, 1e-6);
  ASSERT_NEAR(overlap_of(rig.world, solids[0], solids[1]), 0.67 * radius, 0.05 * radius);
  for (int f = 0; f < 60; ++f) {
    rig.step();
    ASSERT_LT(overlap_of(rig.world, solids[1], solids[2]), 0.01 * radius) << "frame " << f;
  }
  EXPECT_LT(overlap_of(rig.world, solids[0], solids[1]), 0.06 * radius);
}

/// Two that start half inside each other part by displacements that are no speed.
TEST(SolidContact, TwoThatStartInEachOtherPartGently) {
  const SceneDesc scene = row_of_bricks(2, 0.2);
  Rig rig(scene);
  ASSERT_GT(deepest_particle_overlap(rig.world), radius);
  for (int f = 0; f < 60; ++f) {
    rig.step();
    ASSERT_LT(measure(rig.world).max_speed, 0.05 * scene.solver.contact->depenetration_speed) << f;
  }
  EXPECT_LT(deepest_particle_overlap(rig.world), 0.06 * radius);
}

}}}}  // namespace limber::LIMBER_PRECISION::cluster_contact_test
