// The distance from the world's origin changes nothing: every kind of object falls, swings, rests and drifts
// far away as it does nearby, for any number of substeps, in float as well.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace height_test { namespace {

constexpr double heights[] = {0.0, 20.0, 100.0, 1000.0};  // m
constexpr int substep_counts[] = {1, 4, 10, 40};

enum class Kind { cloth, tets, cluster, grain, fluid };
constexpr Kind kinds[] = {Kind::cloth, Kind::tets, Kind::cluster, Kind::grain, Kind::fluid};

ObjectDesc matter(Kind kind, double y) {
  ObjectDesc object;
  object.name = "matter";
  object.pose.position = {0.0, y, 0.0};
  switch (kind) {
    case Kind::cloth:
      object.cloth->columns = object.cloth->rows = 8;
      object.cloth->width = object.cloth->height = 0.7;
      object.cloth->upright = false;
      break;
    case Kind::tets:
      object.type = ObjectType::tets;
      object.tets->shape = TetShape::bar;
      object.tets->dimensions = {0.4, 0.2, 0.2};
      object.tets->cells = {4, 2, 2};
      object.density = 1000.0;
      break;
    case Kind::cluster:
      object.type = ObjectType::solid;
      object.mesh = test::source("assets/jack.obj");
      object.size = 0.4;
      break;
    case Kind::grain:
      object.type = ObjectType::grains;
      break;
    case Kind::fluid:
      object.type = ObjectType::fluid;
      break;
  }
  return object;
}

SceneDesc scene_of(std::vector<ObjectDesc> objects, int substeps, double gravity) {
  SceneDesc scene;
  scene.name = "height";
  scene.solver.motion->gravity = {0.0, gravity, 0.0};
  scene.solver.motion->damping = 0.0;
  scene.solver.step->substeps = substeps;
  scene.solver.contact->particle_radius = 0.05;
  scene.objects = std::move(objects);
  return scene;
}

double fastest(const World& world) {
  double most = 0.0;
  for (const vec4& v : world.particles.velocity) most = std::max(most, double(glm::length(vec3(v))));
  return most;
}

constexpr double gravity = -9.81;
constexpr int half_a_second = 30;  // frames

/// Speed equals g t within 1e-4. Objects farther away than the fall do not change that.
TEST(Height, EveryKindFallsAsFast) {
  for (const Kind kind : kinds)
    for (const int substeps : substep_counts)
      for (const double height : heights)
        for (const bool beside : {false, true}) {
          std::vector<ObjectDesc> objects{matter(kind, height)};
          for (const Kind other : kinds) {
            if (!beside || other == kind) continue;
            objects.push_back(matter(other, height));
            objects.back().name = "other" + std::to_string(int(other));
            objects.back().pose.position.x = 30.0 * double(objects.size());
          }
          Rig rig(scene_of(objects, substeps, gravity));
          rig.run(half_a_second);
          EXPECT_NEAR(mean_velocity(rig.world, 0).y / (0.5 * gravity), 1.0, 1e-4)
              << "kind " << int(kind) << ", " << substeps << " substeps, " << height << " m, beside "
              << beside;
        }
}

/// Ten seconds, up to 98 m/s: gravity adds g h 24,000 times, and every sum rounds.
TEST(Height, ALongFallIsAsFast) {
  Rig rig(scene_of({matter(Kind::grain, 1000.0)}, 40, gravity));
  rig.run(600);
  EXPECT_NEAR(mean_velocity(rig.world, 0).y / (10.0 * gravity), 1.0, 1e-4);
}

TEST(Height, BodiesFallAsFast) {
  for (const int substeps : substep_counts)
    for (const double height : heights) {
      SceneDesc scene = scene_of({}, substeps, gravity);
      scene.bodies.emplace_back();
      scene.bodies[0].name = "box";
      scene.bodies[0].pose.position = {0.0, height, 0.0};
      Rig rig(scene);
      rig.run(half_a_second);
      EXPECT_NEAR(double(rig.world.bodies.velocity[0].y) / (0.5 * gravity), 1.0, 1e-6) << substeps;
      EXPECT_NEAR(double(rig.world.bodies.position[0].y),
                  height + 0.125 * gravity * (1.0 + 1.0 / (30 * substeps)), 30 * 6e-8 * height + 1e-5)
          << substeps << " substeps, " << height << " m";
    }
}

/// A sheet that is held by two corners, after half a second, wherever it is: positions and velocities count
/// from where the sheet is, so the bits of the velocities differ by the rounding of where it starts alone.
TEST(Height, AHeldSheetSwingsAlike) {
  for (const int substeps : substep_counts) {
    glm::dvec3 near(0.0);
    for (const double height : {2.0, 20.0, 100.0, 900.0}) {
      ObjectDesc sheet = matter(Kind::cloth, height);
      sheet.pins = {std::string("top_left"), std::string("top_right")};
      Rig rig(scene_of({sheet}, substeps, gravity));
      rig.run(half_a_second);
      const glm::dvec3 v = mean_velocity(rig.world, 0);
      if (height == 2.0) near = v;
      EXPECT_GT(glm::length(v), 0.1);
      EXPECT_LT(glm::distance(v, near), 0.01 * glm::length(near))
          << substeps << " substeps, " << height << " m";
    }
  }
}

/// Without forces, objects rest or keep moving uniformly. The remaining error is the rounding of lengths,
/// 6e-8 of a tenth of a metre, over h.
TEST(Height, WhatIsFreeRestsOrDrifts) {
  for (const Kind kind : kinds)
    for (const int substeps : substep_counts)
      for (const double height : {0.0, 1000.0})
        for (const double speed : {0.0, 1.0}) {
          if (kind == Kind::fluid) continue;  // its lattice relaxes
          ObjectDesc object = matter(kind, height);
          object.velocity = {speed, 0.0, 0.0};
          Rig rig(scene_of({object}, substeps, 0.0));
          rig.run(120);
          const double rounding = 6e-8 * 0.1 * 60.0 * substeps;
          EXPECT_LT(glm::distance(mean_velocity(rig.world, 0), {speed, 0.0, 0.0}), 1e-5)
              << "kind " << int(kind) << ", " << substeps << " substeps, " << height << " m";
          EXPECT_LT(std::abs(fastest(rig.world) - speed), 1e-6 + 4.0 * rounding)
              << "kind " << int(kind) << ", " << substeps << " substeps, " << height << " m";
        }
}

}}}}  // namespace limber::LIMBER_PRECISION::height_test
