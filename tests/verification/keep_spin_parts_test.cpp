// Connected parts: how they are found, when a part counts as touched, and momenta of colliding parts.
#include <gtest/gtest.h>

#include "engine/core/settings/contact.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/free_spin.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace keep_spin_parts_test {
namespace {

using namespace free_spin;

/// Copies of one object are things of their own, each with its momenta.
TEST(KeepSpinParts, CopiesKeepTheirOwn) {
  ObjectDesc bricks = brick(0.8);
  bricks.copies = {3.0, 1.0, 1.0};
  bricks.spacing = {1.5, 1.5, 1.5};
  SceneDesc scene = weightless({bricks});
  scene.solver.step->substeps = 3;
  Rig rig(scene);
  const auto& solids = rig.world.topology->matter.solids;
  ASSERT_EQ(solids.size(), 3u);
  const auto of = [&](std::size_t s) {
    return momenta(rig.world, solids[s].first, solids[s].first + solids[s].count, false);
  };
  Momenta start[3];
  for (std::size_t s = 0; s < 3; ++s) {
    const glm::dvec3 center = of(s).center, omega(0.0, 4.0 * double(s), 1.0);
    for (std::int32_t i = solids[s].first; i < solids[s].first + solids[s].count; ++i)
      rig.world.particles.velocity[std::size_t(i)] =
          vec4(vec3(glm::cross(omega, glm::dvec3(rig.world.particles.position[std::size_t(i)]) - center)),
               real(0));
    start[s] = of(s);
  }
  rig.run(60);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_LT(glm::distance(of(s).angular, start[s].angular) / glm::length(start[s].angular),
              in_double ? 1e-12 : 1e-5);
    EXPECT_LT(glm::length(of(s).linear) / start[s].speeds, in_double ? 1e-12 : 1e-5);
  }
}

/// A part by itself, and beside others: attached, spinning, falling onto a floor.
TEST(KeepSpinParts, WhatIsFarAwayChangesNoBit) {
  const auto hash = [](bool others) {
    SceneDesc scene = weightless({row(8, 0.7, 0.1, {0.0, 5.0, 0.0})});
    if (others) {
      ObjectDesc held = sheet(5), falling = brick(1.0), turning = row(3, 0.5, 0.2, {-9.0, 5.0, 0.0});
      held.pose.position = {8.0, 3.0, 0.0}, held.pins = {std::string("left")};
      falling.pose.position = {0.0, 0.4, 9.0}, falling.velocity = {0.0, -2.0, 0.0};
      held.name = "held", falling.name = "falling", turning.name = "turning";
      turning.velocity = {0.0, 0.0, 0.3};
      scene.objects.insert(scene.objects.end(), {held, falling, turning});
      scene.colliders.emplace_back().shape = ColliderShape::plane;
    }
    scene.solver.step->substeps = 4;
    Rig rig(scene);
    const glm::dvec3 omega(0.0, 3.0, 2.0);
    for (Index i = 0; i < 8; ++i)
      rig.v(i) = vec4(vec3(glm::cross(omega, glm::dvec3(0.1 * i - 0.35, 0.0, 0.0))), real(0));
    rig.run(40);
    std::vector<vec3> places;
    for (Index i = 0; i < 8; ++i) places.emplace_back(rig.x(i)), places.emplace_back(rig.v(i));
    return places;
  };
  EXPECT_EQ(hash(false), hash(true));
}

/// Parts that meet in flight exchange momenta and keep the sum.
SceneDesc meeting_sheets() {
  ObjectDesc low = sheet(11), high = sheet(11);
  low.name = "low", high.name = "high";
  high.pose.position = {0.3, 0.15, 0.1}, high.pose.rotation_degrees = {0.0, 20.0, 0.0};
  low.velocity = {0.3, 1.5, 0.0}, high.velocity = {-0.2, -1.0, 0.4};
  low.material->thickness = high.material->thickness = 0.02;
  high.material->density = 0.5;
  SceneDesc scene = weightless({low, high});
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = 8;
  return scene;
}
SceneDesc meeting_bricks(double stiffness) {
  ObjectDesc left = brick(stiffness), right = brick(stiffness);
  left.name = "left", right.name = "right";
  left.pose.position = {-0.6, 0.0, 0.0}, right.pose.position = {0.6, 0.05, 0.1};
  left.velocity = {1.5, 0.0, 0.0}, right.velocity = {-1.5, 0.2, 0.0};
  SceneDesc scene = weightless({left, right});
  scene.solver.step->substeps = 8;
  return scene;
}
SceneDesc brick_into_sheet() {
  ObjectDesc flying = brick(1.0), hit = sheet(13);
  flying.pose.position = {0.1, 0.4, 0.05}, flying.velocity = {0.0, -3.0, 0.0};
  flying.density = 2.0;
  hit.velocity = {0.0, 0.5, 0.0};
  SceneDesc scene = weightless({flying, hit});
  scene.solver.step->substeps = 8;
  return scene;
}

TEST(KeepSpinParts, PartsThatMeetKeepTheSum) {
  const std::vector<std::pair<std::string, SceneDesc>> scenes = {{"sheets", meeting_sheets()},
                                                                 {"rigid bricks", meeting_bricks(1.0)},
                                                                 {"soft bricks", meeting_bricks(0.5)},
                                                                 {"brick and sheet", brick_into_sheet()}};
  for (const auto& [name, scene] : scenes) {
    Rig rig(scene);
    const Momenta start = momenta(rig.world), first = momenta_of(rig.world, 0);
    const Kept kept = fly(rig, 40);
    const Momenta end = momenta(rig.world);
    EXPECT_LT(kept.linear, in_double ? 1e-12 : 1e-7) << name;
    // overlaps of soft clusters are lifted: masses are moved without speed
    const double bound = name == "soft bricks" ? 5e-3 : in_double ? 1e-11 : 1e-4;
    EXPECT_LT(glm::distance(end.angular, start.angular) / glm::length(start.angular), bound) << name;
    EXPECT_GT(glm::distance(momenta_of(rig.world, 0).linear, first.linear), 0.1 * glm::length(first.linear))
        << name << ": they have met";
  }
}

/// The sheet's self contacts are within one part.
TEST(KeepSpinParts, AFoldingSheet) {
  SceneDesc scene = weightless({sheet(21)});
  scene.objects[0].material->thickness = 0.02;
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = 6;
  Rig rig(scene);
  spin(rig.world, 2.0, {0.5, 1.0, 0.3});
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const real x = rig.world.particles.position[i].x;
    rig.world.particles.velocity[i] += vec4(-2 * x, 4 * std::abs(x), 0, 0);
  }
  const Kept kept = fly(rig, 60);
  EXPECT_LT(kept.linear, in_double ? 1e-14 : 1e-7);
  EXPECT_LT(kept.angular, in_double ? 1e-13 : 1e-7);
}

/// Impulses from outside stay: a brick that falls on a floor and lies still there does so as without.
TEST(KeepSpinParts, WhatIsTouchedIsStopped) {
  for (const double stiffness : {1.0, 0.5}) {
    SceneDesc scene = weightless({brick(stiffness)});
    scene.objects[0].pose.position = {0.0, 0.4, 0.0};
    scene.solver.motion->gravity = {0.0, -9.81, 0.0};
    scene.solver.step->substeps = 4;
    scene.colliders.emplace_back().shape = ColliderShape::plane;
    Rig rig(scene);
    spin(rig.world, 6.0);
    const Momenta start = momenta(rig.world);
    rig.run(120);
    const Momenta end = momenta(rig.world);
    EXPECT_LT(glm::length(end.angular), 0.02 * glm::length(start.angular)) << stiffness;
    EXPECT_LT(end.speeds, 0.02 * start.speeds) << stiffness;
  }
}

/// For pinned sheets and sheets held by the mouse, the result is the plain loop bit for bit.
TEST(KeepSpinParts, WhatIsHeldIsLeftAlone) {
  const auto places = [](bool keep, bool hand) {
    SceneDesc scene = weightless({sheet(9)});
    scene.solver.motion->keep_spin = keep;
    scene.solver.motion->gravity = {0.0, -9.81, 0.0};
    if (!hand) scene.objects[0].pins = {std::string("left")};
    Rig rig(scene);
    if (hand) {
      rig.world.user.grab = Grab{0, glm::dvec3(rig.world.particles.position[0])};
      fix_particle(rig.world, 0);
    }
    rig.run(20);
    std::vector<vec3> places;
    for (Index i = 0; i < rig.world.particles.count; ++i) places.emplace_back(rig.x(i));
    return places;
  };
  for (const bool hand : {false, true}) EXPECT_EQ(places(false, hand), places(true, hand));
}

/// Torn in flight by pulling from the middle: the momenta of all pieces sum up, and each piece keeps its own.
TEST(KeepSpinParts, WhatTearsInFlight) {
  SceneDesc scene = weightless({sheet(15)});
  scene.objects[0].material->tear_strain = 0.05;
  scene.solver.step->substeps = 6;
  Rig rig(scene);
  adopt_tear_room(rig.world, with_tear_room(rig.world));
  refresh_softness(rig.world);
  rig.world.changed(Change::everything), rig.solver.follow(rig.world);
  spin(rig.world, 3.0, {1.5, 1.0, -0.7});
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const vec4 x = rig.world.particles.position[i];
    if (x.w > real(0)) rig.world.particles.velocity[i] += vec4(6 * x.x, 0, 6 * x.z, 0);
  }
  const Momenta start = momenta(rig.world);
  rig.run(60);
  const Momenta end = momenta(rig.world);
  EXPECT_GT(measure(rig.world).tears, 20);
  EXPECT_LT(glm::distance(end.linear, start.linear) / start.speeds, in_double ? 1e-12 : 1e-5);
  // the copies of a split vertex are moved apart, by a hundredth of an edge, and their momenta with them
  EXPECT_LT(glm::distance(end.angular, start.angular) / glm::length(start.angular), 6e-5);
}

TEST(KeepSpinParts, SameBitsForAnyNumberOfThreads) {
  SceneDesc scene = meeting_sheets();
  for (const Kind& kind : kinds()) {
    const SceneDesc more = kind.scene();
    if (!more.joints.empty()) continue;
    for (ObjectDesc object : more.objects) {
      object.name = "object " + std::to_string(scene.objects.size());
      if (object.attachments.empty())
        object.pose.position += glm::dvec3(3.0 * double(scene.objects.size()), 0.0, 0.0);
      scene.objects.push_back(object);
    }
    scene.bodies.insert(scene.bodies.end(), more.bodies.begin(), more.bodies.end());
  }
  std::uint64_t expected = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
      if (rig.world.particles.position[i].w > real(0))
        rig.world.particles.velocity[i] +=
            vec4(0, rig.world.particles.position[i].x, rig.world.particles.position[i].z, 0);
    rig.run(8);
    if (threads == 1) expected = world_hash(rig.world);
    EXPECT_EQ(world_hash(rig.world), expected) << threads << " threads";
  }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::keep_spin_parts_test
