// Fluids through the public face: the same bits for any threads and lanes, snapshots, what files can say
// wrongly.
#include <gtest/gtest.h>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/body_desc.hpp"
#include "engine/scene/collider_desc.hpp"
#include "engine/scene/object_desc.hpp"
#include "engine/scene/scene_desc.hpp"
#include "engine/scene/scene_reader.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"

namespace limber::fluid_test {
namespace {

/// A block of water that falls into a basin, with a ball.
SceneDesc splash() {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.step->substeps = 4;
  scene.solver.step->iterations = 2;
  ObjectDesc water;
  water.name = "water";
  water.type = ObjectType::fluid;
  water.fluid.extent = {0.5, 0.3, 0.4};
  water.pose.position = {0, 0.2, 0};
  water.jitter = 0.005;
  water.material->surface_tension = 1.0;
  water.material->vorticity = 0.1;
  water.material->viscosity = 1.0;
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

}  // namespace
}  // namespace limber::fluid_test
