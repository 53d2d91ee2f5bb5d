// Implicit viscosity: the quantities that it conserves, and that its effect equals the given viscosity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace thick_fluid_test { namespace {

constexpr bool in_double = sizeof(real) == 8;

/// A block of 1,000 particles, far above the bound of an explicit step (18 Pa s here).
SceneDesc drop(double viscosity) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.01;
  scene.solver.step->substeps = 4;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc object;
  object.name = "goo";
  object.type = ObjectType::fluid;
  object.fluid->extent = glm::dvec3(0.2);
  object.material->viscosity = viscosity;
  scene.objects = {object};
  return scene;
}

TEST(ThickFluid, KeepsMomentumWhereNothingTouchesIt) {
  for (const double viscosity : {300.0, 1e5}) {
    SceneDesc scene = drop(viscosity);
    scene.objects[0].velocity = {0.3, -0.1, 0.2};
    scene.objects[0].angular_velocity = {0, 0, 300};
    Rig rig(scene);
    const double mass = 8.0, scale = mass * 0.374;
    glm::dvec3 before = measure(rig.world).momentum;
    double worst = 0.0;
    int sweeps = 0;
    for (int f = 0; f < 30; ++f) {
      const StepReport report = rig.step();
      sweeps += report.viscosity_sweeps;
      EXPECT_LE(report.viscosity_residual, 1.01e-4) << viscosity;
      const glm::dvec3 now = measure(rig.world).momentum;
      worst = std::max(worst, glm::length(now - before) / scale);
      before = now;
    }
    EXPECT_GT(sweeps, 0);
    std::printf("  %g Pa s: momentum off by %.1e a frame\n", viscosity, worst);
    EXPECT_LT(worst, in_double ? 1e-12 : 1e-5) << viscosity;
  }
}

/// However viscous, what is free falls like a stone.
TEST(ThickFluid, FallsFreely) {
  SceneDesc scene = drop(1e5);
  scene.solver.motion->gravity = glm::dvec3(0.0, -9.81, 0.0);
  Rig rig(scene);
  rig.run(30);
  EXPECT_NEAR(mean_velocity(rig.world, 0).y, -9.81 * 0.5, 1e-3);
}

/// Shear dies away at the rate that the viscosity says: half a layer slides over the other half. The more
/// viscous, the sooner; explicit steps left 100 and 1,000 Pa s alike.
TEST(ThickFluid, StopsShearTheSoonerTheMoreViscousItIs) {
  double last = 1e9;
  for (const double viscosity : {10.0, 100.0, 1000.0, 1e5}) {
    Rig rig(drop(viscosity));
    for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
      rig.world.particles.velocity[i].x = place_of(rig.world.particles, i).y > 0.0 ? real(0.1) : real(-0.1);
    rig.run(1);
    const double left = measure(rig.world).kinetic_energy;
    std::printf("  %g Pa s: %.3e J are left\n", viscosity, left);
    EXPECT_LT(left, 0.6 * last) << viscosity;
    last = left;
  }
}

TEST(ThickFluid, IsTheSameBitsOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    SceneDesc scene = drop(2000.0);
    scene.solver.motion->gravity = glm::dvec3(0.0, -9.81, 0.0);
    scene.objects[0].pose.position.y = 0.11;
    ColliderDesc& ground = scene.colliders.emplace_back();
    ground.name = "ground";
    ground.shape = ColliderShape::plane;
    Rig rig(scene, threads);
    rig.run(8);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::thick_fluid_test
