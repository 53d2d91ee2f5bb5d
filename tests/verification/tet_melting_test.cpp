// Tetrahedra that melt into particles of a fluid: mass, centre of mass, momentum and energy are kept.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/heat/tet_melting.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace tet_melting_test { namespace {

constexpr double rounding = sizeof(real) == 8 ? 1e-12 : 3e-5;

void can_melt(ObjectDesc& object) {
  object.material->melts = true;
  object.material->solidus = 40.0, object.material->liquidus = 45.0;
  object.material->latent_heat = 2e5;
  object.material->conductivity = 0.5, object.material->heat_capacity = 2000.0;
}

/// A block of 0.3 m x 0.2 m x 0.2 m that turns and flies, and the fluid that it becomes.
SceneDesc jelly_scene() {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.015;
  scene.solver.step->substeps = 4;
  scene.solver.motion->gravity = glm::dvec3(0.0), scene.solver.motion->damping = 0.0;
  scene.heat->enabled = true, scene.heat->exchange = 0.0;
  ObjectDesc& jelly = scene.objects.emplace_back();
  jelly.name = "jelly", jelly.type = ObjectType::tets;
  jelly.tets->shape = TetShape::bar;
  jelly.tets->cells = {3, 2, 2}, jelly.tets->dimensions = {0.3, 0.2, 0.2};
  jelly.density = 900.0, jelly.temperature = 38.0;
  jelly.pose.position = {0.3, 1.0, -0.2}, jelly.pose.rotation_degrees = {10.0, 20.0, 30.0};
  jelly.velocity = {1.0, 0.5, -0.25}, jelly.angular_velocity = {0.0, 90.0, 40.0};
  jelly.material->youngs_modulus = 2e4;
  can_melt(jelly);
  ObjectDesc& melt = scene.objects.emplace_back();
  melt.name = "melt", melt.type = ObjectType::fluid;
  melt.fluid->melt_of = "jelly", melt.fluid->rest_density = 900.0;
  can_melt(melt);
  return scene;
}

struct Rigged : Rig {
  explicit Rigged(const SceneDesc& scene, int threads = 1) : Rig(scene, threads) {
    adopt_tear_room(world, with_tear_room(world));
    refresh_softness(world);
    world.changes.add(Change::everything);
  }
};

struct Totals {
  double mass = 0.0, heat = 0.0, kinetic = 0.0;
  glm::dvec3 place{0.0}, momentum{0.0};
  std::int64_t there = 0;
};
Totals totals(const World& world) {
  Totals out;
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i) {
    const double w = double(world.particles.inverse_mass[i]);
    if (!(w > 0.0) || is_parked(world.topology->fluid, world.matter.fluid, std::int32_t(i)) ||
        world.topology->internal_to_external[i] < 0)
      continue;
    const glm::dvec3 v(world.particles.velocity[i]);
    out.mass += 1.0 / w, out.heat += world.heat->enthalpy[i] / w, out.kinetic += 0.5 / w * glm::dot(v, v);
    out.place += place_of(world.particles, i) / w, out.momentum += v / w, ++out.there;
  }
  return out;
}

/// Warms the half of the block with x < 0.3 m.
void warm_half(World& world, double degrees) {
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i)
    if (place_of(world.particles, i).x < 0.3 && world.topology->internal_to_external[i] >= 0 &&
        !world.topology->fluid.takes_part(std::int32_t(i)))
      world.heat->enthalpy[i] += 2000.0 * degrees + 2e5;
}

TEST(TetMelting, KeepsMassMomentumAndEnergy) {
  Rigged rig(jelly_scene());
  ASSERT_GT(rig.world.heat->mesh->melts.size(), 30u);
  rig.run(3);
  const std::size_t tets = rig.world.topology->tets.size();
  const std::size_t triangles = rig.world.topology->triangles.size();
  warm_half(rig.world, 20.0);
  const Totals before = totals(rig.world);
  const double energy_before = before.heat + before.kinetic + measure(rig.world).elastic_energy;
  ASSERT_TRUE(melt_tets(rig.world));
  const Totals after = totals(rig.world);
  const double energy_after = after.heat + after.kinetic + measure(rig.world).elastic_energy;
  EXPECT_LT(rig.world.topology->tets.size(), tets);
  EXPECT_GT(rig.world.topology->tets.size(), 0u);
  EXPECT_NE(rig.world.topology->triangles.size(), triangles);
  EXPECT_NEAR(after.mass / before.mass, 1.0, rounding);
  EXPECT_NEAR(energy_after / energy_before, 1.0, rounding);
  EXPECT_LT(glm::length(after.momentum - before.momentum), rounding * glm::length(before.momentum));
  EXPECT_LT(glm::length(after.place - before.place), rounding * glm::length(before.place));
  EXPECT_NEAR(before.mass, 900.0 * 0.3 * 0.2 * 0.2, 1e-4);
}

TEST(TetMelting, KeepsMomentumWhileItFlies) {
  Rigged rig(jelly_scene());
  rig.run(3);
  const Totals before = totals(rig.world);
  warm_half(rig.world, 20.0);
  rig.run(30);
  const Totals after = totals(rig.world);
  EXPECT_GT(rig.world.heat->changes, 20);
  EXPECT_NEAR(after.mass / before.mass, 1.0, rounding);
  EXPECT_LT(glm::length(after.momentum - before.momentum), 30.0 * rounding * glm::length(before.momentum));
}

TEST(TetMelting, MeltsAltogetherAndLeavesNoVertex) {
  Rigged rig(jelly_scene());
  rig.run(1);
  warm_half(rig.world, 20.0);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    if (place_of(rig.world.particles, i).x >= 0.3) rig.world.heat->enthalpy[i] += 2000.0 * 20.0 + 2e5;
  const Totals before = totals(rig.world);
  ASSERT_TRUE(melt_tets(rig.world));
  rig.world.changes.add(Change::everything);
  EXPECT_TRUE(rig.world.topology->tets.empty());
  EXPECT_TRUE(rig.world.topology->triangles.empty());
  const Totals after = totals(rig.world);
  EXPECT_NEAR(after.mass / before.mass, 1.0, rounding);
  EXPECT_EQ(after.there, std::int64_t(rig.world.heat->mesh->drops.size()));
  rig.run(10);
  EXPECT_NEAR(totals(rig.world).mass / before.mass, 1.0, rounding);
  EXPECT_FALSE(melt_tets(rig.world));
}

TEST(TetMelting, HasTheSameBitsForAnyThreads) {
  const auto hash = [](int threads) {
    SceneDesc scene = jelly_scene();
    scene.solver.motion->gravity = {0, -9.81, 0};
    scene.heat->speed = 500.0;
    ColliderDesc& plate = scene.colliders.emplace_back();
    plate.name = "plate", plate.shape = ColliderShape::plane, plate.temperature = 300.0;
    plate.pose.position = {0, 0.8, 0};
    Rigged rig(scene, threads);
    rig.run(20);
    EXPECT_GT(rig.world.heat->changes, 0);
    return world_hash(rig.world);
  };
  const auto one = hash(1);
  EXPECT_EQ(hash(2), one);
  EXPECT_EQ(hash(3), one);
}

}}}}  // namespace limber::LIMBER_PRECISION::tet_melting_test
