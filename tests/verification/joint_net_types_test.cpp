// Nets of limits, motors and joints of every type, against laws of mechanics and the direct solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/parts/bodies/joints/joint_rows.hpp"
#include "engine/state/world_hash.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/joint_net_rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_net_types_test { namespace {

using namespace joint_nets;

/// A net of plates whose joints all have one type. Hinges and universal joints turn about the directions of
/// the net; rods reach from the middle of a mesh to the centre of its neighbour.
SceneDesc plates_of(const Net& net, JointType type) {
  SceneDesc scene = scene_of(net);
  const double tilt = net.degrees * joint_scenes::pi / 180.0;
  const glm::dvec3 down(0.0, -std::cos(tilt), std::sin(tilt)), right(1.0, 0.0, 0.0);
  for (BodyDesc& row : scene.bodies) {
    row.shape = BodyShape::box;
    row.half_extents = {0.45 * mesh, 0.3 * mesh, 0.1 * mesh};
    row.density = 1.0 / (8.0 * row.half_extents.x * row.half_extents.y * row.half_extents.z);
  }
  for (JointDesc& joint : scene.joints) {
    joint.type = type;
    joint.axis = joint.chain ? down : right, joint.axis_b = joint.chain ? right : down;
    if (type == JointType::distance) joint.at_b = joint.at + 0.5 * mesh * (joint.chain ? right : -down);
    if (type == JointType::ball) joint.cone_degrees = 25.0;
  }
  return scene;
}

const std::vector<JointType> every_type = {JointType::ball,  JointType::hinge,    JointType::slider,
                                           JointType::fixed, JointType::distance, JointType::universal};

TEST(JointNet, NeverGainsEnergyByJointsOfAnyType) {
  for (const JointType type : every_type)
    for (const int substeps : {1, 4, 20}) {
      Net net{10, 10, 60.0};
      net.substeps = substeps;
      Rig rig(plates_of(net, type));
      const double start = energy_of(measure(rig.world)), whole = g * mesh * 0.5 * 0.5 * 10 * 10 * 10;
      double most = 0.0;
      for (int f = 0; f < 60; ++f) {
        rig.step();
        const Measures now = measure(rig.world);
        ASSERT_GT(now.swept_joints, 0);
        ASSERT_LE(energy_of(now), start + 1e-6 * whole) << int(type) << ", " << substeps << ", " << f;
        most = std::max(most, now.joint_error_max);
      }
      EXPECT_LT(most, 0.1 * mesh) << int(type) << ", " << substeps;
    }
}

TEST(JointNet, OfAnyTypeStartsToSwingAsTheDirectSolutionDoes) {
  for (const JointType type : every_type) {
    SceneDesc scene = plates_of({10, 10, 50.0}, type);
    Rig swept(scene);
    scene.solver.method->joints = JointSolve::direct;
    Rig direct(scene);
    double most = 0.0, error = 0.0;
    for (int f = 0; f < 6; ++f) {
      swept.step(), direct.step();
      most = std::max(most, apart(swept.world, direct.world));
      error = std::max(error, measure(swept.world).joint_error_max);
    }
    EXPECT_GT(swept.world.bodies.swept_joints, 0);
    // a plate that is held along one side sags
    const bool stiff = type == JointType::fixed || type == JointType::slider;
    EXPECT_LT(most, stiff ? 0.03 : 3e-3) << int(type);
    EXPECT_LT(error, stiff ? 1e-3 : 0.4e-3) << int(type);
  }
}

/// Bodies that move alike round their motions alike, so that errors of their momenta add up. Trees that brace
/// a net store each motion several times a substep.
TEST(JointNet, AFreeOneOfAnyTypeKeepsItsMomenta) {
  for (const JointType type : every_type) {
    Net net{10, 10, 90.0};
    net.fixed = false;
    SceneDesc scene = plates_of(net, type);
    scene.solver.motion->gravity = {};
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      scene.bodies[k].velocity = {0.3, 0.2 * double(k % 3), 5.0 * scene.bodies[k].pose.position.z};
    Rig rig(scene);
    const Measures start = measure(rig.world);
    rig.run(30);
    const Measures now = measure(rig.world);
    EXPECT_GT(now.swept_joints, 0);
    const bool braced = type == JointType::fixed || type == JointType::slider;
    const double rounding =
        (braced ? 15.0 : 4.0) * std::numeric_limits<real>::epsilon() * glm::length(start.momentum);
    EXPECT_LT(glm::length(now.momentum - start.momentum), rounding) << int(type);
    EXPECT_LT(glm::length(now.angular_momentum - start.angular_momentum), rounding) << int(type);
    EXPECT_LE(now.kinetic_energy, start.kinetic_energy) << int(type);
  }
}

/// rad, turn of a joint's a against its b about their common axis, from their orientations.
double hinge_turn(const World& world, std::size_t j) {
  const Joint& joint = world.topology->joints[j];
  const auto axes = [&](std::int32_t body, const glm::dmat3& own) {
    return matrix_of(glm::dvec4(world.bodies.orientation[std::size_t(body)])) * own;
  };
  const glm::dmat3 a = axes(joint.a, joint.axes_a), b = axes(joint.b, joint.axes_b);
  return std::atan2(glm::dot(a[0], glm::cross(b[1], a[1])), glm::dot(b[1], a[1]));
}

/// Motors of all hinges along the rows roll a free sheet up, each at its speed, up to their limits.
TEST(JointNet, MotorsRollItUpToTheLimits) {
  Net net{10, 10, 90.0};
  net.fixed = false;
  SceneDesc scene = plates_of(net, JointType::hinge);
  scene.solver.motion->gravity = {};
  for (JointDesc& joint : scene.joints) {
    if (!joint.chain) continue;
    joint.motor_speed = 40.0, joint.motor_torque = 50.0;
    joint.limited = true, joint.lower_degrees = -12.0, joint.upper_degrees = 12.0;
  }
  Rig rig(scene);
  const double degree = joint_scenes::pi / 180.0;
  const auto check = [&](double degrees, double most) {
    double worst = 0.0;
    for (std::size_t j = 0; j < rig.world.topology->joints.size(); ++j)
      if (scene.joints[std::size_t(rig.world.topology->joints[j].source)].chain)
        worst = std::max(worst, std::abs(hinge_turn(rig.world, j) / degree - degrees));
    EXPECT_LT(worst, most) << degrees;
  };
  rig.run(12);  // 0.2 s
  EXPECT_GT(rig.world.bodies.swept_joints, 0);
  check(8.0, 5.0);  // the whole sheet has to be turned
  rig.run(40);
  check(12.0, 1e-3);
}

TEST(JointNet, APlateOfFixedJointsDoesNotSag) {
  for (const auto& [size, substeps] :
       {std::pair(10, 1), std::pair(10, 8), std::pair(10, 40), std::pair(24, 4)}) {
    Net net{size, size, 90.0};
    net.substeps = substeps;
    Rig rig(plates_of(net, JointType::fixed));
    const World start = rig.world;
    rig.run(12);  // 22 mm by sweeps alone
    EXPECT_GT(measure(rig.world).swept_joints, 0);
    EXPECT_LT(apart(start, rig.world), 1e-6) << size << ", " << substeps;
    EXPECT_LT(measure(rig.world).joint_error_max, 1e-6) << size << ", " << substeps;
  }
}

/// A small net is one thread's work; threads share the sweeps of a large one, of which one solves the tree.
TEST(JointNet, ThreadsChangeNoBitOfABracedOne) {
  for (const auto& [size, type] : {std::pair(10, JointType::slider), std::pair(48, JointType::fixed)}) {
    Net net{size, size, 60.0};
    net.substeps = 2, net.fixed = false;
    SceneDesc scene = plates_of(net, type);
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      scene.bodies[k].velocity = {0.1 * double(k % 3), 0.2 * double(k % 2), 0.0};
    Rig one(scene);
    one.run(3);
    EXPECT_GT(one.world.bodies.swept_joints, size == 48 ? 4096 : 0);
    for (const int threads : test::several_threads()) {
      Rig many(scene, threads);
      many.run(3);
      EXPECT_EQ(world_hash(one.world), world_hash(many.world)) << size << ", " << threads;
    }
  }
}

/// Hung on ball joints along one side it swings as one body does, whose motion is integrated by Runge and
/// Kutta's rule: I t'' = -m g d sin t.
TEST(JointNet, APlateOfFixedJointsSwingsAsARigidBody) {
  Net net{10, 10, 90.0};
  net.fixed = false;
  SceneDesc scene = plates_of(net, JointType::fixed);
  scene.joints.push_back(
      joint_scenes::joint("pivots", JointType::ball, "row0", "", scene.bodies[0].pose.position));
  const glm::dvec3 half = scene.bodies[0].half_extents;
  double inertia = 0.0, moment = 0.0;  // of a column
  for (int k = 0; k < net.rows; ++k) {
    inertia += mesh * k * mesh * k + (half.y * half.y + half.z * half.z) / 3.0;
    moment += mesh * k;
  }
  Rig rig(scene);
  glm::dvec2 state(0.5 * joint_scenes::pi, 0.0);  // rad, rad/s
  const auto rate = [&](const glm::dvec2& s) {
    return glm::dvec2(s.y, -g * moment / inertia * std::sin(s.x));
  };
  const double start = energy_of(measure(rig.world));
  for (int f = 0; f < 60; ++f) {
    constexpr int steps = 100;
    const double h = scene.solver.step->dt / steps;
    for (int k = 0; k < steps; ++k) {
      const glm::dvec2 a = rate(state), b = rate(state + 0.5 * h * a), c = rate(state + 0.5 * h * b),
                       d = rate(state + h * c);
      state += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    rig.step();
    const auto& last = rig.world.bodies.position.back();
    ASSERT_NEAR(std::atan2(double(last.z), -double(last.y)), state.x, 0.012) << f;
    ASSERT_NEAR(energy_of(measure(rig.world)), start, 3e-3 * 100.0 * g) << f;
    ASSERT_LT(measure(rig.world).joint_error_max, 2e-5) << f;
  }
  EXPECT_GT(rig.world.bodies.swept_joints, 0);
}

#if LIMBER_DOUBLE
/// Velocities of the bodies, linear and angular.
using Motion = std::vector<std::array<glm::dvec3, 2>>;

/// The motion with J v = 0 nearest to `free` by kinetic energy, v = free - M^-1 J^T lambda with
/// (J M^-1 J^T) lambda = J free: all rows of all joints at once, by a sparse factorization of another
/// library. Rows that follow from others make the matrix singular, so a share of 1e-11 is added to its
/// diagonal.
Motion nearest_allowed(const World& world, const Motion& free) {
  struct Row {
    JointRow gradient;
    std::int32_t a, b;
  };
  std::vector<Row> rows;
  const std::size_t count = free.size();
  std::vector<JointPose> poses(count);
  std::vector<glm::dmat3> inverse_inertia(count, glm::dmat3(0.0));
  std::vector<double> w(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    poses[i] = {glm::dvec3(world.bodies.position[i]), matrix_of(glm::dvec4(world.bodies.orientation[i]))};
    w[i] = world.bodies.position[i].w;
    const glm::dvec3 own(vec3(world.bodies.inverse_inertia[i]));
    inverse_inertia[i] = poses[i].rotation * glm::dmat3(own.x, 0, 0, 0, own.y, 0, 0, 0, own.z) *
                         glm::transpose(poses[i].rotation);
  }
  std::vector<std::vector<std::int32_t>> rows_at(count);
  for (const Joint& joint : world.topology->joints) {
    const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
    JointRow gradients[most_joint_rows];
    joint_gradients(joint, material, poses[std::size_t(joint.a)], poses[std::size_t(joint.b)], gradients);
    for (int r = 0; r < joint_rows(joint, material); ++r) {
      if (gradients[r].bounded) continue;
      for (const std::int32_t body : {joint.a, joint.b})
        rows_at[std::size_t(body)].push_back(std::int32_t(rows.size()));
      rows.push_back({gradients[r], joint.a, joint.b});
    }
  }
  std::vector<std::int32_t> first{0}, members;
  for (const auto& list : rows_at) {
    members.insert(members.end(), list.begin(), list.end());
    first.push_back(std::int32_t(members.size()));
  }
  SparsePattern pattern;
  pattern.build(std::int32_t(rows.size()), first, members);
  std::vector<double> values(std::size_t(pattern.entries()), 0.0), x(rows.size());
  const auto side = [&](const Row& row, std::size_t body) {  // of a row at a body: l, arm
    const double sign = row.a == std::int32_t(body) ? 1.0 : -1.0;
    return std::array{sign * row.gradient.l,
                      sign * (row.a == std::int32_t(body) ? row.gradient.arm_a : row.gradient.arm_b)};
  };
  for (std::size_t i = 0; i < count; ++i)
    for (const std::int32_t r : rows_at[i]) {
      const auto [l, arm] = side(rows[std::size_t(r)], i);
      x[std::size_t(r)] += glm::dot(l, free[i][0]) + glm::dot(arm, free[i][1]);
      for (const std::int32_t s : rows_at[i]) {
        if (s > r) continue;
        const auto [l_s, arm_s] = side(rows[std::size_t(s)], i);
        values[std::size_t(pattern.entry(r, s))] +=
            w[i] * glm::dot(l, l_s) + glm::dot(arm, inverse_inertia[i] * arm_s);
      }
    }
  for (std::int32_t r = 0; r < pattern.size(); ++r) values[std::size_t(pattern.diagonal(r))] *= 1.0 + 1e-11;
  SparseCholesky solver;
  solver.analyze(pattern);
  EXPECT_TRUE(solver.factor(values));
  solver.solve(x);
  Motion allowed = free;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::int32_t r : rows_at[i]) {
      const auto [l, arm] = side(rows[std::size_t(r)], i);
      allowed[i][0] -= x[std::size_t(r)] * w[i] * l;
      allowed[i][1] -= x[std::size_t(r)] * (inverse_inertia[i] * arm);
    }
  return allowed;
}

/// The velocities that one substep gives to a net whose bodies begin with velocities that joints do not
/// allow.
TEST(JointNet, ABracedOneMovesAsTheSolutionOfAllItsRows) {
  struct Case {
    JointType type;
    bool fixed;
    double most;  ///< m/s, of 0.05
  };
  // rows of sliders bind each other across the net, of which the rounds of a substep leave a part
  for (const Case& c : {Case{JointType::fixed, true, 5e-6}, Case{JointType::fixed, false, 5e-6},
                        Case{JointType::slider, true, 0.01}, Case{JointType::slider, false, 0.01}}) {
    Net net{10, 10, 50.0};
    net.substeps = 1, net.fixed = c.fixed;
    SceneDesc scene = plates_of(net, c.type);
    scene.solver.motion->gravity = {};
    Rig rig(scene);
    Motion free(std::size_t(rig.world.bodies.count()), {glm::dvec3(0.0), glm::dvec3(0.0)});
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (!(rig.world.bodies.position[i].w > real(0))) continue;
      const double k = double(i);
      free[i][0] = 0.05 * glm::dvec3(std::sin(7.1 * k), std::sin(3.3 * k + 1.0), std::cos(5.7 * k));
      rig.world.bodies.velocity[i] = vec4(vec3(free[i][0]), real(0));
    }
    const Motion expected = nearest_allowed(rig.world, free);
    rig.step();
    ASSERT_GT(rig.world.bodies.swept_joints, 0);
    double most = 0.0, moved = 0.0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      most = std::max(most, glm::distance(glm::dvec3(vec3(rig.world.bodies.velocity[i])), expected[i][0]));
      moved = std::max(moved, glm::length(expected[i][0]));
    }
    EXPECT_LT(most, c.most) << int(c.type) << ", " << c.fixed << ", of " << moved;
  }
}
#endif

}}}}  // namespace limber::LIMBER_PRECISION::joint_net_types_test
