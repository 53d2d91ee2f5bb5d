// Nets of limits, motors and joints of every type, against laws of mechanics and the direct solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
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
    const double rounding = 2000.0 * std::numeric_limits<real>::epsilon();
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

}}}}  // namespace limber::LIMBER_PRECISION::joint_net_types_test
