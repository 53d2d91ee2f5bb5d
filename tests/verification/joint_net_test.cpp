// Nets of ball joints, which sweeps solve, against laws of mechanics and the direct solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_net_test { namespace {

constexpr double g = 9.81, mesh = 0.1;

/// Meshes of a net, its first row fixed, held out by `degrees` from the vertical, of beads of 1 kg. The bead
/// in the middle of the last row has `heavy` kg.
struct Net {
  int rows = 20, columns = 20;
  double degrees = 60.0, heavy = 1.0;
  int substeps = 8;
  bool fixed = true;
};

BodyDesc row_of(const Net& net, int k) {
  const double tilt = net.degrees * joint_scenes::pi / 180.0;
  BodyDesc row = joint_scenes::bob("row" + std::to_string(k),
                                   mesh * k * glm::dvec3(0.0, -std::cos(tilt), std::sin(tilt)), 0.4 * mesh);
  row.arrangement = Arrangement::line;
  row.copies = {double(net.columns), 1.0, 1.0};
  row.spacing = {mesh, 0.0, 0.0};
  row.collides_with = "none";
  row.fixed = net.fixed && k == 0;
  return row;
}

SceneDesc scene_of(const Net& net) {
  SceneDesc scene = joint_scenes::scene_of({}, {}, net.substeps);
  for (int k = 0; k < net.rows; ++k) {
    BodyDesc row = row_of(net, k);
    const glm::dvec3 here = row.pose.position;
    if (k > 0 || !net.fixed) {
      JointDesc along = joint_scenes::joint("along" + std::to_string(k), JointType::ball, row.name, "",
                                            here + glm::dvec3(0.5 * mesh, 0.0, 0.0));
      along.chain = true;
      scene.joints.push_back(along);
    }
    if (k > 0)
      scene.joints.push_back(joint_scenes::joint("down" + std::to_string(k), JointType::ball, row.name,
                                                 scene.bodies.back().name,
                                                 0.5 * (here + scene.bodies.back().pose.position)));
    scene.bodies.push_back(std::move(row));
  }
  return scene;
}

/// A net with the mass of one bead changed.
struct NetRig : Rig {
  explicit NetRig(const Net& net, int threads = 1) : Rig(scene_of(net), threads) {
    if (net.heavy == 1.0) return;
    const std::size_t i = std::size_t((net.rows - 1) * net.columns + net.columns / 2);
    world.bodies.position[i].w /= real(net.heavy);
    world.bodies.inverse_inertia[i] /= real(net.heavy);
  }
};

double energy_of(const Measures& now) { return now.kinetic_energy + now.potential_energy; }

/// Joints that sweeps leave apart act as springs: half of force times error.
double energy_of_errors(const World& world) {
  double sum = 0.0;
  for (std::size_t j = 0; j < world.bodies.joints.size(); ++j) {
    const JointMark mark = joint_mark(world, j);
    sum -= 0.5 * glm::dot(world.bodies.joints[j].push, glm::dvec3(mark.a - mark.b));
  }
  return sum / std::pow(world.bodies.joint_step, 2);
}

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

/// The largest distance between bodies of two worlds, in m.
double apart(const World& one, const World& other) {
  double most = 0.0;
  for (std::size_t i = 0; i < std::size_t(one.bodies.count()); ++i)
    most =
        std::max(most, double(glm::distance(vec3(one.bodies.position[i]), vec3(other.bodies.position[i]))));
  return most;
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

/// A net over a ball on the ground, and a second net of more than 4,096 joints, which threads share.
SceneDesc crowded() {
  Net small{14, 14, 80.0};
  SceneDesc scene = scene_of(small);
  for (BodyDesc& row : scene.bodies) row.collides_with = "all";
  ColliderDesc ball;
  ball.name = "ball", ball.shape = ColliderShape::sphere, ball.radius = 0.3;
  ball.pose.position = {0.6, -0.6, 0.7};
  scene.colliders = {ball};
  SceneDesc large = scene_of({47, 47, 30.0});
  for (BodyDesc& row : large.bodies) row.name += "_of_large", row.pose.position.x += 10.0;
  for (JointDesc& joint : large.joints) {
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
    stepper.prepare(world);
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

/// A net with joints that sweeps cannot solve, or with few substeps, is solved as a whole; so are single
/// loops.
TEST(JointNet, LimitsFewSubstepsAndSmallLoopsStayDirect) {
  SceneDesc limited = scene_of({14, 14, 0.0});
  limited.joints[5].cone_degrees = 30.0;
  Rig rig(limited);
  rig.run(5);
  EXPECT_EQ(rig.world.bodies.swept_joints, 0);
  EXPECT_LT(measure(rig.world).joint_error_max, 1e-5);
  Net quick{14, 14, 0.0};
  quick.substeps = 3;
  Rig coarse(scene_of(quick));
  coarse.run(5);
  EXPECT_EQ(coarse.world.bodies.swept_joints, 0);
  Rig ladder(scene_of({30, 2, 0.0}));
  ladder.run(5);
  EXPECT_EQ(ladder.world.bodies.swept_joints, 0);
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
