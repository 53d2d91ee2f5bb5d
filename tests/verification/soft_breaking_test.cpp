// Breaking of soft solids: masses, momenta, separated parts, equal bits for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/state/soft_parts.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace soft_breaking_test { namespace {

using namespace free_spin;

SceneDesc clay(bool pulled) {
  ObjectDesc object;
  object.name = "bar";
  object.type = ObjectType::solid;
  object.mesh = test::source("assets/bar.obj");
  object.density = 1000.0;
  object.solid->cluster_size = 0.16, object.solid->youngs_modulus = 1e5, object.solid->damping_time = 0.005;
  object.solid->yield = 0.01, object.solid->creep = 40.0, object.solid->break_strain = 0.3;
  if (pulled)
    for (const double side : {-1.0, 1.0}) {
      AttachmentDesc end;
      end.vertices = {VertexName(std::string(side < 0.0 ? "left" : "right"))};
      end.amplitude = {0.8 * side, 0.0, 0.0}, end.period = 8.0;
      object.attachments.push_back(end);
    }
  SceneDesc scene = weightless({object});
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 6, scene.solver.step->iterations = 1;
  return scene;
}

std::size_t parts(const World& world) {
  const auto of = parts_of_clusters(world.topology->matter.soft);
  return std::set<std::int32_t>(of.begin(), of.end()).size();
}

TEST(SoftBreaking, AHandCutsABarInTwo) {
  SceneDesc scene = clay(false);
  scene.objects[0].solid->break_strain = 0.0;
  Rig rig(scene);
  const glm::dvec3 eye(0.01, 3.0, 0.0);
  int made = 0;
  for (int k = 0; k < 10; ++k) {
    const auto seen = [&](int at) { return glm::dvec3(0.01, -3.0, -1.0 + 0.2 * at); };
    made += cut(rig.world, {eye, eye}, {seen(k), seen(k + 1)}, k == 0).made;
    rig.run(1);
  }
  EXPECT_GT(made, 10);
  EXPECT_EQ(parts(rig.world), 2u);
  rig.run(30);
  EXPECT_EQ(measure(rig.world).nonfinite, 0);
}

TEST(SoftBreaking, ABarPartsAndEveryParticleKeepsItsMass) {
  Rig rig(clay(true));
  ASSERT_EQ(parts(rig.world), 1u);
  rig.run(15);
  EXPECT_EQ(measure(rig.world).tears, 0) << "below its strain nothing leaves";
  rig.run(105);
  EXPECT_GE(parts(rig.world), 2u);
  const SoftMatter& soft = rig.world.topology->matter.soft;
  EXPECT_EQ(measure(rig.world).tears, entries_left(soft));
  for (std::size_t m = 0; m < soft.member_particle.size(); ++m) {
    double sum = 0.0;
    for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k)
      sum += double(soft.entry_rest[std::size_t(soft.member_entries[std::size_t(k)])].w);
    const double mass = 1.0 / double(rig.world.particles.inverse_mass[std::size_t(soft.member_particle[m])]);
    ASSERT_NEAR(sum / mass, 1.0, in_double ? 1e-12 : 1e-5);
  }
  for (std::size_t c = 0; c < soft.clusters(); ++c) {
    glm::dvec3 sum(0.0);
    double mass = 0.0;
    for (std::int32_t e = soft.cluster_entry[c]; e < soft.cluster_entry[c + 1]; ++e) {
      const vec4& q = rig.world.matter.soft.rest[std::size_t(e)];
      sum += double(q.w) * glm::dvec3(q), mass += double(q.w);
    }
    EXPECT_LT(glm::length(sum / mass), in_double ? 1e-12 : 1e-6) << "rest places are from the centre of mass";
    EXPECT_NEAR(mass / double(soft.cluster_mass[c]), 1.0, in_double ? 1e-12 : 1e-5);
  }
  // parts touch
  std::set<std::int32_t> numbers;
  for (const std::int32_t i : rig.world.topology->matter.members)
    numbers.insert(rig.world.topology->matter.apart[std::size_t(i)]);
  EXPECT_EQ(numbers.size(), parts(rig.world));
}

TEST(SoftBreaking, TheSameBitsForAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(clay(true), threads);
    rig.run(40);
    const World before = rig.world;
    rig.run(40);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
    rig.world = before;
    rig.run(40);
    EXPECT_EQ(world_hash(rig.world), first) << "a snapshot holds what has left";
  }
}

/// The bar turns so fast that it breaks in the middle.
TEST(SoftBreaking, BothMomentaStayWhileItBreaks) {
  SceneDesc scene = clay(false);
  scene.objects[0].solid->yield = 0.005, scene.objects[0].solid->break_strain = 0.15;
  Rig rig(scene);
  spin(rig.world, 22.0);
  const Momenta start = momenta(rig.world);
  const Kept kept = fly(rig, 240);
  EXPECT_GT(measure(rig.world).tears, 0);
  EXPECT_GT(kept.least, 0.999);
  EXPECT_LT(glm::distance(momenta(rig.world).linear, start.linear), 1e-5 * start.speeds);
}

}}}}  // namespace limber::LIMBER_PRECISION::soft_breaking_test
