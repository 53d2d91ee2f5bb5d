// Viscosity and adhesion between a fluid and every other kind of matter: momentum is conserved, honey slows
// what slides along it, and glue draws it near.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace wet_pairs_test { namespace {

constexpr double particle = 0.02, top = 0.12;  // m: the fluid ends at y = top
constexpr double momentum_bound = sizeof(real) == 8 ? 1e-13 : 3e-5;

ObjectDesc object_of(ObjectType type, double height) {
  ObjectDesc object;
  object.name = "other", object.type = type;
  object.pose.position = {0.0, top + height, 0.0};
  object.material->friction = 0.0, object.material->thickness = 0.004;
  object.density = 500.0;
  return object;
}

/// Kinds of matter that lie on the fluid's top, `gap` m above it.
struct Kind {
  const char* name;
  ObjectDesc (*make)(double gap);
  bool sheet = false;  ///< its triangles touch the fluid
};
const std::vector<Kind> kinds{
    {"cloth",
     [](double gap) {
       ObjectDesc object = object_of(ObjectType::cloth, 0.004 + gap);
       object.cloth->columns = object.cloth->rows = 7;
       object.cloth->width = object.cloth->height = 0.2, object.cloth->upright = false;
       object.material->density = 2.0;
       return object;
     },
     true},
    {"tets",
     [](double gap) {
       ObjectDesc object = object_of(ObjectType::tets, 0.044 + gap);
       object.tets->shape = TetShape::bar;
       object.tets->cells = {5, 2, 5}, object.tets->dimensions = {0.2, 0.08, 0.2};
       object.material->youngs_modulus = 1e5;
       return object;
     },
     true},
    {"grains",
     [](double gap) {
       ObjectDesc object = object_of(ObjectType::grains, particle + gap);
       object.copies = {5, 1, 5}, object.spacing = glm::dvec3(2.02 * particle);
       return object;
     }},
    {"cluster",
     [](double gap) {
       ObjectDesc object = object_of(ObjectType::solid, 0.0);
       object.mesh = test::source("assets/slab.obj"), object.size = 0.24;
       object.pose.position.y = top + 0.072 + gap;
       return object;
     }},
    {"soft cluster",
     [](double gap) {
       ObjectDesc object = object_of(ObjectType::solid, 0.0);
       object.mesh = test::source("assets/slab.obj"), object.size = 0.24;
       object.pose.position.y = top + 0.072 + gap;
       object.solid->cluster_size = 0.12, object.solid->youngs_modulus = 1e5;
       return object;
     }},
    {"rod",
     [](double) {  // in the fluid
       ObjectDesc object = object_of(ObjectType::rod, 0.0);
       object.pose.position = {-0.1, 0.003, 0.002};
       object.rod->length = 0.2, object.rod->segments = 10, object.rod->radius = 0.002;
       object.rod->first_end = object.rod->last_end = RodEnd::free;
       object.density = 3000.0, object.material->youngs_modulus = 1e9;
       return object;
     }},
};

/// A weightless block of fluid and something that slides along its top.
SceneDesc scene_of(const Kind& kind, double viscosity, double adhesion, double gap, double speed) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = particle;
  scene.solver.motion->gravity = glm::dvec3(0.0), scene.solver.motion->damping = 0.0;
  scene.solver.step->substeps = 4, scene.solver.step->iterations = 2;
  scene.objects = {water_block({0.32, 2.0 * top, 0.32}, {0, 0, 0}), kind.make(gap)};
  scene.objects[0].material->viscosity = viscosity, scene.objects[0].material->adhesion = adhesion;
  scene.objects[0].material->friction = 0.0;
  scene.objects[1].velocity = {speed, 0.0, 0.5 * speed};
  return scene;
}

struct Outcome {
  double along, down;  ///< m/s, of the object
  double lost;         ///< share of the momentum
};
Outcome outcome_of(const SceneDesc& scene, int frames) {
  Rig rig(scene);
  double scale = 0.0;
  const glm::dvec3 before = measure(rig.world).momentum;
  rig.run(frames);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    if (const double w = double(rig.world.particles.inverse_mass[i]); w > 0.0)
      scale += glm::length(glm::dvec3(rig.world.particles.velocity[i])) / w;
  const glm::dvec3 v = mean_velocity(rig.world, 1);
  return {v.x, -v.y, glm::length(measure(rig.world).momentum - before) / scale};
}

TEST(WetPairs, HoneySlowsWhatSlidesAlongItAndMomentumStays) {
  for (const Kind& kind : kinds) {
    const Outcome water = outcome_of(scene_of(kind, 0.0, 0.0, 0.0, 0.4), 10),
                  honey = outcome_of(scene_of(kind, 20.0, 0.0, 0.0, 0.4), 10),
                  tar = outcome_of(scene_of(kind, 2000.0, 0.0, 0.0, 0.4), 10);
    std::printf(
        "  %-12s of 0.4 m/s after 10 frames: %.3f in water, %.3f in honey, %.3f in tar; momentum %.1e\n",
        kind.name, water.along, honey.along, tar.along, std::max(honey.lost, tar.lost));
    EXPECT_LT(honey.along, 0.96 * water.along) << kind.name;
    EXPECT_LT(std::abs(tar.along), 0.4) << kind.name;
    for (const Outcome& outcome : {water, honey}) EXPECT_LT(outcome.lost, momentum_bound) << kind.name;
    // Thick fluids are solved to a tolerance from their velocities before, so the momentum that a sheet has
    // taken in between is known within that tolerance only.
    EXPECT_LT(tar.lost, kind.sheet ? 1e-3 : momentum_bound) << kind.name;
  }
}

TEST(WetPairs, GlueDrawsWhatIsNearAndMomentumStays) {
  for (const Kind& kind : kinds) {
    if (kind.name == std::string("rod")) continue;  // adhesion does not act on thin rods
    const Outcome loose = outcome_of(scene_of(kind, 0.0, 0.0, 0.015, 0.0), 4),
                  glued = outcome_of(scene_of(kind, 0.0, 20.0, 0.015, 0.0), 4);
    std::printf("  %-12s comes down by %.4f m/s, without adhesion by %.4f; momentum %.1e\n", kind.name,
                glued.down, loose.down, glued.lost);
    EXPECT_GT(glued.down, loose.down + 0.005) << kind.name;
    EXPECT_LT(glued.lost, momentum_bound) << kind.name;
  }
}

TEST(WetPairs, HaveTheSameBitsForAnyThreads) {
  for (const Kind& kind : kinds) {
    const auto hash = [&](int threads) {
      Rig rig(scene_of(kind, 20.0, 5.0, 0.0, 0.4), threads);
      rig.run(5);
      return world_hash(rig.world);
    };
    EXPECT_EQ(hash(3), hash(1)) << kind.name;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::wet_pairs_test
