// Soft solids through the Simulation interface: a restart undoes plastic flow, snapshots contain it, and so
// does the state hash.
#include <gtest/gtest.h>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/source_folder.hpp"

namespace limber::soft_solids_test { namespace {

/// A bar of clay that is thrown onto the ground.
SceneDesc thrown_clay() {
  SceneDesc scene;
  scene.name = "clay";
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.step->substeps = 4;
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::solid;
  bar.mesh = test::source("assets/bar.obj");
  bar.density = 500.0;
  bar.pose.position = {0.0, 0.3, 0.0};
  bar.velocity = {0.0, -4.0, 0.0};
  bar.solid->cluster_size = 0.2;
  bar.solid->youngs_modulus = 2e4;
  bar.solid->yield = 0.01;
  bar.solid->creep = 100.0;
  scene.objects = {bar};
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  return scene;
}

std::uint64_t after(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) EXPECT_FALSE(simulation.step().nonfinite);
  return simulation.state_hash();
}

TEST(SoftSolids, ARestartGivesTheFirstShapeBackAndASnapshotTheFlowedOne) {
  const auto made = make_simulation(thrown_clay(), {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(made) << made.error().text();
  Simulation& simulation = **made;
  const std::uint64_t halfway = after(simulation, 15);
  EXPECT_GT(simulation.measure().plastic_strain_max, 0.02) << "it has to flow";
  const auto saved = simulation.save();
  const std::uint64_t end = after(simulation, 15);
  ASSERT_TRUE(simulation.restore(saved));
  EXPECT_EQ(simulation.state_hash(), halfway);
  EXPECT_EQ(after(simulation, 15), end);
  simulation.restart();
  EXPECT_EQ(simulation.measure().plastic_strain_max, 0.0);
  EXPECT_EQ(after(simulation, 30), end);
  const auto twin = simulation.clone();
  EXPECT_EQ(after(*twin, 5), after(simulation, 5));
}

/// Goals that follow the linear deformation approach the turned shape in every substep, so they never drive
/// flattened clusters apart. A bar that fell for 1.5 m had 5.4 m/s.
TEST(SoftSolids, NeverGainSpeedWhereGoalsFollowTheDeformation) {
  for (const double linear : {0.5, 0.9, 1.0})
    for (const int substeps : {1, 6}) {
      SceneDesc scene = thrown_clay();
      scene.solver.step->substeps = substeps;
      scene.objects[0].velocity = {0.0, 0.0, 0.0};
      scene.objects[0].pose.position.y = 1.5;
      scene.objects[0].solid->youngs_modulus = scene.objects[0].solid->yield = 0.0;
      scene.objects[0].solid->linear = linear;
      scene.objects[0].solid->stiffness = 0.3;
      const auto made = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
      ASSERT_TRUE(made) << made.error().text();
      after(**made, 120);
      EXPECT_LT((*made)->measure().mean_speed, 1.0) << linear << ' ' << substeps;
    }
}

/// Numbers of the matter can change while it runs, and invalid scenes are refused in one line.
TEST(SoftSolids, TakeNewNumbersWhileTheyRun) {
  const auto made = make_simulation(thrown_clay(), {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(made) << made.error().text();
  Simulation& simulation = **made;
  ASSERT_TRUE(simulation.submit(SetValue{"objects.bar.yield", 0.0}));
  after(simulation, 20);
  EXPECT_EQ(simulation.measure().plastic_strain_max, 0.0) << "a yield of 0 is none";
  EXPECT_FALSE(simulation.submit(SetValue{"objects.bar.youngs_modulus", -1.0}));
}

}}  // namespace limber::soft_solids_test
