// Rods whose ends are carried, rotated, and moved farther in a substep than one Newton step reaches.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <string>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/bodies.hpp"
#include "engine/state/turns.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_drive_test { namespace {

constexpr bool in_double = sizeof(real) == 8;
constexpr int count = 30;
constexpr double segment = 0.012;  // m
constexpr double dt = 1.0 / 60.0;
constexpr double radius = 0.00015;

/// A hair along x that a hand holds where it begins.
SceneDesc held_hair(RodEnd end, double youngs_modulus, int substeps) {
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.density = 1300.0;
  rod.rod->segments = count;
  rod.rod->length = count * segment;
  rod.rod->radius = radius;
  rod.rod->first_end = end;
  rod.material->youngs_modulus = youngs_modulus;
  rod.material->damping_time = 0.004;
  rod.attachments.push_back({{std::string("first")}, glm::dvec3(0.0), 1.0, "hand"});
  ColliderDesc hand;
  hand.name = "hand";
  hand.shape = ColliderShape::sphere;
  hand.radius = 0.001;
  hand.pose.position = {-0.01, 0.0, 0.0};
  hand.collides_with = "";
  SceneDesc scene;
  scene.solver.step->dt = dt;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = 2;
  scene.solver.step->automatic = false;
  scene.objects = {rod};
  scene.colliders = {hand};
  return scene;
}

/// The hand moves by `way` segments and turns by `turn` rad within one substep, one frame in.
void jerk(SceneDesc& scene, const glm::dvec3& way, const glm::dvec3& turn) {
  ColliderDesc& hand = scene.colliders[0];
  hand.amplitude = segment * way;
  hand.swing = glm::degrees(turn);
  hand.period = 4.0 * dt / scene.solver.step->substeps;
  hand.start = dt, hand.swings = 0.25;
}

/// However far a root is moved or turned in one substep, the rod comes along and is stretched no longer once
/// the root stands still: a whip that has gone as fast as 144 m/s.
TEST(DrivenRods, FollowAnEndThatIsJerked) {
  const glm::dvec3 ways[] = {{5, 0, 0}, {-5, 0, 0}, {0, 5, 0}, {0.6, 0, 0}, {0.7, 0.7, 0}, {2, 0, 0.3}};
  const glm::dvec3 turns[] = {{0, 0, 0}, {0, 0, 2}, {2, 0, 0}, {1, 0, -1}};
  for (const int substeps : {1, 2, 4, 10, 40})
    for (const double modulus : {2e8, 4e9})
      for (const RodEnd end : {RodEnd::free, RodEnd::clamped})
        for (const glm::dvec3& way : ways)
          for (const glm::dvec3& turn : turns) {
            if (end == RodEnd::free && turn != glm::dvec3(0.0)) continue;
            SceneDesc scene = held_hair(end, modulus, substeps);
            jerk(scene, way, turn);
            Rig rig(scene);
            bool finite = true;
            for (int frame = 0; frame < 8 && finite; ++frame) finite = !rig.step().nonfinite;
            ASSERT_TRUE(finite) << substeps << ' ' << modulus << ' ' << way.x << ' ' << turn.z;
            EXPECT_LT(measure(rig.world).strain.max, modulus > 1e9 ? 1e-3 : 3e-3)  // the soft one whips on
                << substeps << ' ' << modulus << ' ' << way.x << ' ' << turn.z;
          }
}

/// A rod that is led goes through the lanes with others that are not, and neither knows of the other.
TEST(DrivenRods, HaveTheSameBitsOnAnyThreads) {
  SceneDesc scene = held_hair(RodEnd::clamped, 4e9, 2);
  jerk(scene, {3, 1, 0}, {0, 0, 1});
  for (int k = 0; k < 5; ++k) {
    ObjectDesc rod = scene.objects[0];
    rod.name = "rod" + std::to_string(k);
    rod.pose.position.z = 0.1 * (k + 1);
    rod.rod->segments = count - 2 * k;
    if (k % 2 == 0) rod.attachments.clear();
    scene.objects.push_back(rod);
  }
  std::vector<std::uint64_t> hashes;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(8);
    hashes.push_back(world_hash(rig.world));
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
  SceneDesc fewer = scene;
  fewer.objects.resize(1);
  Rig alone(fewer), crowded(scene);
  alone.run(8), crowded.run(8);
  for (Index i = 0; i <= count; ++i)
    EXPECT_LT(double(glm::distance(vec3(alone.x(i)), vec3(crowded.x(i)))), in_double ? 1e-12 : 1e-6) << i;
}

/// Point and frame of a clamped end keep their places relative to their carrier, a collider or a body.
TEST(DrivenRods, AClampGoesWithWhatCarriesIt) {
  for (const bool body : {false, true}) {
    SceneDesc scene = held_hair(RodEnd::clamped, 4e9, 10);
    scene.solver.motion->gravity = glm::dvec3(0.0);
    scene.solver.motion->damping = 0.0;
    if (body) {
      scene.colliders.clear();
      BodyDesc hand;
      hand.name = "hand";
      hand.shape = BodyShape::box;
      hand.half_extents = glm::dvec3(0.05);
      hand.pose.position = {0.0, -0.1, 0.0};
      hand.angular_velocity = {0.0, 0.0, 90.0};
      hand.density = 5000.0;
      scene.bodies = {hand};
      scene.objects[0].attachments[0].two_way = false;
    } else {
      scene.colliders[0].swing = {0.0, 0.0, 90.0};
      scene.colliders[0].period = 4.0, scene.colliders[0].swings = 0.25;
    }
    Rig rig(scene);
    rig.run(60);
    const RodMatter& rods = rig.world.topology->rods;
    const glm::dmat3 held =
        matrix_of(orientation_of(rig.world.particles, std::size_t(rods.first_row + rods.holds[0].turn)));
    const double most = in_double ? 1e-5 : 1e-4;
    EXPECT_NEAR(held[2].x, 0.0, most) << body;
    EXPECT_NEAR(held[2].y, 1.0, most) << body;
    const glm::dvec3 root(rig.x(0)), next(rig.x(1)),
        place = body ? glm::dvec3(-0.1, -0.1, 0.0) : glm::dvec3(0.0);
    EXPECT_LT(glm::distance(root, place), body ? 1e-4 : 1e-6) << body;
    EXPECT_GT(glm::dot(next - root, held[2]), 0.95 * segment) << body;
  }
}

/// A clamped end cannot pull a body: a scene that asks for it gets an error with the correct setting.
TEST(DrivenRods, AClampIsNotTiedBothWays) {
  SceneDesc scene = held_hair(RodEnd::clamped, 4e9, 1);
  scene.colliders.clear();
  BodyDesc hand;
  hand.name = "hand";
  scene.bodies = {hand};
  const auto built = build_world(scene);
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().text().find("two_way"), std::string::npos) << built.error().text();
  scene.objects[0].attachments[0].two_way = false;
  EXPECT_TRUE(build_world(scene));
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_drive_test
