// Thin rods in fluids: buoyancy, drag and momenta.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/fluids/fluid_rods.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace fluid_rods_test { namespace {

constexpr double pi = 3.14159265358979323846, g = 9.81;
constexpr double particle = 0.03, thick = 0.004, water = 1000.0;
constexpr bool in_double = sizeof(real) == 8;

/// A wire of 4 mm and 0.5 m along x around `middle`.
ObjectDesc wire(const glm::dvec3& middle, double density) {
  ObjectDesc rod;
  rod.name = "wire";
  rod.type = ObjectType::rod;
  rod.pose.position = middle - glm::dvec3(0.25, 0, 0);
  rod.density = density;
  rod.rod->length = 0.5, rod.rod->segments = 20, rod.rod->radius = 0.5 * thick;
  rod.rod->first_end = rod.rod->last_end = RodEnd::free;
  rod.material->youngs_modulus = 1e9;
  rod.material->friction = 0.0;
  return rod;
}

/// A block of water at rest with a wire in it, without gravity.
SceneDesc block(double density) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = particle;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.objects = {water_block({1.2, 0.48, 0.48}, {0, 0, 0}), wire({0.011, 0.007, -0.004}, density)};
  return scene;
}

/// One call of FluidRods for a substep of h s.
void act(Rig& rig, double h) {
  const auto kernel = FluidKernel<real>::of_radius(particle);
  NeighbourSearch grid;
  FluidRods rods;
  const auto& members = rig.world.topology->fluid.members;
  grid.reserve(members.size());
  rods.reserve(rig.world);
  ASSERT_TRUE(FluidRods::enabled(rig.world));
  const Swarm everywhere = Swarm::everywhere(kernel.support);
  rig.pool.run([&](Team& team) {
    grid.arrange(members, rig.world.particles.position, {}, {{&everywhere, 1}, {}}, team);
    rods.act(rig.world, {&grid, real(0), kernel, real(h)}, nullptr, team);
  });
}

vec4& velocity(Rig& rig, std::int32_t i) { return rig.world.particles.velocity[std::size_t(i)]; }

/// A wire that moves through still water, along and across itself, from slow to far too fast for the substep.
TEST(FluidRods, KeepMomentaAndAddNoEnergy) {
  for (const double speed : {0.1, 3.0, 1000.0})
    for (const double h : {0.001, 0.1}) {
      Rig rig(block(1500.0));
      const ParticleRange points = rig.world.topology->objects[1];
      for (std::int32_t i = points.first; i < points.end(); ++i)
        velocity(rig, i) = vec4(real(0.5 * speed), real(-speed), real(0.3 * speed * std::sin(i)), 0);
      const Measures before = measure(rig.world);
      act(rig, h);
      const Measures after = measure(rig.world);
      const double bound = in_double ? 1e-13 : 1e-5, scale = glm::length(before.momentum);
      EXPECT_LT(glm::distance(after.momentum, before.momentum), bound * scale) << speed << " " << h;
      EXPECT_LT(glm::distance(after.angular_momentum, before.angular_momentum), bound * scale) << speed;
      const double kinetic_before = before.kinetic_energy, kinetic = after.kinetic_energy;
      EXPECT_LT(kinetic, kinetic_before) << speed << " " << h;
      EXPECT_GT(kinetic, 0.0);
    }
}

/// The impulse on a wire at rest in still water is rho V g h; less the part that drag takes, which is of
/// second order.
TEST(FluidRods, AreLiftedByTheWeightOfTheirWater) {
  SceneDesc scene = block(1500.0);
  scene.solver.motion->gravity = {0, -g, 0};
  Rig rig(scene);
  constexpr double h = 1e-4;
  act(rig, h);
  const ParticleRange points = rig.world.topology->objects[1];
  double lift = 0.0, fluid = 0.0;
  for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
    const std::size_t k = std::size_t(i);
    if (!(rig.world.particles.position[k].w > real(0))) continue;
    const double up = double(rig.world.particles.velocity[k].y / rig.world.particles.position[k].w);
    (i >= points.first && i < points.end() ? lift : fluid) += up;
  }
  const double expected = water * 0.25 * pi * thick * thick * 0.5 * g * h;
  EXPECT_NEAR(lift / expected, 1.0, 0.02);  // kernels sum to 1 within 2 % on a lattice
  EXPECT_NEAR(fluid / expected, -lift / expected, in_double ? 1e-12 : 1e-4);
}

SceneDesc tank(double density, double depth, double height, int substeps) {
  SceneDesc scene = basin(particle, {-0.36, 0, -0.24}, {0.72, depth, 0.48}, 0.72);
  scene.solver.step->substeps = substeps;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = 0.0;
  scene.objects.push_back(wire({0, height, 0}, density));
  return scene;
}

double height_of(const Rig& rig) {
  const ParticleRange points = rig.world.topology->objects[1];
  double sum = 0.0;
  for (std::int32_t i = points.first; i < points.end(); ++i)
    sum += double(rig.world.particles.position[std::size_t(i)].y);
  return sum / double(points.end() - points.first);
}

/// (rho_s - rho) g pi D/4 = rho C_n v^2/2 with C_n = 1. The fluid around the wire is dragged along, so the
/// wire is a little faster than that.
TEST(FluidRods, SinkWithTheSpeedOfTheirDrag) {
  for (const int substeps : {4, 8, 24}) {
    Rig rig(tank(7850.0, 0.9, 0.8, substeps));
    const double expected = std::sqrt((7850.0 - water) * g * pi * thick / (2.0 * water));
    while (height_of(rig) > 0.65) rig.run(1);
    const double from = height_of(rig);
    rig.run(30);
    const double speed = (from - height_of(rig)) / 0.5;
    std::printf("          %d substeps: %.3f of %.3f m/s\n", substeps, speed / expected, expected);
    EXPECT_NEAR(speed / expected, 1.0, 0.15) << substeps;
  }
}

/// A cork line rises to the surface and floats in it; a wire of steel lies on the ground.
TEST(FluidRods, FloatOrSink) {
  Rig cork(tank(240.0, 0.36, 0.1, 8)), steel(tank(7850.0, 0.36, 0.3, 8));
  cork.run(180), steel.run(180);
  EXPECT_NEAR(height_of(cork), 0.36, particle);
  EXPECT_NEAR(height_of(steel), 0.5 * thick, 0.002);
  EXPECT_LT(measure(cork.world).mean_speed, 0.1);
}

TEST(FluidRods, HaveTheSameBitsForAnyThreads) {
  std::uint64_t expected = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(tank(3000.0, 0.36, 0.3, 6), threads);
    rig.run(20);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) expected = hash;
    EXPECT_EQ(hash, expected) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::fluid_rods_test
