// Fluids through the Simulation interface: equal bits for any threads and lanes, snapshots, errors in files.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <glm/geometric.hpp>
#include <span>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"

namespace limber::fluid_test { namespace {

/// A block of water that falls into a basin, with a ball.
SceneDesc splash() {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.step->substeps = 4;
  scene.solver.step->iterations = 2;
  ObjectDesc water;
  water.name = "water";
  water.type = ObjectType::fluid;
  water.fluid->extent = {0.5, 0.3, 0.4};
  water.pose.position = {0, 0.2, 0};
  water.jitter = 0.005;
  water.material->surface_tension = 1.0;
  water.material->vorticity = 0.1;
  water.material->viscosity = 1.0;
  water.material->adhesion = 5.0;
  water.material->spray = 100.0;
  ColliderDesc ground, wall;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  wall.name = "wall";
  wall.shape = ColliderShape::box;
  wall.pose.position = {0.5, 0.5, 0};
  wall.half_extents = {0.1, 0.5, 1};
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = 0.08;
  ball.pose.position = {0, 0.5, 0};
  scene.objects = {water};
  scene.colliders = {ground, wall};
  scene.bodies = {ball};
  return scene;
}

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 1, Simd simd = Simd::automatic) {
  RunOptions options;
  options.threads = threads;
  options.simd = simd;
  return std::move(*make_simulation(scene, options));
}

TEST(Fluid, HasTheSameBitsForAnyThreadsAndLanes) {
  test::expect_same_bits([](int threads, Simd simd) {
    const auto simulation = start(splash(), threads, simd);
    for (int f = 0; f < 8; ++f) simulation->step();
    return simulation->state_hash();
  });
}

TEST(Fluid, ASnapshotGoesOnAsItDid) {
  const auto simulation = start(splash());
  for (int f = 0; f < 3; ++f) simulation->step();
  const auto saved = simulation->save();
  for (int f = 0; f < 3; ++f) simulation->step();
  const std::uint64_t first = simulation->state_hash();
  ASSERT_TRUE(simulation->restore(saved));
  for (int f = 0; f < 3; ++f) simulation->step();
  EXPECT_EQ(simulation->state_hash(), first);
}

TEST(Fluid, FoamHasTheSameBitsForAnyThreads) {
  SceneDesc scene = splash();
  scene.objects[0].velocity = {3, -4, 0};
  std::vector<glm::vec3> one, other;
  for (const int threads : test::thread_counts()) {
    const auto simulation = start(scene, threads);
    for (int f = 0; f < 8; ++f) simulation->step();
    simulation->read(reading::Spray{threads == 1 ? one : other});
    ASSERT_FALSE(one.empty());
    if (threads > 1) {
      EXPECT_EQ(one, other) << threads;
    }
  }
}

TEST(Fluid, SprayStaysOutOfBodies) {
  SceneDesc scene = splash();
  scene.objects[0].velocity = {3, -4, 0};
  scene.bodies[0].radius = 0.15;
  const auto simulation = start(scene);
  std::vector<glm::vec3> spray;
  std::vector<BodyPose> bodies(1);
  int near = 0;
  for (int f = 0; f < 20; ++f) {
    simulation->step();
    simulation->read(reading::Spray{spray});
    simulation->read(reading::Bodies{bodies});
    for (const glm::vec3& x : spray) {
      const double distance = glm::distance(glm::dvec3(x), glm::dvec3(bodies[0].position));
      EXPECT_GT(distance, 0.15 - 1e-5) << f;
      near += distance < 0.2 ? 1 : 0;
    }
  }
  EXPECT_GT(near, 0);
}

/// The measures of a shipped scene after its frames, with these changes of its settings.
Measures measured(const char* name, int frames, const std::function<void(SceneDesc&)>& change) {
  Expected<SceneDesc> scene =
      read_scene(test::source("scenes/") + std::string(name) + ".json", test::source("assets"));
  EXPECT_TRUE(scene) << scene.error().text();
  change(*scene);
  const auto simulation = start(*scene);
  for (int f = 0; f < frames; ++f) simulation->step();
  return simulation->measure();
}

/// The bound of the scene lies between both values, so the scene's check would fail without the shown effect.
TEST(Fluid, TheTwoSidedLawClumpsWithoutArtificialPressure) {
  const double clumped = measured("clumping", 120, [](SceneDesc&) {}).fluid_gap;
  const double apart =
      measured("clumping", 120, [](SceneDesc& scene) { scene.solver.fluid->s_corr_k = 0.01; }).fluid_gap;
  const double one_sided = measured("clumping", 120, [](SceneDesc& scene) {
                             scene.solver.fluid->density_law = DensityLaw::one_sided;
                           }).fluid_gap;
  std::printf("          gap %.3f, with s_corr %.3f, one-sided %.3f\n", clumped, apart, one_sided);
  EXPECT_LT(clumped, 0.4);
  EXPECT_GT(apart, 0.6);
  EXPECT_GT(one_sided, 0.7);
}

TEST(Fluid, ConfinementKeepsWhirls) {
  const double with = measured("vortex", 90, [](SceneDesc&) {}).kinetic_energy;
  const double without = measured("vortex", 90, [](SceneDesc& scene) {
                           for (ObjectDesc& object : scene.objects) object.material->vorticity = 0.0;
                         }).kinetic_energy;
  std::printf("          %.2f J, without %.2f J\n", with, without);
  EXPECT_GT(with, 1.3 * without);
}

/// The state after a few frames with that viscosity and xsph.
std::uint64_t hash_with(double viscosity, double xsph) {
  SceneDesc scene = splash();
  scene.objects[0].material->viscosity = viscosity;
  scene.objects[0].material->xsph = xsph;
  const auto simulation = start(scene);
  for (int f = 0; f < 3; ++f) simulation->step();
  return simulation->state_hash();
}

TEST(Fluid, AViscosityReplacesXsphAndXsphIsToldAsOne) {
  EXPECT_EQ(hash_with(1.0, 0.05), hash_with(1.0, 0.4));
  EXPECT_NE(hash_with(0.0, 0.05), hash_with(0.0, 0.4));
  SceneDesc scene = splash();
  EXPECT_TRUE(start(scene)->model()->facts.empty());
  scene.objects[0].material->viscosity = 0.0;
  scene.objects[0].material->xsph = 0.05;
  // rho c H^2 / (22 h): 1000 * 0.05 * 0.12^2 * 240 / 22
  const auto simulation = start(scene);
  ASSERT_EQ(simulation->model()->facts.size(), 1u);
  EXPECT_EQ(simulation->model()->facts[0],
            "water: xsph 0.05 acts as a viscosity of 7.9 Pa s; give a material.viscosity to choose it");
}

/// A number of a row's range, often an end of it.
Value any_value(const Field& field, std::uint64_t seed, std::uint64_t number) {
  const double x = 0.5 + 0.5 * random_signed(seed, number);
  const double share = x < 0.2 ? 0.0 : x > 0.8 ? 1.0 : (x - 0.2) / 0.6;
  const double least = field.min > 0.0 ? field.min : 1e-4 * field.max;
  const double value = field.scale == Scale::logarithmic && share > 0.0
                           ? least * std::pow(field.max / least, share)
                           : field.min + share * (field.max - field.min);
  return value;
}

TEST(Fluid, RandomSettingsKeepItFinite) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SceneDesc scene = splash();
    ObjectDesc& water = scene.objects[0];
    const auto pick = [&](std::uint64_t number, double low, double high) {
      return low + (0.5 + 0.5 * random_signed(seed, number)) * (high - low);
    };
    water.fluid->extent = {0.25, 0.2, 0.2};
    water.fluid->rest_density = std::pow(10.0, pick(1, 0.0, 4.3));
    water.velocity = {pick(2, -30, 30), pick(3, -30, 30), pick(4, -30, 30)};
    scene.bodies[0].density = std::pow(10.0, pick(5, 0.0, 4.3));
    scene.solver.step->substeps = int(pick(6, 1, 9));
    scene.solver.step->iterations = int(pick(7, 1, 6));
    scene.solver.contact->particle_radius = pick(8, 0.02, 0.08);
    std::uint64_t number = 100;
    for (const Field& field : material_fields())
      if (field.part == material_part::fluid && field.kind == Field::Kind::number) {
        ASSERT_TRUE(set(field, &*water.material, any_value(field, seed, number++)));
      }
    const auto simulation = start(scene);
    for (int f = 0; f < 6; ++f) simulation->step();
    EXPECT_EQ(simulation->measure().nonfinite, 0) << seed;
    std::vector<glm::dvec3> at(simulation->model()->vertex_count);
    simulation->read(reading::Positions{std::span(at)});
    for (const glm::dvec3& x : at) ASSERT_LT(glm::length(x), 1e3) << seed;
  }
}

}}  // namespace limber::fluid_test
