// Cloth that is also a soft body of clusters: it keeps its shape, its momenta and, where it tears, its
// masses. The energy of clusters, and their heat map.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/heat_map.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace stiff_cloth_test { namespace {

using free_spin::weightless;

constexpr bool in_double = sizeof(real) == 8;

/// A sheet of 1 m x 0.5 m in the xz plane.
ObjectDesc sheet(double cluster) {
  ObjectDesc object;
  object.name = "sheet", object.type = ObjectType::cloth;
  object.cloth->columns = 21, object.cloth->rows = 11;
  object.cloth->width = 1.0, object.cloth->height = 0.5, object.cloth->upright = false;
  object.pose.position = {0.0, 1.0, 0.0};
  object.solid->cluster_size = cluster, object.solid->stiffness = 0.8;
  return object;
}

SceneDesc scene_of(const ObjectDesc& object) {
  SceneDesc scene = weightless({object});
  scene.solver.step->substeps = 8, scene.solver.step->iterations = 1;
  return scene;
}

double lowest(const World& world) {
  double y = 1e9;
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i)
    y = std::min(y, place_of(world.particles, i).y);
  return y;
}

TEST(StiffCloth, HangsLessThanTheSameClothWithoutClusters) {
  const auto sag = [](double cluster) {
    SceneDesc scene = scene_of(sheet(cluster));
    scene.objects[0].solid->stiffness = 1.0;
    scene.solver.motion->gravity = {0, -9.81, 0};
    scene.solver.motion->damping = 0.5;
    for (long row = 0; row < 11; ++row)  // two columns, so that the sheet cannot swing about one
      for (const long column : {0, 1}) scene.objects[0].pins.emplace_back(21 * row + column);
    Rig rig(scene);
    rig.run(180);
    return 1.0 - lowest(rig.world);
  };
  const double limp = sag(0.0), stiff = sag(0.5);
  std::printf("  a sheet of 1 m held at one side hangs %.3f m down, with clusters %.3f m\n", limp, stiff);
  EXPECT_GT(limp, 0.8);
  EXPECT_LT(stiff, 0.5);
}

/// A modulus in Pa gives the same sag with any number of substeps and iterations.
TEST(StiffCloth, SagsAlikeWithAnySubstepsWhereItsStiffnessIsInPa) {
  const auto sag = [](int substeps, int iterations) {
    SceneDesc scene = scene_of(sheet(0.25));
    scene.solver.step->substeps = substeps, scene.solver.step->iterations = iterations;
    scene.solver.motion->gravity = {0, -9.81, 0}, scene.solver.motion->damping = 0.8;
    scene.objects[0].solid->youngs_modulus = 8e5, scene.objects[0].solid->damping_time = 0.02;
    scene.objects[0].material->bending = false;
    for (long row = 0; row < 11; ++row)
      for (const long column : {0, 1}) scene.objects[0].pins.emplace_back(21 * row + column);
    Rig rig(scene);
    rig.run(150);
    return 1.0 - lowest(rig.world);
  };
  const double four = sag(4, 1), ten = sag(10, 1), forty = sag(40, 1), iterated = sag(10, 4);
  std::printf("  sags by %.4f m with 4 substeps, %.4f with 10, %.4f with 40, %.4f with 10 of 4 iterations\n",
              four, ten, forty, iterated);
  for (const double other : {four, forty, iterated}) EXPECT_NEAR(other / ten, 1.0, 0.05);
}

TEST(StiffCloth, KeepsItsMomentaWhileItTurns) {
  ObjectDesc object = sheet(0.25);
  object.velocity = {0.5, 0.2, -0.1}, object.angular_velocity = {60.0, 100.0, 30.0};
  Rig rig(scene_of(object));
  const Measures before = measure(rig.world);
  rig.run(20);
  const Measures after = measure(rig.world);
  const double bound = in_double ? 1e-10 : 1e-4;
  EXPECT_LT(glm::distance(after.momentum, before.momentum), bound * glm::length(before.momentum));
  EXPECT_LT(glm::distance(after.angular_momentum, before.angular_momentum),
            (in_double ? 1e-9 : 1e-3) * glm::length(before.angular_momentum));
  EXPECT_GT(before.clusters + after.clusters, 20);
}

/// Every particle is in clusters with its whole mass, or in none.
void expect_whole(const World& world) {
  const SoftMatter& soft = world.topology->matter.soft;
  for (std::size_t m = 0; m < soft.member_particle.size(); ++m) {
    double mass = 0.0;
    for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k)
      mass += double(soft.entry_rest[std::size_t(soft.member_entries[std::size_t(k)])].w);
    const double own = 1.0 / double(world.particles.inverse_mass[std::size_t(soft.member_particle[m])]);
    if (mass > 0.0) {
      EXPECT_NEAR(mass / own, 1.0, in_double ? 1e-12 : 1e-5);
    }
  }
}

TEST(StiffCloth, TornVerticesLeaveTheirClusters) {
  SceneDesc scene = scene_of(sheet(0.25));
  scene.objects[0].material->tear_strain = 0.15;
  Rig rig(scene);
  World& world = rig.world;
  adopt_tear_room(world, with_tear_room(world));
  refresh_softness(world);
  world.changed(Change::everything), rig.solver.follow(world);
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    vec4& x = world.particles.position[std::size_t(i)];
    if (world.topology->internal_to_external[std::size_t(i)] >= 0)
      world.particles.velocity[std::size_t(i)] = vec4(x.x > real(0) ? real(12) : real(-12), 0, 0, 0);
  }
  expect_whole(world);
  const glm::dvec3 before = measure(world).momentum;
  rig.run(12);
  const std::int64_t tears = measure(world).tears;
  EXPECT_GT(tears, 5);
  expect_whole(world);
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    ASSERT_TRUE(std::isfinite(double(world.particles.position[std::size_t(i)].x)));
  EXPECT_LT(glm::distance(measure(world).momentum, before), (in_double ? 1e-9 : 1e-3) * 12.0 * 0.1);
}

TEST(StiffCloth, HasTheSameBitsForAnyThreads) {
  const auto hash = [](int threads) {
    SceneDesc scene = scene_of(sheet(0.25));
    scene.solver.motion->gravity = {0, -9.81, 0};
    scene.objects[0].pins = {std::string("left")};
    scene.objects[0].solid->yield = 0.05;
    Rig rig(scene, threads);
    rig.run(20);
    return world_hash(rig.world);
  };
  const auto one = hash(1);
  EXPECT_EQ(hash(2), one);
  EXPECT_EQ(hash(3), one);
}

ObjectDesc soft_bar() {
  ObjectDesc object;
  object.name = "bar", object.type = ObjectType::solid;
  object.mesh = test::source("assets/bar.obj");
  object.density = 500.0, object.pose.position = {0.1, 1.0, 0.2};
  object.solid->cluster_size = 0.16, object.solid->youngs_modulus = 1e5;
  return object;
}

TEST(SoftEnergy, OfAStretchIsThatOfTheMaterial) {
  SceneDesc scene = scene_of(soft_bar());
  scene.solver.contact->particle_radius = 0.02;
  Rig rig(scene);
  World& world = rig.world;
  EXPECT_LT(measure(world).elastic_energy, 1e-9);
  const double strain = 0.01;
  double volume = 0.0;
  for (std::int32_t i = 0; i < world.particles.count; ++i) {
    put_particle(world.particles, std::size_t(i),
                 world.particles.position[std::size_t(i)] * vec4(real(1.0 + strain), 1, 1, 1));
    volume += 1.0 / double(world.particles.inverse_mass[std::size_t(i)]) / 500.0;
  }
  const double mu = 1e5 / 2.6, lambda = 1e5 * 0.3 / (1.3 * 0.4);
  const double right = volume * (mu + 0.5 * lambda) * strain * strain;
  EXPECT_NEAR(measure(world).elastic_energy / right, 1.0, in_double ? 1e-9 : 1e-3);
  EXPECT_NEAR(measure(world).potential_energy - measure(world).elastic_energy, 0.0, 1e-9);
}

/// A bar that is let go in a stretched state: kinetic plus elastic energy never grows.
TEST(SoftEnergy, TurnsIntoMotionAndNeverGrows) {
  SceneDesc scene = scene_of(soft_bar());
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 20;
  Rig rig(scene);
  World& world = rig.world;
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    put_particle(world.particles, std::size_t(i),
                 world.particles.position[std::size_t(i)] * vec4(real(1.05), 1, 1, 1));
  double before = measure(world).elastic_energy, fastest = 0.0;
  const double start = before;
  for (int frame = 0; frame < 30; ++frame) {
    rig.step();
    const Measures now = measure(world);
    const double all = now.kinetic_energy + now.elastic_energy;
    EXPECT_LT(all, before * 1.001) << frame;
    before = all, fastest = std::max(fastest, now.kinetic_energy);
  }
  EXPECT_GT(fastest, 0.02 * start);
}

TEST(ClusterColours, AreBetweenZeroAndOneAndDiffer) {
  Rig rig(scene_of(sheet(0.25)));
  std::vector<float> out(std::size_t(rig.world.particles.count));
  write_heat(rig.world, *rig.world.topology->constraints, rig.world.topology->schedule, HeatMap::cluster,
             out);
  std::set<float> values(out.begin(), out.end());
  EXPECT_GT(values.size(), 10u);
  EXPECT_GE(*values.begin(), 0.0f);
  EXPECT_LE(*values.rbegin(), 1.0f);
}

}}}}  // namespace limber::LIMBER_PRECISION::stiff_cloth_test
