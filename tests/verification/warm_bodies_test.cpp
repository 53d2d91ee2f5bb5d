// Rigid bodies with one temperature each: exchange with air, contacts, particles and brushes, by heat
// balance.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/body_extent.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace warm_bodies_test { namespace {

SceneDesc still_scene() {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 2;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.heat->enabled = true;
  scene.heat->exchange = 0.0;
  return scene;
}

BodyDesc block(const std::string& name, const glm::dvec3& half, const glm::dvec3& at, double temperature) {
  BodyDesc body;
  body.name = name;
  body.shape = BodyShape::box;
  body.half_extents = half;
  body.pose.position = at;
  body.temperature = temperature;
  body.conductivity = 50.0;
  body.heat_capacity = 500.0;
  body.density = 2000.0;
  return body;
}

double content(const World& world) { return measure(world).heat; }

TEST(WarmBodies, HaveTheVolumeAndTheSurfaceOfTheirShape) {
  SceneDesc scene = still_scene();
  scene.bodies = {block("box", {0.1, 0.2, 0.3}, {0, 0, 0}, 80.0)};
  BodyDesc capsule = block("capsule", glm::dvec3(0.1), {1, 0, 0}, 80.0);
  capsule.shape = BodyShape::capsule;
  capsule.radius = 0.1, capsule.half_length = 0.2;
  scene.bodies.push_back(capsule);
  const Rig rig(scene);
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(extent_of_body(rig.world, 0).volume, 0.048, 1e-8);
  EXPECT_NEAR(extent_of_body(rig.world, 0).surface, 0.88, 1e-7);
  EXPECT_NEAR(extent_of_body(rig.world, 1).volume, pi * 0.01 * 0.4 + 4.0 / 3.0 * pi * 0.001, 1e-8);
  EXPECT_NEAR(extent_of_body(rig.world, 1).surface, 2.0 * pi * 0.1 * 0.4 + 4.0 * pi * 0.01, 1e-7);
}

/// In the air T - T_air falls as exp(-G t / (m c)), with 1/G = (1/h + depth/k) / A.
TEST(WarmBodies, CoolInTheAirAsNewtonSays) {
  SceneDesc scene = still_scene();
  scene.heat->exchange = 20.0;
  scene.bodies = {block("box", glm::dvec3(0.1), {0, 0, 0}, 80.0)};
  const double area = 0.24, depth = 0.008 / area, each = area / (1.0 / 20.0 + depth / 50.0);
  const double rate = each / (2000.0 * 0.008 * 500.0);
  scene.heat->speed = 1.0 / rate;
  Rig rig(scene);
  const double before = content(rig.world);
  rig.run(60);
  const double left = (rig.world.heat->body[0] - 20.0) / 60.0;
  std::printf("  %.5f of exp(-1)\n", left / std::exp(-1.0));
  EXPECT_NEAR(left / std::exp(-1.0), 1.0, 0.01);
  EXPECT_NEAR((before + rig.world.heat->supplied) / content(rig.world), 1.0, 1e-12);
}

/// Two that lie on each other come to one temperature, and a sleeping pair goes on exchanging.
TEST(WarmBodies, ExchangeWithEachOtherOverTheFaceBetweenThem) {
  SceneDesc scene = still_scene();
  scene.solver.motion->gravity = glm::dvec3(0.0, -9.81, 0.0);
  scene.heat->contact = 1000.0;
  scene.bodies = {block("below", glm::dvec3(0.1), {0, 0.1, 0}, 0.0),
                  block("above", glm::dvec3(0.1), {0, 0.3, 0}, 100.0)};
  ColliderDesc& ground = scene.colliders.emplace_back();
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  Rig rig(scene);
  rig.run(30);  // until they lie
  rig.world.heat->body = {0.0, 100.0};
  const double before = content(rig.world);
  const double face = 0.04, depth = 0.1 / 3.0, conductance = face / (1.0 / 1000.0 + 2.0 * depth / 50.0);
  rig.world.settings.heat->speed = 0.5 * 2000.0 * 0.008 * 500.0 / conductance;  // the difference halves by e
  rig.run(60);
  const double difference = rig.world.heat->body[1] - rig.world.heat->body[0];
  std::printf("  difference %.3f K, right %.3f\n", difference, 100.0 * std::exp(-1.0));
  EXPECT_NEAR(difference, 100.0 * std::exp(-1.0), 1.5);
  EXPECT_NEAR(content(rig.world) / before, 1.0, 1e-12);
}

/// A hot block in the middle of cold particles: what they win it loses.
SceneDesc dipped() {
  SceneDesc scene = still_scene();
  scene.heat->speed = 3000.0;
  ObjectDesc water;
  water.name = "water";
  water.type = ObjectType::fluid;
  water.fluid->extent = glm::dvec3(0.4);
  water.temperature = 10.0;
  water.material->conductivity = 0.6;
  water.material->heat_capacity = 4190.0;
  scene.objects = {water};
  scene.bodies = {block("iron", glm::dvec3(0.08), {0, 0, 0}, 300.0)};
  return scene;
}

TEST(WarmBodies, GiveToParticlesWhatTheyLose) {
  Rig rig(dipped());
  rig.run(1);  // what lies inside the block has left
  const double before = content(rig.world), hot = rig.world.heat->body[0];
  rig.run(60);
  const Measures m = measure(rig.world);
  std::printf("  body %.2f C, mean %.2f C, energy off by %.1e\n", rig.world.heat->body[0], m.temperature.mean,
              std::abs(m.heat / before - 1.0));
  EXPECT_LT(rig.world.heat->body[0], 0.7 * hot);
  EXPECT_NEAR(m.heat / before, 1.0, 1e-12);
  EXPECT_EQ(m.heat_supplied, 0.0);
}

TEST(WarmBodies, AreTheSameBitsOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(dipped(), threads);
    rig.run(12);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

/// One that nothing moves is a reservoir: it keeps its temperature, and what it gives is counted.
TEST(WarmBodies, KeepTheirTemperatureWhereTheyAreFixed) {
  SceneDesc scene = dipped();
  scene.bodies[0].fixed = true;
  Rig rig(scene);
  rig.run(1);
  const double before = content(rig.world), supplied = rig.world.heat->supplied;
  rig.run(20);
  EXPECT_EQ(rig.world.heat->body[0], 300.0);
  const double won = content(rig.world) - before;
  EXPECT_GT(won, 0.0);
  EXPECT_NEAR((rig.world.heat->supplied - supplied) / won, 1.0, 1e-9);
}

TEST(WarmBodies, OfNoTemperatureExchangeNothing) {
  SceneDesc scene = dipped();
  scene.bodies[0].temperature = no_temperature;
  Rig rig(scene);
  rig.run(5);
  EXPECT_TRUE(rig.world.heat->body.empty());
  EXPECT_NEAR(measure(rig.world).temperature.max, 10.0, 1e-9);
}

/// The brush gives what it says, in its ring alone, and it is counted.
TEST(HeatBrush, WarmsWhatIsWithinItsRadius) {
  Rig rig(dipped());
  const double before = content(rig.world), hot = rig.world.heat->body[0];
  const glm::dvec3 corner(0.19);
  EXPECT_TRUE(brush_heat(rig.world, corner, 0.1, 40.0));
  EXPECT_NEAR((before + rig.world.heat->supplied) / content(rig.world), 1.0, 1e-12);
  EXPECT_GT(rig.world.heat->supplied, 0.0);
  EXPECT_EQ(rig.world.heat->body[0], hot);
  int warmer = 0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const double away = glm::distance(place_of(rig.world.particles, i), corner);
    const double won = rig.world.heat->temperature[i] - 10.0;
    if (!(rig.world.particles.inverse_mass[i] > real(0))) continue;
    EXPECT_NEAR(won, away < 0.1 ? 40.0 * (1.0 - away * away / 0.01) : 0.0, 1e-4);
    warmer += won > 0.0;
  }
  EXPECT_GT(warmer, 5);
  brush_heat(rig.world, corner, 0.1, -4000.0);  // nothing is colder than can be
  for (const double degrees : rig.world.heat->temperature) EXPECT_GE(degrees, -273.15);
  EXPECT_TRUE(brush_heat(rig.world, glm::dvec3(0.08, 0, 0), 0.02, 40.0));
  EXPECT_GT(rig.world.heat->body[0], hot);
  EXPECT_FALSE(brush_heat(rig.world, glm::dvec3(3.0), 0.1, 40.0));
}

}}}}  // namespace limber::LIMBER_PRECISION::warm_bodies_test
