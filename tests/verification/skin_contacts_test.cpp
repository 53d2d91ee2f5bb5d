// Contacts of the skins of soft solids: weights, momenta, depth at rest, friction, equal bits for any number
// of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/coupling/skin_contacts.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace skin_contacts_test { namespace {

using namespace free_spin;

/// A soft solid of the size of about a metre.
ObjectDesc soft(const std::string& mesh, double height) {
  ObjectDesc object;
  object.name = "soft";
  object.type = ObjectType::solid;
  object.mesh = test::source("assets/" + mesh + ".obj");
  object.density = 400.0;
  object.pose.position = {0.02, height, 0.01};
  object.material->friction = 0.6;
  object.solid->cluster_size = 0.2, object.solid->youngs_modulus = 5e4, object.solid->damping_time = 0.01;
  return object;
}

SceneDesc dropped(ObjectDesc object) {
  SceneDesc scene = weightless({std::move(object)});
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.solver.motion->damping = 0.5;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.step->substeps = 8, scene.solver.step->iterations = 1;
  return scene;
}

void add_ground(SceneDesc& scene) {
  ColliderDesc& ground = scene.colliders.emplace_back();
  ground.name = "ground", ground.shape = ColliderShape::plane, ground.friction = 0.6;
}

TEST(SkinContacts, WeightsReproduceLinearFunctions) {
  for (const std::string mesh : {"rabbit", "teapot", "octopus"}) {
    const Rig rig(dropped(soft(mesh, 1.0)));
    const SoftSkin& skin = rig.world.topology->matter.soft.skin;
    ASSERT_GT(skin.vertices(), 100u);
    const glm::dvec3 shift =
        place_of(rig.world.particles, 0) - glm::dvec3(rig.world.topology->matter.rest[0]);
    std::size_t bound = 0;
    double farthest = 0.0, largest = 0.0;
    for (std::size_t v = 0; v < skin.vertices(); ++v) {
      glm::dvec3 sum(0.0);
      double whole = 0.0, square = 0.0;
      for (std::int32_t k = skin.vertex_entry[v]; k < skin.vertex_entry[v + 1]; ++k) {
        const double w = double(skin.weight[std::size_t(k)]);
        sum += w * place_of(rig.world.particles, std::size_t(skin.particle[std::size_t(k)]));
        whole += w, square += w * w;
      }
      if (skin.vertex_entry[v] == skin.vertex_entry[v + 1]) continue;
      ++bound;
      EXPECT_NEAR(whole, 1.0, in_double ? 1e-12 : 1e-5);
      farthest = std::max(farthest, glm::distance(sum, shift + glm::dvec3(skin.rest[v])));
      largest = std::max(largest, square);
    }
    EXPECT_EQ(bound, skin.vertices()) << mesh;
    EXPECT_LT(farthest, in_double ? 1e-10 : 1e-5) << mesh;
    EXPECT_LT(largest, 60.0) << mesh;
  }
}

TEST(SkinContacts, APushKeepsBothMomenta) {
  Rig rig(dropped(soft("rabbit", 1.0)));
  World& world = rig.world;
  const SoftSkin& skin = world.topology->matter.soft.skin;
  AlignedVector<vec4>& p = world.particles.position;
  for (std::size_t v = 0; v < skin.vertices(); v += 97) {
    const AlignedVector<vec4> before = p;
    const SkinPoint point{skin, std::int32_t(v), p.data(), p.data(), world.particles.previous.data()};
    glm::dvec3 place(0.0);
    for (std::int32_t k = skin.vertex_entry[v]; k < skin.vertex_entry[v + 1]; ++k)
      place += double(skin.weight[std::size_t(k)]) *
               glm::dvec3(before[std::size_t(skin.particle[std::size_t(k)])]);
    const vec3 impulse(real(0.02), real(-0.05), real(0.03));
    const vec3 start = point.moved();
    point.push(impulse);
    const vec3 n = glm::normalize(impulse);
    EXPECT_NEAR(double(glm::dot(point.moved() - start, n)),
                double(point.inverse_mass_along(n) * glm::length(impulse)), in_double ? 1e-13 : 1e-5);
    glm::dvec3 linear(0.0), angular(0.0);
    for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i) {
      const glm::dvec3 d = (glm::dvec3(p[i]) - glm::dvec3(before[i])) / double(p[i].w);
      linear += d, angular += glm::cross(glm::dvec3(before[i]), d);
    }
    const double error = in_double ? 1e-12 : 1e-2;
    EXPECT_LT(glm::distance(linear, glm::dvec3(impulse)), error * glm::length(glm::dvec3(impulse)));
    EXPECT_LT(glm::distance(angular, glm::cross(place, glm::dvec3(impulse))),
              error * glm::length(glm::dvec3(impulse)) * (1.0 + glm::length(place)));
  }
}

/// Collides a soft solid with a free body; nothing else acts. Arms of all rows with bodies are those at the
/// start of the substep, so the angular momentum is kept to first order in the substep only.
TEST(SkinContacts, ACollisionWithABodyKeepsTheMomentum) {
  SceneDesc scene = dropped(soft("rabbit", 0.0));
  scene.solver.motion->gravity = glm::dvec3(0.0), scene.solver.motion->damping = 0.0;
  BodyDesc& box = scene.bodies.emplace_back();
  box.name = "box", box.shape = BodyShape::box, box.half_extents = {0.3, 0.1, 0.3}, box.density = 300.0;
  box.pose.position = {0.1, 1.3, 0.0}, box.velocity = {0.0, -2.0, 0.0};
  Rig rig(scene);
  const Measures before = measure(rig.world);
  rig.run(30);
  const Measures after = measure(rig.world);
  EXPECT_GT(double(rig.world.bodies.velocity[0].y), -1.0) << "they have met";
  const double scale = glm::length(before.momentum);
  EXPECT_LT(glm::distance(after.momentum, before.momentum), (in_double ? 1e-10 : 1e-4) * scale);
  EXPECT_LT(glm::distance(after.angular_momentum, before.angular_momentum), 0.024 * scale);
}

double deepest_at_rest(const SceneDesc& scene, int frames = 150) {
  Rig rig(scene);
  rig.run(frames - 30);
  double depth = 0.0;
  for (int f = 0; f < 30; ++f) {
    rig.run(1);
    depth = std::max(depth, measure(rig.world).skin_depth);
  }
  EXPECT_GT(rig.world.topology->matter.soft.clusters(), 3u);
  return depth;
}

TEST(SkinContacts, SoftSolidsRestOnTheirSkin) {
  const std::pair<std::string, int> cases[] = {{"rabbit", 4}, {"rabbit", 20}, {"teapot", 8}, {"octopus", 8}};
  for (const auto& [mesh, substeps] : cases) {
    SceneDesc scene = dropped(soft(mesh, 0.9));
    scene.solver.step->substeps = substeps;
    add_ground(scene);
    EXPECT_LT(deepest_at_rest(scene), 1e-3) << mesh << " " << substeps;
  }
}

TEST(SkinContacts, SoftSolidsRestOnEveryColliderAndBody) {
  for (const ColliderShape shape : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
    SceneDesc scene = dropped(soft("teapot", 1.1));
    add_ground(scene);
    ColliderDesc& below = scene.colliders.emplace_back();
    below.name = "below", below.shape = shape, below.friction = 0.6;
    below.radius = 0.3, below.half_extents = {0.3, 0.25, 0.3}, below.half_length = 0.4;
    below.pose.position = {0.0, 0.3, 0.0};
    EXPECT_LT(deepest_at_rest(scene), 1e-3) << int(shape);
  }
  SceneDesc scene = dropped(soft("teapot", 1.1));
  add_ground(scene);
  BodyDesc& box = scene.bodies.emplace_back();
  box.name = "box", box.shape = BodyShape::box, box.half_extents = {0.5, 0.15, 0.5}, box.density = 600.0;
  box.pose.position = {0.0, 0.16, 0.0}, box.friction = 0.6;
  EXPECT_LT(deepest_at_rest(scene), 1e-3) << "on a body";
}

TEST(SkinContacts, TheSameBitsForAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    ObjectDesc object = soft("rabbit", 0.8);
    object.copies = {2, 1, 2}, object.spacing = glm::dvec3(0.9);
    SceneDesc scene = dropped(object);
    add_ground(scene);
    BodyDesc& box = scene.bodies.emplace_back();
    box.name = "box", box.shape = BodyShape::box, box.half_extents = {0.6, 0.1, 0.6}, box.density = 400.0;
    box.pose.position = {0.0, 0.12, 0.0};
    Rig rig(scene, threads);
    rig.run(40);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) first = hash;
    EXPECT_EQ(hash, first) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::skin_contacts_test
