// Nets of joints, which sweeps solve, against laws of mechanics and the direct solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parts/bodies/joints/joint_nets.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/joint_net_rig.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_net_test { namespace {

using namespace joint_nets;

TEST(JointNet, NeverGainsEnergy) {
  for (const int size : {12, 24})
    for (const double heavy : {1.0, 100.0})
      for (const int substeps : {4, 8, 20, 40}) {
        const Net net{size, size, 60.0, heavy, substeps};
        NetRig rig(net);
        // from the mean height of where it hangs
        const double whole = g * mesh * 0.5 * (0.5 * size * size * size + (heavy - 1.0) * size);
        const double start = energy_of(measure(rig.world));
        double lowest = start;
        for (int f = 0; f < 180; ++f) {
          rig.step();
          const Measures now = measure(rig.world);
          const double energy = energy_of(now) + energy_of_errors(rig.world);
          ASSERT_GT(now.swept_joints, 0);
          const std::string text = std::to_string(size) + ", " + std::to_string(heavy) + " kg, " +
                                   std::to_string(substeps) + " substeps, frame " + std::to_string(f);
          ASSERT_LE(energy_of(now), start + 1e-6 * whole) << text;
          ASSERT_LE(energy, lowest + 1e-6 * whole) << text;
          ASSERT_LT(now.joint_error_max, mesh) << text;
          lowest = std::min(lowest, energy);
        }
      }
}

/// Beads of a net that is let go shake, which no solution follows for long: the direct one with 24 substeps
/// is 2 cm from that with 8 after 12 frames.
TEST(JointNet, StartsToSwingAsTheDirectSolutionDoes) {
  SceneDesc scene = scene_of({14, 14, 50.0});
  Rig swept(scene);
  scene.solver.method->joints = JointSolve::direct;
  Rig direct(scene);
  for (int f = 0; f < 6; ++f) {
    swept.step(), direct.step();
    const Measures here = measure(swept.world), there = measure(direct.world);
    ASSERT_EQ(there.swept_joints, 0);
    ASSERT_LT(here.joint_error_max, 0.5e-3);
    ASSERT_LT(there.joint_error_max, 1e-5);
    ASSERT_LT(apart(swept.world, direct.world), 3e-3) << f;
  }
}

TEST(JointNet, SwingsAlikeWithAnyNumberOfSubsteps) {
  Net net{14, 14, 50.0};
  Rig few(scene_of(net));
  net.substeps = 40;
  Rig many(scene_of(net));
  for (int f = 0; f < 60; ++f) {
    few.step(), many.step();
    ASSERT_LT(apart(few.world, many.world), 0.05) << f;
  }
}

TEST(JointNet, AFreeOneKeepsItsMomenta) {
  Net net{16, 16, 90.0};
  net.fixed = false;
  SceneDesc scene = scene_of(net);
  scene.solver.motion->gravity = {};
  for (BodyDesc& row : scene.bodies) row.velocity = {0.3, 0.0, 10.0 * row.pose.position.y};
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) scene.bodies[k].velocity.y = 0.2 * double(k % 3);
  Rig rig(scene);
  rig.step();
  const Measures start = measure(rig.world);
  ASSERT_GT(start.swept_joints, 0);
  rig.run(120);
  const Measures now = measure(rig.world);
  const double rounding = 2000.0 * std::numeric_limits<real>::epsilon();
  EXPECT_LT(glm::length(now.momentum - start.momentum), rounding);
  EXPECT_LT(glm::length(now.angular_momentum - start.angular_momentum), rounding);
  EXPECT_LE(now.kinetic_energy, start.kinetic_energy);
}

/// The joints of the first row carry the whole net, and each other row what hangs from it. Errors are those
/// of loads that sweeps have not spread, which fall with the substep.
TEST(JointNet, HangsWithItsWeightInItsJoints) {
  double before = 0.0;
  for (const int substeps : {4, 8, 16}) {
    Net net{20, 20, 0.0};
    net.substeps = substeps;
    Rig rig(scene_of(net));
    rig.run(240);
    const double h2 = std::pow(rig.world.bodies.joint_step, 2);
    std::vector<double> carried(std::size_t(net.rows), 0.0);
    for (std::size_t j = 0; j < rig.world.bodies.joints.size(); ++j) {
      const Joint& joint = rig.world.topology->joints[j];
      const int a = joint.a / net.columns, b = joint.b / net.columns;
      if (a != b) carried[std::size_t(a)] += rig.world.bodies.joints[j].push.y / h2;
    }
    for (int k = 1; k < net.rows; ++k)
      EXPECT_NEAR(carried[std::size_t(k)], (net.rows - k) * net.columns * g,
                  5e-4 * net.rows * net.columns * g)
          << substeps << ", row " << k;
    const Measures now = measure(rig.world);
    if (before > 0.0) {
      EXPECT_LT(now.joint_error_max, 0.6 * before) << substeps;
    }
    before = now.joint_error_max;
  }
  EXPECT_LT(before, 0.3e-3);
}

/// A net of every type of joint over a ball on the ground, and a second net of more than 4,096 joints, which
/// threads share.
SceneDesc crowded() {
  Net small{14, 14, 80.0};
  SceneDesc scene = scene_of(small);
  for (BodyDesc& row : scene.bodies) row.collides_with = "all";
  const JointType types[] = {JointType::ball, JointType::hinge, JointType::universal, JointType::slider,
                             JointType::fixed};
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    JointDesc& joint = scene.joints[k];
    joint.type = types[k % 5];
    joint.limited = joint.type == JointType::hinge, joint.cone_degrees = k % 2 ? 30.0 : 180.0;
  }
  ColliderDesc ball;
  ball.name = "ball", ball.shape = ColliderShape::sphere, ball.radius = 0.3;
  ball.pose.position = {0.6, -0.6, 0.7};
  scene.colliders = {ball};
  SceneDesc large = scene_of({47, 47, 30.0});
  for (BodyDesc& row : large.bodies) row.name += "_of_large", row.pose.position.x += 10.0;
  for (std::size_t k = 0; k < large.joints.size(); ++k) {
    JointDesc& joint = large.joints[k];
    if (k % 6 == 5) joint.type = k % 4 ? JointType::universal : JointType::hinge;
    joint.name += "_of_large", joint.a += "_of_large", joint.at.x += 10.0;
    if (!joint.b.empty()) joint.b += "_of_large";
  }
  scene.bodies.insert(scene.bodies.end(), large.bodies.begin(), large.bodies.end());
  scene.joints.insert(scene.joints.end(), large.joints.begin(), large.joints.end());
  return scene;
}

TEST(JointNet, ThreadsChangeNoBit) {
  const SceneDesc scene = crowded();
  Rig one(scene);
  one.run(20);
  EXPECT_GT(one.world.bodies.swept_joints, 4096);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(20);
    EXPECT_EQ(world_hash(one.world), world_hash(many.world)) << threads;
  }
}

#if !LIMBER_DOUBLE
TEST(JointNet, HasTheSameBitsOnEveryInstructionSet) {
  const std::pair<Simd, const KernelTable<real>*> instances[] = {
      {Simd::w4, kernels_sse2()}, {Simd::w8, kernels_avx2()}, {Simd::w16, kernels_avx512()}};
  const auto hash_with = [](const KernelTable<real>& kernels) {
    World world = std::move(build_world(crowded())->world);
    Pool pool(1);
    Stepper stepper(pool, kernels);
    world.changed(Change::everything), stepper.follow(world);
    for (int frame = 0; frame < 10; ++frame) stepper.step(world, world.settings.solver.step->dt);
    return world_hash(world);
  };
  const auto expected = hash_with(*kernels_scalar());
  for (const auto& [simd, kernels] : instances)
    if (kernels && supported(simd)) {
      EXPECT_EQ(hash_with(*kernels), expected) << to_string(simd);
    }
}
#endif

TEST(JointNet, SmallLoopsStayDirect) {
  Rig ladder(scene_of({30, 2, 0.0}));
  ladder.run(5);
  EXPECT_EQ(ladder.world.bodies.swept_joints, 0);
}

/// A net that swings against a ball in long substeps.
TEST(JointNet, AStrikeInFewSubstepsDoesNotTearIt) {
  for (const int substeps : {1, 2, 3}) {
    Net net{14, 14, 80.0};
    net.substeps = substeps;
    SceneDesc scene = scene_of(net);
    for (BodyDesc& row : scene.bodies) row.collides_with = "all";
    ColliderDesc ball;
    ball.name = "ball", ball.shape = ColliderShape::sphere, ball.radius = 0.3;
    ball.pose.position = {0.6, -0.6, 0.7};
    scene.colliders = {ball};
    Rig rig(scene);
    const double start = energy_of(measure(rig.world));
    double most = 0.0;
    for (int f = 0; f < 180; ++f) {
      rig.step();
      const Measures now = measure(rig.world);
      ASSERT_GT(now.swept_joints, 0);
      ASSERT_LE(energy_of(now), start) << substeps << ", " << f;
      most = std::max(most, now.joint_error_max);
    }
    EXPECT_LT(most, 0.25 * mesh) << substeps;
  }
}

/// A block of cubes that falls on the ground: what contacts and joints do to each other in a strike must not
/// make energy.
TEST(JointNet, AStrikeOfALatticeMakesNoEnergy) {
  struct Case {
    JointType type;
    int substeps;
  };
  for (const Case& c : {Case{JointType::ball, 2}, Case{JointType::hinge, 8}, Case{JointType::fixed, 4}}) {
    constexpr int n = 5;
    constexpr double spacing = 0.2, height = 1.0;
    SceneDesc scene = joint_scenes::scene_of({}, {}, c.substeps);
    ColliderDesc ground;
    ground.name = "ground", ground.shape = ColliderShape::plane;
    scene.colliders = {ground};
    const auto name = [](int i, int j) { return "row" + std::to_string(i) + "_" + std::to_string(j); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const glm::dvec3 here(0.0, height + spacing * i, spacing * j);
        BodyDesc row = joint_scenes::solid(name(i, j), BodyShape::box, here);
        row.half_extents = glm::dvec3(0.4 * spacing), row.density = 500.0;
        row.arrangement = Arrangement::line, row.copies = {double(n), 1.0, 1.0};
        row.spacing = {spacing, 0.0, 0.0};
        scene.bodies.push_back(row);
        const auto join = [&](const std::string& to, const glm::dvec3& way) {
          scene.joints.push_back(
              joint_scenes::joint(name(i, j) + to, c.type, name(i, j), to, here + 0.5 * spacing * way));
          scene.joints.back().chain = to.empty();
        };
        join("", {1.0, 0.0, 0.0});
        if (i > 0) join(name(i - 1, j), {0.0, -1.0, 0.0});
        if (j > 0) join(name(i, j - 1), {0.0, 0.0, -1.0});
      }
    Rig rig(scene);
    double lowest = energy_of(measure(rig.world)), most = 0.0;
    const double start = lowest;
    for (int f = 0; f < 60; ++f) {
      rig.step();
      const Measures now = measure(rig.world);
      ASSERT_GT(now.swept_joints, 0);
      ASSERT_LE(energy_of(now), lowest + 0.06 * start) << int(c.type) << ", " << f;
      lowest = std::min(lowest, energy_of(now));
      most = std::max(most, now.joint_error_max);
    }
    EXPECT_LT(most, 8e-3) << int(c.type);
  }
}

#if LIMBER_DOUBLE
/// A symmetric sweep, there and back through the colours, is reciprocal (Maxwell and Betti): displacing one
/// bead moves a second one as far as displacing the second moves the first. Displacements of 1e-5 meshes keep
/// the nonlinear part as small.
TEST(JointNet, SweepsAreReciprocal) {
  Net net{12, 12, 60.0};
  net.substeps = 40;  // a single sweep
  Rig rig(scene_of(net));
  const World& world = rig.world;
  std::vector<std::int32_t> joints;
  for (std::size_t j = 0; j < world.topology->joints.size(); ++j) joints.push_back(std::int32_t(j));
  JointNets nets(reference_kernels().nets);
  ASSERT_EQ(nets.add(world, joints, {}), 0);
  nets.lay_out(world);
  nets.choose(0, true);
  rig.world.bodies.joint_step = 1.0 / 2400.0;
  nets.begin_frame(world, real(1.0 / 2400.0));
  const std::size_t count = std::size_t(world.bodies.count());
  const real way = real(1e-5 * mesh);
  /// The displacements of all beads, in units of that given to `bead` along `axis`.
  const auto response = [&](std::size_t bead, int axis) {
    std::vector<vec4> rows((count + 2) * body_rows, vec4(0));
    for (std::size_t i = 0; i < count; ++i) {
      rows[body_rows * i + row_shift].w = world.bodies.position[i].w;
      rows[body_rows * i + row_diagonal] = world.bodies.inverse_inertia[i];
    }
    rows[body_rows * bead + row_shift][axis] = way;
    std::vector<double> pushed(4 * count, 0.0), turned(4 * count, 0.0);
    Pool pool(1);
    pool.run([&](Team& team) {
      nets.warm(rig.world, rows.data(), team);
      nets.push(rig.world, rows.data(), pushed.data(), turned.data(), team);
    });
    std::vector<glm::dvec3> moved;
    for (std::size_t i = 0; i < count; ++i)
      moved.push_back(glm::dvec3(rows[body_rows * i + row_shift]) / double(way));
    return moved;
  };
  const std::size_t one = 5 * 12 + 4;
  double most = 0.0, differ = 0.0;
  for (const std::size_t other : {one + 1, one + 12, one + 13, one + 2})
    for (int axis = 0; axis < 3; ++axis) {
      const std::vector<glm::dvec3> from_one = response(one, axis);
      for (int across = 0; across < 3; ++across) {
        const double there = from_one[other][across], back = response(other, across)[one][axis];
        most = std::max(most, std::abs(there)), differ = std::max(differ, std::abs(there - back));
      }
    }
  EXPECT_GT(most, 0.1);
  EXPECT_LT(differ, 2e-5 * most);
}
#endif

/// Joints that break in the first substep of a frame let go in its others.
TEST(JointNet, BrokenJointsLetGoAtOnce) {
  const Net net{14, 14, 0.0};
  SceneDesc scene = scene_of(net);
  for (JointDesc& joint : scene.joints) joint.break_force = 1e-3;
  Rig rig(scene);
  rig.step();
  EXPECT_GT(rig.world.bodies.swept_joints, 0);
  const double h = rig.world.bodies.joint_step;
  for (int i = net.columns; i < rig.world.bodies.count(); ++i) {
    const double speed = -double(rig.world.bodies.velocity[std::size_t(i)].y);
    EXPECT_GT(speed, 6.99 * g * h) << i;
    EXPECT_LT(speed, 8.01 * g * h) << i;
  }
}

/// Under a heavy bead the joints above it break, and the net does not fly apart.
TEST(JointNet, BreaksWhereItBearsMoreThanItCan) {
  Net net{14, 14, 0.0};
  for (const double most : {600.0, 100.0}) {
    SceneDesc scene = scene_of(net);
    for (JointDesc& joint : scene.joints) joint.break_force = most;
    Rig rig(scene);
    rig.run(60);
    const Measures now = measure(rig.world);
    EXPECT_GT(now.swept_joints, 0);
    if (most > 13 * g * 3)
      EXPECT_EQ(now.broken_joints, 0) << most;
    else
      EXPECT_GE(now.broken_joints, net.columns) << most;
    EXPECT_LT(now.max_speed, 1.05 * g);  // of free fall
  }
}

/// Joints with compliance stretch by their loads.
TEST(JointNet, SoftJointsStretchByTheirLoads) {
  Net net{14, 14, 0.0};
  SceneDesc scene = scene_of(net);
  for (JointDesc& joint : scene.joints) joint.compliance = 1e-5;
  scene.solver.motion->damping = 0.95;
  Rig rig(scene);
  rig.run(600);
  ASSERT_GT(rig.world.bodies.swept_joints, 0);
  const auto height = [&](int k) {
    return double(rig.world.bodies.position[std::size_t(k * net.columns)].y);
  };
  for (int k = 1; k < net.rows; ++k)
    EXPECT_NEAR(height(k - 1) - height(k) - mesh, 1e-5 * (net.rows - k) * g, 0.006 * 1e-5 * net.rows * g)
        << k;
}

}}}}  // namespace limber::LIMBER_PRECISION::joint_net_test
