// Contact of grains and cloth, which push each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace sheet_contact_test { namespace {

constexpr double radius = 0.02;

ObjectDesc sheet(int points, double width) {
  ObjectDesc cloth;
  cloth.name = "sheet";
  cloth.cloth->columns = cloth.cloth->rows = points;
  cloth.cloth->width = cloth.cloth->height = width;
  cloth.cloth->upright = false;
  cloth.pose.position = {0.0, 1.0, 0.0};
  cloth.material->density = 2.0;
  return cloth;
}

ObjectDesc grains(const glm::dvec3& copies, double height) {
  ObjectDesc sand;
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = copies;
  sand.spacing = glm::dvec3(0.045);
  sand.pose.position = {0.013, height, 0.007};
  sand.jitter = 0.003;
  sand.material->friction = 0.5;
  return sand;
}

SceneDesc scene_of(std::vector<ObjectDesc> objects) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = radius;
  scene.solver.motion->damping = 0.0;
  scene.objects = std::move(objects);
  return scene;
}

/// Number of grains that are under the sheet and below `height`, without grains that rolled off.
int under(const World& world, double height) {
  const auto& members = world.topology->matter.members;
  return int(std::count_if(members.begin(), members.end(), [&](std::int32_t i) {
    const vec4& x = world.particles.position[std::size_t(i)];
    return double(x.y) < height && std::abs(x.x) < real(0.5) && std::abs(x.z) < real(0.5);
  }));
}

/// Grains fall at 6 m/s, half their radius per substep, onto a sheet held at its border. Triangles are fine,
/// or twelve times as wide as a grain. No grain gets through, and their weight pulls the sheet down.
TEST(SheetContact, ASheetCarriesGrains) {
  for (const int points : {21, 3}) {
    ObjectDesc cloth = sheet(points, 1.0);
    for (const char* const side : {"left", "right", "top", "bottom"}) cloth.pins.emplace_back(side);
    ObjectDesc sand = grains({6, 3, 6}, 1.1);
    sand.velocity = {0.0, -6.0, 0.0};
    Rig rig(scene_of({cloth, sand}));
    rig.run(50);
    const World& world = rig.world;
    double lowest = 1.0;
    for (std::int32_t i = 0; i < world.particles.count; ++i)
      if (!world.topology->matter.takes_part(i))
        lowest = std::min(lowest, double(world.particles.position[std::size_t(i)].y));
    EXPECT_LT(lowest, 0.999) << points;
    EXPECT_EQ(under(world, lowest), 0) << points;
    EXPECT_EQ(measure(world).nonfinite, 0);
  }
}

/// A sheet in free fall without gravity is hit: the total momentum is conserved.
TEST(SheetContact, KeepsTheMomentum) {
  ObjectDesc sand = grains({4, 2, 4}, 1.1);
  sand.velocity = {0.4, -3.0, 0.0};
  SceneDesc scene = scene_of({sheet(11, 0.6), sand});
  scene.solver.motion->gravity = glm::dvec3(0.0);
  Rig rig(scene);
  const Measures before = measure(rig.world);
  rig.run(20);
  const Measures after = measure(rig.world);
  EXPECT_LT(after.kinetic_energy, 0.95 * before.kinetic_energy);  // they did meet
  EXPECT_LT(glm::length(after.momentum - before.momentum),
            (std::is_same_v<real, double> ? 1e-11 : 2e-4) * glm::length(before.momentum));
}

/// Enough of both kinds that colours are shared out.
TEST(SheetContact, TheSameBitsForAnyNumberOfThreads) {
  ObjectDesc rings;
  rings.name = "rings";
  rings.type = ObjectType::solid;
  rings.mesh = test::source("assets/ring.obj");
  rings.size = 0.25;
  rings.copies = {4.0, 1.0, 4.0};
  rings.spacing = glm::dvec3(0.3);
  rings.pose.position = {0.0, 1.3, 0.0};
  rings.density = 900.0;
  ObjectDesc held = sheet(30, 1.4);
  held.pins = {std::string("top"), std::string("bottom"), std::string("left"), std::string("right")};
  const SceneDesc scene = scene_of({held, grains({20, 2, 20}, 1.04), rings});
  std::uint64_t first = 0;
  for (int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(25);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::sheet_contact_test
