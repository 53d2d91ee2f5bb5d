// Equal trees of joints, which kernels solve over lanes, against the same trees solved one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_trees_test { namespace {

/// A trunk with two limbs of two boxes on cones, hinges with limits and a universal joint, `copies` of it.
/// Joints that may break, at a force that none reaches, are left to the scalar solver.
SceneDesc figures(int copies, bool one_by_one) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  const auto add = [&](const char* name, const glm::dvec3& half, const glm::dvec3& at) {
    BodyDesc body = joint_scenes::solid(name, BodyShape::box, at);
    body.half_extents = half;
    body.copies = {1.0, 1.0, double(copies)}, body.spacing = {1.0, 1.0, 3.0};
    body.pose.position.z += 1.5 * (copies - 1);
    body.angular_velocity = {1.0, 2.0, 0.5};
    scene.bodies.push_back(body);
  };
  const auto join = [&](const char* a, const char* b, JointType type, const glm::dvec3& at) {
    JointDesc joint = joint_scenes::joint(std::string(a) + "_on_" + b, type, a, b, at);
    joint.axis = {0.0, type == JointType::ball ? 1.0 : 0.0, type == JointType::ball ? 0.0 : 1.0};
    if (type == JointType::universal) joint.axis_b = {1.0, 0.0, 0.0};
    if (type == JointType::ball) joint.cone_degrees = 25.0;
    if (type == JointType::hinge)
      joint.limited = true, joint.lower_degrees = -20.0, joint.upper_degrees = 60.0;
    if (one_by_one) joint.break_force = 1e12;
    scene.joints.push_back(joint);
  };
  add("trunk", {0.15, 0.3, 0.12}, {0.0, 1.2, 0.0});
  add("arm", {0.05, 0.15, 0.05}, {0.25, 1.3, 0.0});
  add("hand", {0.04, 0.12, 0.04}, {0.25, 1.0, 0.0});
  add("thigh", {0.07, 0.2, 0.07}, {0.0, 0.66, 0.0});
  add("shin", {0.06, 0.18, 0.06}, {0.0, 0.26, 0.0});
  join("arm", "trunk", JointType::ball, {0.25, 1.46, 0.0});
  join("hand", "arm", JointType::universal, {0.25, 1.14, 0.0});
  join("thigh", "trunk", JointType::ball, {0.0, 0.88, 0.0});
  join("shin", "thigh", JointType::hinge, {0.0, 0.45, 0.0});
  return scene;
}

/// A chain that hangs by a hinge and swings.
SceneDesc chains(int copies, bool one_by_one) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  for (int k = 0; k < 8; ++k) {
    BodyDesc link = joint_scenes::solid("link" + std::to_string(k), BodyShape::capsule, {0.2 * k, 2.0, 0.0});
    link.radius = 0.02, link.half_length = 0.08;
    link.pose.rotation_degrees = {0.0, 0.0, 90.0};
    link.copies = {1.0, 1.0, double(copies)}, link.spacing = {1.0, 1.0, 3.0};
    link.pose.position.z += 1.5 * (copies - 1);
    JointDesc joint =
        joint_scenes::joint("joint" + std::to_string(k), k == 0 ? JointType::hinge : JointType::ball,
                            link.name, k == 0 ? "" : scene.bodies.back().name, {0.2 * k - 0.1, 2.0, 0.0});
    joint.axis = {0.0, 0.0, 1.0};
    if (one_by_one) joint.break_force = 1e12;
    scene.bodies.push_back(link);
    scene.joints.push_back(joint);
  }
  return scene;
}

/// The largest distance between bodies of two scenes, in m, after `frames`.
double apart(const SceneDesc& one, const SceneDesc& other, int frames) {
  Rig a(one), b(other);
  a.run(frames), b.run(frames);
  double most = 0.0;
  for (std::size_t i = 0; i < std::size_t(a.world.bodies.count()); ++i)
    most = std::max(
        most, glm::distance(glm::dvec3(a.world.bodies.position[i]), glm::dvec3(b.world.bodies.position[i])));
  return most;
}

/// Sums are in another order. The difference by rounding after a second of free flight stays far below the
/// 1e-7 m to which joints are held.
TEST(JointTrees, DoOverLanesAsOneByOne) {
  const double bound = sizeof(real) == sizeof(float) ? 1e-3 : 1e-9;
  for (const int copies : {1, 3, 5, 9}) {
    EXPECT_LT(apart(figures(copies, false), figures(copies, true), 30), bound) << copies;
    EXPECT_LT(apart(chains(copies, false), chains(copies, true), 30), bound) << copies;
  }
}

#if !LIMBER_DOUBLE
/// Weightless figures with thin limbs and tight limits, of which every copy spins at a rate of its own, so
/// that neighbours in lanes reach their limits and turn their inertia in different substeps.
World spinning(int copies, int substeps) {
  SceneDesc scene = figures(copies, false);
  scene.solver.step->substeps = substeps;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  for (std::size_t b = 1; b < scene.bodies.size(); ++b)
    scene.bodies[b].half_extents *= glm::dvec3(0.1, 1.0, 0.1);
  for (JointDesc& joint : scene.joints) {
    if (joint.type == JointType::ball) joint.cone_degrees = 5.0;
    if (joint.limited) joint.lower_degrees = -2.5, joint.upper_degrees = 5.0;
  }
  World world = std::move(build_world(scene)->world);
  for (std::size_t i = 0; i < std::size_t(world.bodies.count()); ++i) {
    const std::size_t copy = i % std::size_t(copies), part = i / std::size_t(copies);
    const real rate = copy == 0 ? real(1) : real(0.4) + real(0.17) * real(copy);
    vec4& L = world.bodies.angular_momentum[i];
    L = vec4(real(15) * rate * (real(1) + real(0.5) * real(part % 3)) * vec3(L), L.w);
  }
  return world;
}

void run(World& world, const KernelTable<real>& kernels, int frames) {
  Pool pool(1);
  Stepper stepper(pool, kernels);
  world.changed(Change::everything), stepper.follow(world);
  for (int frame = 0; frame < frames; ++frame) stepper.step(world, world.settings.solver.step->dt);
}

/// Trees fill lanes of every width, and a tree alone leaves all but one of them unused.
TEST(JointTrees, HaveTheSameBitsOnEveryInstructionSetAndBesideOthers) {
  const std::pair<Simd, const KernelTable<real>*> instances[] = {{Simd::scalar, kernels_scalar()},
                                                                 {Simd::w4, kernels_sse2()},
                                                                 {Simd::w8, kernels_avx2()},
                                                                 {Simd::w16, kernels_avx512()}};
  constexpr int copies = 9, frames = 90;
  for (const int substeps : {2, 4, 8}) {
    World expected = spinning(copies, substeps);
    run(expected, *kernels_scalar(), frames);
    for (const auto& [simd, kernels] : instances) {
      if (!kernels || !supported(simd)) continue;
      World crowd = spinning(copies, substeps), alone = spinning(1, substeps);
      run(crowd, *kernels, frames), run(alone, *kernels, frames);
      EXPECT_EQ(world_hash(crowd), world_hash(expected)) << to_string(simd) << ", " << substeps;
      for (std::size_t k = 0; k < std::size_t(alone.bodies.count()); ++k)
        EXPECT_EQ(vec3(alone.bodies.velocity[k]), vec3(expected.bodies.velocity[copies * k]))
            << to_string(simd) << ", " << substeps << ", body " << k;
    }
  }
}
#endif

}}}}  // namespace limber::LIMBER_PRECISION::joint_trees_test
