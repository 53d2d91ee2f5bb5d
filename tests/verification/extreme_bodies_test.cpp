// Bodies at the extremes of the settings: all numbers stay finite.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/contact/bodies/crowded_pairs.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace extreme_bodies_test { namespace {

/// A speck of 4e-10 kg hangs by a whole border of a cloth: across an arm of 25 cm a row sees 1/w = 2e-15 kg,
/// along it 4e-10 kg.
TEST(ExtremeBodies, TheLightestSpeckHangsFromCloth) {
  for (const int substeps : {1, 8, 30}) {
    SceneDesc scene;
    scene.solver.step->substeps = substeps;
    ObjectDesc strip;
    strip.name = "strip";
    strip.cloth->columns = 6, strip.cloth->rows = 10;
    strip.cloth->width = 0.5, strip.cloth->height = 1.0;
    strip.pose.position = {0.0, 2.0, 0.0};
    strip.pins = {std::string("top")};
    AttachmentDesc hook;
    hook.vertices = {std::string("bottom")};
    hook.attach_to = "speck";
    strip.attachments = {hook};
    BodyDesc speck;
    speck.name = "speck";
    speck.shape = BodyShape::sphere;
    speck.radius = 1e-3;
    speck.density = 0.1;
    speck.pose.position = {0.02, 1.45, 0.0};
    scene.objects = {strip};
    scene.bodies = {speck};
    Rig rig(scene);
    for (int f = 0; f < 60; ++f) ASSERT_FALSE(rig.step().nonfinite) << substeps << " substeps, frame " << f;
    EXPECT_LT(glm::length(vec3(rig.world.bodies.position[0]) - vec3(0, 1.5, 0)), real(0.5)) << substeps;
  }
}

/// Planks on two ropes, each spun at 630 rad/s: the weights of their rows change in every substep, and joints
/// have no meaning for turns of more than a radian. Several iterations make it worse.
TEST(ExtremeBodies, AChainOfPlanksSpunAsFastAsCanBeStaysFinite) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.step->iterations = 4;
  BodyDesc planks;
  planks.name = "planks";
  planks.half_extents = {0.19, 0.04, 0.8};
  planks.density = 600.0;
  planks.copies = {8, 1, 1};
  planks.spacing = {0.5, 1.0, 1.0};
  planks.pose.position = {0.0, 1.0, 0.0};
  planks.angular_velocity = glm::dvec3(-36000.0);
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.angular_velocity = glm::dvec3(-3600.0);
  scene.bodies = {planks};
  scene.colliders = {floor};
  for (const double z : {-0.75, 0.75}) {
    JointDesc rope;
    rope.name = z < 0.0 ? "left" : "right";
    rope.type = JointType::distance;
    rope.rope = true;
    rope.a = "planks";
    rope.chain = true;
    rope.at = {-1.56, 1.0, z}, rope.at_b = {-1.44, 1.0, z};
    scene.joints.push_back(rope);
  }
  Rig rig(scene);
  const double fastest = rig.world.settings.solver.motion->max_speed;
  for (int f = 0; f < 200; ++f) {
    ASSERT_FALSE(rig.step().nonfinite) << "frame " << f;
    ASSERT_LT(measure(rig.world).max_speed, 1.01 * fastest) << "frame " << f;
  }
}

/// Four boxes of 8 kg hang on levers of 2 m, by rods, from one lever of a box: an end that weighs 12 g feels
/// the spring of the rod's pull long before the box does. They fall by 4 m and hit the ground: no more energy
/// than the fall gave, to the few percent that impacts shift between frames.
TEST(ExtremeBodies, RodsOnLongLeversHitTheGroundAndComeToRest) {
  for (const int substeps : {5, 8, 14}) {
    SceneDesc scene;
    scene.solver.step->substeps = substeps;
    BodyDesc middle, around;
    middle.name = "middle";
    middle.half_extents = glm::dvec3(0.2);
    middle.pose.position = {0.0, 2.0, 0.0};
    around.name = "around";
    around.half_extents = glm::dvec3(0.1);
    around.pose.position = {0.0, 4.0, 0.0};
    around.copies = {4, 1, 1};
    around.arrangement = Arrangement::line;
    around.spacing = {0.3, 0.0, 0.0};
    JointDesc rods;
    rods.name = "rods";
    rods.type = JointType::distance;
    rods.a = "around", rods.b = "middle";
    rods.at = {0.5, 2.0, 0.0}, rods.at_b = {1.0, 2.0, 0.0};
    ColliderDesc floor;
    floor.name = "floor";
    floor.shape = ColliderShape::plane;
    scene.bodies = {middle, around};
    scene.joints = {rods};
    scene.colliders = {floor};
    Rig rig(scene);
    const double start = measure(rig.world).potential_energy;
    double most = 0.0;
    for (int f = 0; f < 240; ++f) {
      rig.step();
      const Measures m = measure(rig.world);
      most = std::max(most, m.kinetic_energy + m.potential_energy);
    }
    EXPECT_LT(most, 1.05 * start) << substeps << " substeps";
    EXPECT_LT(measure(rig.world).mean_speed, 0.3) << substeps << " substeps";
  }
}

/// Boxes that start in each other separate at the depenetration speed, without gaining velocity: less than a
/// hundredth of the energy at this speed is left. Where many are deep inside each other, only the deepest
/// pairs of each body are solved.
TEST(ExtremeBodies, ManyInOnePlacePartWithoutSpeed) {
  struct Case {
    glm::dvec3 copies, spacing;
    int frames;
  };
  for (const Case& c : {Case{{2, 1, 1}, {0.5, 1.0, 1.0}, 60}, Case{{5, 2, 2}, glm::dvec3(1e-3), 300},
                        Case{{4, 4, 4}, glm::dvec3(1e-3), 15}}) {
    SceneDesc scene;
    scene.solver.step->substeps = 8;
    scene.solver.motion->damping = 0.0;
    scene.solver.motion->gravity = glm::dvec3(0.0);
    BodyDesc boxes;
    boxes.name = "boxes";
    boxes.half_extents = glm::dvec3(0.5);
    boxes.copies = c.copies;
    boxes.spacing = c.spacing;
    scene.bodies = {boxes};
    Rig rig(scene);
    const double fastest = rig.world.settings.solver.contact->depenetration_speed;
    const double energy =
        0.5 * fastest * fastest * rig.world.bodies.count() / double(rig.world.bodies.position[0].w);
    ASSERT_GT(measure(rig.world).penetration_max, 0.4);
    for (int f = 0; f < c.frames; ++f) {
      rig.step();
      const auto pairs = std::int64_t(rig.world.contacts.bodies.size());
      if (f == 0) {
        ASSERT_LE(pairs, std::int64_t(CrowdedPairs::most_deep) * rig.world.bodies.count());
      }
      const Measures m = measure(rig.world);
      ASSERT_LT(m.max_speed, 0.3 * fastest) << "frame " << f;
      ASSERT_LT(m.kinetic_energy, 0.01 * energy) << "frame " << f;
    }
    if (rig.world.bodies.count() < 64) {
      EXPECT_LT(measure(rig.world).penetration_max, 0.01);  // those need 300 frames
    }
  }
}

/// The choice of solved pairs in a crowd does not depend on the thread that finds them.
TEST(ExtremeBodies, ACrowdGivesTheSameBitsForAnyNumberOfThreads) {
  SceneDesc scene;
  scene.solver.step->substeps = 2;
  BodyDesc boxes;
  boxes.name = "boxes";
  boxes.half_extents = glm::dvec3(0.5);
  boxes.copies = {4, 4, 4};
  boxes.spacing = glm::dvec3(0.1);
  boxes.yaw_jitter = 20.0;
  scene.bodies = {boxes};
  std::uint64_t one = 0;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(3);
    if (threads == 1) one = world_hash(rig.world);
    EXPECT_EQ(world_hash(rig.world), one) << threads;
  }
}

/// Boxes two thousand times as dense as a fluid come down on its particles. A particle between the ground,
/// the tilted lower side of one box and the side of another must have one inverse mass in the rows of both:
/// with two, the sweeps drive it away exponentially.
TEST(ExtremeBodies, HeavyBoxesSquashALightFluid) {
  SceneDesc scene = basin(0.0390761, {-0.75, 0, -0.75}, {1.5, 0.48, 1.5}, 1.5);
  scene.solver.step->substeps = 4, scene.solver.step->iterations = 6;
  scene.solver.motion->damping = 0.0;
  scene.objects[0].fluid->rest_density = 3.5;
  scene.objects[0].material->friction = 0.0;
  BodyDesc boxes;
  boxes.name = "boxes";
  boxes.half_extents = {0.1, 0.06, 0.1};
  boxes.density = 7733;
  boxes.copies = {3, 3, 3};
  boxes.spacing = {0.35, 0.25, 0.35};
  boxes.jitter = 0.02;
  boxes.friction = 0.3;
  boxes.pose.position = {0, 1.2, 0};
  scene.bodies = {boxes};
  for (ColliderDesc& wall : scene.colliders) wall.friction = 0.0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    scene.seed = seed;
    Rig rig(scene);
    for (int f = 0; f < 35; ++f) ASSERT_FALSE(rig.step().nonfinite) << "seed " << seed << ", frame " << f;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::extreme_bodies_test
