// Free objects keep their momentum, in float as well; objects in contact do not.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/rates.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace flight_test { namespace {

constexpr bool in_double = std::is_same_v<real, double>;
constexpr int ten_seconds = 600;  // frames

ObjectDesc sheet(const std::string& name, int side, const glm::dvec3& position, const glm::dvec3& velocity) {
  ObjectDesc sheet;
  sheet.name = name;
  sheet.cloth->columns = sheet.cloth->rows = side;
  sheet.cloth->width = sheet.cloth->height = 1.0;
  sheet.cloth->upright = false;
  sheet.pose.position = position;
  sheet.velocity = velocity;
  sheet.material->thickness = 0.02;
  return sheet;
}

SceneDesc weightless(const std::vector<ObjectDesc>& objects) {
  SceneDesc scene;
  scene.name = "flight";
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.objects = objects;
  return scene;
}

SceneDesc meeting_sheets(int side) {
  SceneDesc scene = weightless({sheet("below", side, {0.0, 0.0, 0.0}, {0.3, 1.5, 0.0}),
                                sheet("above", side, {0.03, 0.1, 0.02}, {-0.2, -1.0, 0.4})});
  scene.objects[1].pose.rotation_degrees = {0.0, 17.0, 0.0};
  scene.objects[1].material->density = 0.5;
  scene.solver.contact->cloth_collision = true;
  return scene;
}

/// Steps for ten seconds; the change of momentum over momentum, and the most contacts of surfaces.
struct Drift {
  double relative, contacts;
};
Drift fly(Rig& rig) {
  const glm::dvec3 start = measure(rig.world).momentum;
  double contacts = 0.0;
  for (int frame = 0; frame < ten_seconds; ++frame)
    contacts = std::max(contacts, rig.step().surface_contacts);
  return {glm::distance(measure(rig.world).momentum, start) / glm::length(start), contacts};
}

/// Float: ten seconds are 600 corrections, each of which rounds every v by at most 6e-8 of v. If these errors
/// never cancelled, they would sum to 4e-5 of the sum of m |v|, which is below twice the momentum here.
/// Double: its numbers are 2^29 times as dense as those of float, which lost a seventh when velocities were
/// differences of positions.
constexpr double flight_bound = in_double ? 3e-10 : 8e-5;

TEST(Flight, SheetsThatMeetKeepTheirMomentum) {
  Rig rig(meeting_sheets(13));
  const Drift drift = fly(rig);
  EXPECT_GT(drift.contacts, 1000.0) << "they have met";
  EXPECT_LT(drift.relative, flight_bound);
  // without a bounce both would go on at (0.2 1.5 - 0.5 1.0) / 0.7 m/s
  EXPECT_LT(mean_velocity(rig.world, 0).y, 0.0) << "the lighter one has been turned back";
}

TEST(Flight, ASheetThatFoldsOverItselfKeepsItsMomentum) {
  SceneDesc scene = weightless({sheet("folding", 25, {0.0, 0.0, 0.0}, {0.5, 1.0, 0.3})});
  scene.solver.contact->cloth_collision = true;
  Rig rig(scene);
  for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
    const real x = rig.world.particles.position[std::size_t(i)].x;
    rig.world.particles.velocity[std::size_t(i)] += vec4(-2 * x, 4 * std::abs(x), 0, 0);
  }
  const Drift drift = fly(rig);
  EXPECT_GT(drift.contacts, 100.0) << "it has folded";
  EXPECT_LT(drift.relative, flight_bound);
}

TEST(Flight, ASheetThatShakesKeepsItsMomentum) {
  SceneDesc scene = weightless({sheet("shaking", 21, {0.0, 0.0, 0.0}, {1.5, 1.0, -0.7})});
  scene.objects[0].jitter = 0.005;
  Rig rig(scene);
  EXPECT_LT(fly(rig).relative, flight_bound);
}

/// Thrown up by 122 m and caught at the same height, beside a pinned one that does not count.
TEST(Flight, GravityAndDampingAreNoDrift) {
  SceneDesc scene = weightless({sheet("thrown", 13, {0.0, 0.0, 0.0}, {1.5, 49.0, 0.7}),
                                sheet("pinned", 13, {5.0, 0.0, 0.0}, {0.0, 0.0, 0.0})});
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  scene.objects[0].jitter = 0.01;
  scene.objects[1].pins = {std::string("all")};
  for (const double damping : {0.0, 0.1}) {
    scene.solver.motion->damping = damping;
    Rig rig(scene);
    const double mass = 0.2, h = scene.solver.step->dt / scene.solver.step->substeps;
    const double keep = double(real(1.0 - damping_per_substep(damping, h)));
    glm::dvec3 expected = measure(rig.world).momentum;
    const double scale = glm::length(expected);
    rig.run(ten_seconds);
    for (int s = 0; s < ten_seconds * scene.solver.step->substeps; ++s)
      expected = keep * expected + mass * h * scene.solver.motion->gravity;
    EXPECT_LT(glm::distance(measure(rig.world).momentum, expected) / scale, flight_bound)
        << "damping " << damping;
  }
}

/// Mass goes from vertices to vertices in reserve.
TEST(Flight, WhatTearsInFlightKeepsItsMomentum) {
  SceneDesc scene = weightless({sheet("torn", 21, {0.0, 0.0, 0.0}, {1.5, 1.0, -0.7})});
  scene.objects[0].material->tear_strain = 0.05;
  Rig rig(scene);
  adopt_tear_room(rig.world, with_tear_room(rig.world));
  refresh_softness(rig.world);
  rig.world.changed(Change::everything), rig.solver.follow(rig.world);
  for (std::int32_t i = 0; i < rig.world.particles.count; ++i) {
    const vec4 x = rig.world.particles.position[std::size_t(i)];
    if (x.w > real(0)) rig.world.particles.velocity[std::size_t(i)] += vec4(4 * x.x, 0, 4 * x.z, 0);
  }
  EXPECT_LT(fly(rig).relative, flight_bound);
  EXPECT_GT(measure(rig.world).tears, 20);
}

/// Momentum after a second with an external force, relative to the momentum before.
double left_over(const SceneDesc& scene) {
  Rig rig(scene);
  const double start = glm::length(measure(rig.world).momentum);
  rig.run(60);
  return glm::length(measure(rig.world).momentum) / start;
}

TEST(Flight, WhatIsStoppedLosesItsMomentum) {
  const SceneDesc flying = weightless({sheet("sheet", 13, {0.0, 0.3, 0.0}, {0.0, -1.0, 0.0})});
  EXPECT_NEAR(left_over(flying), 1.0, 1e-4);

  SceneDesc landing = flying;
  landing.colliders.emplace_back().shape = ColliderShape::plane;
  EXPECT_LT(left_over(landing), 0.1) << "by a plane";

  SceneDesc tied = flying;
  tied.objects[0].pins = {std::string("left"), std::string("right")};
  EXPECT_LT(left_over(tied), 0.9) << "by pins";

  SceneDesc blown = flying;
  blown.wind->enabled = true;
  EXPECT_LT(left_over(blown), 0.5) << "by air that stands still";

  SceneDesc bounded = flying;
  bounded.solver.motion->max_speed = 0.5;
  EXPECT_NEAR(left_over(bounded), 0.5, 1e-3) << "by the bound on speed";

  SceneDesc second = weightless({sheet("lying", 16, {0.0, 0.02, 0.0}, {0.0, 0.0, 0.0}),  // a block each
                                 sheet("falling", 16, {0.0, 0.3, 0.0}, {0.0, -1.0, 0.0})});
  second.solver.contact->cloth_collision = true;
  second.colliders.emplace_back().shape = ColliderShape::plane;
  EXPECT_LT(left_over(second), 0.5) << "by what lies on a plane";
}

TEST(Flight, WhatStopsOneDoesNotPushAnother) {
  SceneDesc scene = weightless({sheet("landing", 16, {0.0, 0.3, 0.0}, {0.0, -1.0, 0.0}),
                                sheet("flying", 16, {5.0, 2.0, 0.0}, {1.0, 0.0, 0.0})});
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  for (const bool together : {false, true}) {
    scene.solver.contact->cloth_collision = together;
    Rig rig(scene);
    rig.run(60);
    EXPECT_GT(mean_velocity(rig.world, 0).y, -0.1) << "it has landed";
    EXPECT_LT(glm::distance(mean_velocity(rig.world, 1), {1.0, 0.0, 0.0}), in_double ? 1e-10 : 1e-3);
  }
}

TEST(Flight, AHandStopsIt) {
  Rig rig(weightless({sheet("sheet", 13, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0})}));
  const double start = glm::length(measure(rig.world).momentum);
  rig.world.user.grab = Grab{84, glm::dvec3(rig.world.particles.position[84])};
  fix_particle(rig.world, 84);
  rig.run(30);
  EXPECT_LT(glm::length(measure(rig.world).momentum), 0.9 * start);
}

TEST(Flight, SameBitsForAnyNumberOfThreads) {
  SceneDesc scene = meeting_sheets(27);  // three blocks each, and one with particles of both
  scene.solver.motion->gravity = {0.0, -9.81, 0.0};
  std::uint64_t expected = 0;
  for (int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(20);
    if (threads == 1) expected = world_hash(rig.world);
    EXPECT_EQ(world_hash(rig.world), expected) << threads << " threads";
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::flight_test
