// Friction of ropes on rigid bodies: a drum that is a body holds like one that is a collider.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <string>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_grip_test {
namespace {

enum class Bar { fixed, jointed };

/// The scene `capstan` with its bar as a body.
SceneDesc capstans(Bar kind) {
  const Expected<SceneDesc> read = read_scene(test::source("scenes/capstan.json"), test::source("assets"));
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  SceneDesc scene = *read;
  const auto its = std::find_if(scene.colliders.begin(), scene.colliders.end(),
                                [](const ColliderDesc& collider) { return collider.name == "bar"; });
  BodyDesc bar;
  bar.name = "bar";
  bar.shape = BodyShape::capsule;
  bar.radius = its->radius, bar.half_length = its->half_length;
  bar.pose = its->pose;
  bar.density = 2000.0, bar.friction = its->friction;
  bar.fixed = kind == Bar::fixed;
  scene.colliders.erase(its);
  scene.bodies.push_back(bar);
  if (kind == Bar::jointed) {
    JointDesc joint;
    joint.name = "hold", joint.type = JointType::fixed, joint.a = "bar";
    joint.at = bar.pose.position;
    scene.joints.push_back(joint);
  }
  return scene;
}

double lowest(const Rig& rig, std::size_t object) {
  const ParticleRange points = rig.world.topology->objects[object];
  double low = 1e9;
  for (std::int32_t i = points.first; i < points.end(); ++i)
    low = std::min(low, double(rig.world.particles.position[std::size_t(i)].y));
  return low;
}

/// Over half a turn, 2.4 kg against 1 kg stay (the bound is 2.57), and 3.4 kg slip off.
TEST(RodGrips, ABodyHoldsAsManyTimesTheLoadAsACollider) {
  for (const Bar kind : {Bar::fixed, Bar::jointed}) {
    Rig rig(capstans(kind));
    const double holds = lowest(rig, 0);
    rig.run(40);
    const double fallen = holds - lowest(rig, 1);
    EXPECT_GT(fallen, 0.02) << "the heavy end, from 0.2 m above the light one, " << int(kind);
    rig.run(80);
    std::printf("          holds: %.2f mm, slips by %.3f m\n", 1e3 * (lowest(rig, 0) - holds), fallen);
    EXPECT_NEAR(lowest(rig, 0), holds, 0.006) << int(kind);
  }
}

TEST(RodGrips, HaveTheSameBitsForAnyThreads) {
  std::uint64_t expected = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(capstans(Bar::jointed), threads);
    rig.run(10);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) expected = hash;
    EXPECT_EQ(hash, expected) << threads;
  }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::rod_grip_test
