// Joints of rigid bodies against closed forms, in float and in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>
#include <vector>

#include "engine/core/block_cholesky.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/bodies/joints/joint_rows.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_test { namespace {

using namespace joint_scenes;

constexpr double g = 9.81;

glm::dvec3 center(const World& world, std::size_t body) { return glm::dvec3(world.bodies.position[body]); }

/// Largest distance between the anchors of any joint.
double widest(const World& world) {
  double most = 0.0;
  for (const Joint& j : world.topology->joints) {
    const auto at = [&](std::int32_t body, const glm::dvec3& own) {
      if (body < 0) return own;
      return center(world, std::size_t(body)) +
             matrix_of(glm::dvec4(world.bodies.orientation[std::size_t(body)])) * own;
    };
    if (holds_points(j.type)) most = std::max(most, glm::distance(at(j.a, j.at_a), at(j.b, j.at_b)));
  }
  return most;
}

/// Twice the time between two passages through the lowest point.
double period(const SceneDesc& scene) {
  Rig rig(scene);
  double before = center(rig.world, 0).x, first = 0.0;
  for (int f = 1; f < 600; ++f) {
    rig.step();
    const double now = center(rig.world, 0).x;
    if (before * now < 0.0) {
      const double at = scene.solver.step->dt * (f - now / (now - before));
      if (first > 0.0) return 2.0 * (at - first);
      first = at;
    }
    before = now;
  }
  return 0.0;
}

/// A Newton step of the worked example: K, its solution, and the motion of both bodies.
TEST(Joint, TheBallJointOfTheWorkedExample) {
  const test::VectorCase c = test::vector_case("rigid_ball_joint");
  const Joint ball{JointType::ball,
                   0,
                   0,
                   1,
                   test::to_vec3<double>(c.inputs["P_local"][0]),
                   test::to_vec3<double>(c.inputs["P_local"][1])};
  JointPose pose[2];
  glm::dmat3 inverse[2];
  double w[2];
  for (int k = 0; k < 2; ++k) {
    const auto& q = c.inputs["q_wxyz"][k];
    pose[k] = {test::to_vec3<double>(c.inputs["x"][k]),
               matrix_of(glm::dvec4(q[1].get<double>(), q[2].get<double>(), q[3].get<double>(),
                                    q[0].get<double>()))};
    w[k] = 1.0 / c.inputs["m"][k].get<double>();
    const glm::dvec3 inertia = test::to_vec3<double>(c.inputs["I_body"][k]);
    const glm::dmat3 r = pose[k].rotation;
    inverse[k] =
        r * glm::dmat3(1 / inertia.x, 0, 0, 0, 1 / inertia.y, 0, 0, 0, 1 / inertia.z) * glm::transpose(r);
  }
  JointRow rows[most_joint_rows];
  double values[most_joint_rows];
  ASSERT_EQ(joint_rows(ball, {}), 3);
  joint_gradients(ball, {}, pose[0], pose[1], rows);
  joint_values(ball, {}, pose[0], pose[1], values);
  EXPECT_TRUE(test::matches<double>(c, "C", glm::dvec3(values[0], values[1], values[2])));

  BlockCholesky matrix;
  ASSERT_TRUE(matrix.analyze(1, {}, 1));
  std::vector<double> K, lambda(6, 0.0);
  for (int r = 0; r < 3; ++r) {
    lambda[std::size_t(r)] = -values[r];
    for (int s = 0; s < 3; ++s) {
      K.push_back((w[0] + w[1]) * glm::dot(rows[r].l, rows[s].l) +
                  glm::dot(rows[r].arm_a, inverse[0] * rows[s].arm_a) +
                  glm::dot(rows[r].arm_b, inverse[1] * rows[s].arm_b));
      matrix.diagonal(0)[6 * r + s] = K.back();
    }
  }
  std::vector<double> expected;
  test::flatten(c.expected.at("K"), expected);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(K[k], expected[k], 1e-9);
  const std::vector<std::uint8_t> sizes{3};
  matrix.factor(sizes);
  matrix.solve(sizes, lambda);
  EXPECT_TRUE(test::matches<double>(c, "lam", glm::dvec3(lambda[0], lambda[1], lambda[2])));
  for (int k = 0; k < 2; ++k) {
    glm::dvec3 shift(0.0), twist(0.0);
    const double sign = k == 0 ? 1.0 : -1.0;
    for (int r = 0; r < 3; ++r) {
      shift += sign * w[k] * lambda[std::size_t(r)] * rows[r].l;
      twist += sign * lambda[std::size_t(r)] * (k == 0 ? rows[r].arm_a : rows[r].arm_b);
    }
    EXPECT_TRUE(test::matches<double>(c, c.expected["dx"][std::size_t(k)], shift)) << k;
    EXPECT_TRUE(test::matches<double>(c, c.expected["dphi"][std::size_t(k)], inverse[k] * twist)) << k;
  }
}

/// The bob is a sphere of radius R: I / (m L^2) = 1 + 2/5 R^2. Symplectic steps of h change a small swing's
/// frequency by (w h)^2 / 24 = 2e-6; the passage between two frames is a straight line, off by (w dt)^2 / 24
/// of the frame: 2e-6 s.
TEST(Joint, APendulumSwingsInTheTimeOfAPhysicalOne) {
  for (const double radius : {0.01, 0.4}) {
    const double inertia = 1.0 + 0.4 * radius * radius, exact = 2.0 * pi * std::sqrt(inertia / g) * 1.00191;
    EXPECT_NEAR(period(pendulum(10.0, radius, 8)), exact, 5e-5 * exact) << radius;
  }
}

TEST(Joint, WideSwingsTakeLonger) {
  const std::vector<std::pair<double, double>> ratios{
      {45, 1.03997}, {90, 1.18034}, {120, 1.37288}, {170, 2.43936}};
  for (const auto& [degrees, ratio] : ratios) {
    const double exact = 2.0 * pi * std::sqrt((1.0 + 0.4 * 1e-4) / g) * ratio;
    EXPECT_NEAR(period(pendulum(degrees, 0.01, 20)), exact, 1e-3 * exact) << degrees;
  }
}

TEST(Joint, ASpringStretchesByItsLoadForAnyNumberOfSubsteps) {
  for (const int substeps : {1, 2, 8, 20}) {
    JointDesc heavy = joint("heavy", JointType::distance, "one", "", {0.0, -1.0, 0.0});
    heavy.at_b = {};
    heavy.compliance = 0.01, heavy.damping = 20.0;
    JointDesc light = heavy;
    light.name = "light", light.a = "eighth";
    light.at.x = light.at_b.x = 2.0;
    SceneDesc scene =
        scene_of({bob("one", {0.0, -1.0, 0.0}, 0.1), bob("eighth", {2.0, -1.0, 0.0}, 0.1, 0.125)},
                 {heavy, light}, substeps);
    scene.solver.motion->gravity = {0.0, -10.0, 0.0};
    Rig rig(scene);
    rig.run(240);
    // a step shorter than the rounding of the place is none, so up to eps / h^2 of acceleration does nothing
    const double h = scene.solver.step->dt / substeps,
                 slack = std::numeric_limits<real>::epsilon() / (h * h) * 0.01;
    EXPECT_NEAR(center(rig.world, 0).y, -1.1, 1e-6 + slack) << substeps;
    EXPECT_NEAR(center(rig.world, 1).y, -1.0125, 1e-6 + slack) << substeps;
  }
}

/// A mass m on a spring of stiffness k with a damper d, let go where the spring is at rest:
/// x = (m g / k)(1 - e^(-c t)(cos w t + c/w sin w t)) with c = d / 2m and w^2 = k/m - c^2.
TEST(Joint, ASpringIsDampedAsItsDamperSays) {
  JointDesc spring = joint("spring", JointType::distance, "bob", "", {0.0, -1.0, 0.0});
  spring.at_b = {};
  spring.compliance = 0.01, spring.damping = 4.0;
  SceneDesc scene = scene_of({bob("bob", {0.0, -1.0, 0.0}, 0.1)}, {spring}, 100);
  scene.solver.motion->gravity = {0.0, -10.0, 0.0};
  Rig rig(scene);
  const double c = 2.0, w = std::sqrt(100.0 - c * c);
  double worst = 0.0;
  for (int f = 1; f <= 60; ++f) {
    rig.step();
    const double t = f / 60.0,
                 way = 0.1 * (1.0 - std::exp(-c * t) * (std::cos(w * t) + c / w * std::sin(w * t)));
    worst = std::max(worst, std::abs(-1.0 - center(rig.world, 0).y - way));
  }
  EXPECT_LT(worst, 0.002);
}

SceneDesc hanging_chain(int links, double end_mass, int substeps) {
  BodyDesc rods = solid("rods", BodyShape::capsule, {0.0, -0.25, 0.0});
  rods.radius = 0.02, rods.half_length = 0.23;
  rods.density = 1.0 / (pi * 0.02 * 0.02 * (0.46 + 4.0 / 3.0 * 0.02));  // of 1 kg
  rods.arrangement = Arrangement::line;
  rods.copies = {double(links), 1.0, 1.0};
  rods.spacing = {0.0, -0.5, 0.0};
  const double length = 0.5 * links;
  JointDesc top = joint("top", JointType::ball, "rods[0]", "", {});
  JointDesc chain = joint("chain", JointType::ball, "rods", "", {0.0, -0.5, 0.0});
  chain.chain = true;
  JointDesc end =
      joint("end", JointType::ball, "weight", "rods[" + std::to_string(links - 1) + "]", {0.0, -length, 0.0});
  if (links == 1)
    return scene_of({rods, bob("weight", {0.0, -length - 0.3, 0.0}, 0.3, end_mass)}, {top, end}, substeps);
  return scene_of({rods, bob("weight", {0.0, -length - 0.3, 0.0}, 0.3, end_mass)}, {top, chain, end},
                  substeps);
}

/// Links of a kilogram and a weight of a hundred, pushed sideways at 6 m/s: it swings, and nothing stretches.
TEST(Joint, AChainDoesNotStretchUnderAHundredTimesItsLinks) {
  SceneDesc scene = hanging_chain(12, 100.0, 8);
  scene.bodies[1].velocity = {6.0, 0.0, 0.0};
  Rig rig(scene);
  double most = 0.0;
  for (int f = 0; f < 240; ++f) {
    rig.step();
    most = std::max(most, widest(rig.world));
  }
  EXPECT_LT(most, 1e-3);  // of 6.3 m
}

/// Two rods. RATTLE has no drift: symplectic Euler oscillates by h / 2 m g v, and after ten seconds the mean
/// energy is unchanged.
TEST(Joint, ADoublePendulumKeepsItsEnergy) {
  SceneDesc scene = hanging_chain(2, 1.0, 8);
  scene.bodies.pop_back(), scene.joints.pop_back();
  scene.bodies[0].velocity = {3.0, 0.0, 0.0};
  Rig rig(scene);
  std::vector<double> energy;
  for (int f = 0; f < 600; ++f) {
    rig.step();
    const Measures now = measure(rig.world);
    energy.push_back(now.kinetic_energy + now.potential_energy);
  }
  const auto [least, most] = std::minmax_element(energy.begin(), energy.end());
  EXPECT_LT(*most - *least, 2.0 * (0.5 / 480.0) * 2.0 * g * 5.0);
  const auto mean = [&](int from) {
    double sum = 0.0;
    for (int f = from; f < from + 150; ++f) sum += energy[std::size_t(f)] / 150.0;
    return sum;
  };
  EXPECT_NEAR(mean(450), mean(0), 0.02);
}

TEST(Joint, AFreeChainKeepsItsMomenta) {
  SceneDesc scene = hanging_chain(8, 5.0, 8);
  scene.joints.erase(scene.joints.begin());
  scene.solver.motion->gravity = {};
  scene.bodies[1].velocity = {2.0, 0.5, 1.0};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 90.0};
  Rig rig(scene);
  rig.step();
  const Measures start = measure(rig.world);
  rig.run(120);
  const Measures now = measure(rig.world);
  const double rounding = 960 * 20.0 * std::numeric_limits<real>::epsilon();
  EXPECT_LT(glm::length(now.momentum - start.momentum), rounding);
  EXPECT_LT(glm::length(now.angular_momentum - start.angular_momentum), 10.0 * rounding + 1e-4);
  EXPECT_LE(now.kinetic_energy, start.kinetic_energy * (1.0 + 1e-3));
  EXPECT_GE(now.kinetic_energy, start.kinetic_energy * 0.98);
  EXPECT_LT(now.joint_error_max, 1e-4) << "it is still a chain";
}

/// A wheel of rods that hang from each other, with contacts on the ground: the result of islands and contacts
/// together does not depend on the threads.
TEST(Joint, ThreadsChangeNoBit) {
  SceneDesc scene = hanging_chain(6, 20.0, 4);
  scene.bodies[1].velocity = {5.0, 0.0, 0.0};
  for (auto& desc : scene.joints) desc.at.y += 3.6;
  for (auto& desc : scene.bodies) desc.pose.position.y += 3.6;
  BodyDesc boxes = solid("boxes", BodyShape::box, {1.2, 0.3, 0.0});
  boxes.half_extents = glm::dvec3(0.3);
  boxes.copies = {1.0, 4.0, 2.0};
  boxes.spacing = {0.0, 0.6, 0.65};
  JointDesc tie = joint("tie", JointType::fixed, "boxes[1]", "boxes[2]", {1.2, 0.9, 0.0});
  scene.bodies.push_back(boxes);
  scene.joints.push_back(tie);
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.colliders = {floor};
  Rig one(scene);
  one.run(60);
  for (const int threads : test::several_threads()) {
    Rig many(scene, threads);
    many.run(60);
    EXPECT_EQ(world_hash(one.world), world_hash(many.world)) << threads;
  }
}

/// At rest the hook carries the ball: 981 N a hundred kilograms, and breaks where it bears less.
TEST(Joint, BreaksWhereItBearsMoreThanItCan) {
  for (const double most : {990.0, 975.0}) {
    SceneDesc scene = hanging_chain(2, 100.0, 8);
    scene.joints[2].break_force = most;
    Rig rig(scene);
    rig.run(30);
    EXPECT_EQ(measure(rig.world).broken_joints, most < 981.0 ? 1 : 0) << most;
    EXPECT_EQ(rig.world.bodies.velocity[2].y < -1, most < 981.0) << most;
    if (most <= 981.0) continue;
    EXPECT_NEAR(rig.world.bodies.joints[2].push.y * 480.0 * 480.0, 981.0, 1e-3 * 981.0);
  }
}

TEST(Joint, ABallTurnsWithinItsCone) {
  SceneDesc scene = hanging_chain(1, 1.0, 8);
  scene.joints[0].cone_degrees = 30.0;
  for (auto& body : scene.bodies) body.velocity = {8.0, 0.0, 3.0};
  Rig rig(scene);
  double widest_turn = 0.0;
  for (int f = 0; f < 120; ++f) {
    rig.step();
    const vec3 y = rotation_of(rig.world.bodies.orientation[0])[1];
    widest_turn = std::max(widest_turn, std::acos(std::min(1.0, double(y.y))));
  }
  EXPECT_NEAR(widest_turn, 30.0 * pi / 180.0, 2e-3);
}

/// A rope is no longer than it is, and pushes nothing: the ball falls freely until it is taut.
TEST(Joint, ARopeOnlyPulls) {
  JointDesc rope = joint("rope", JointType::distance, "ball", "", {0.0, -0.5, 0.0});
  rope.rope = true;
  rope.length = 1.0;
  Rig rig(scene_of({bob("ball", {0.0, -0.5, 0.0}, 0.1)}, {rope}));
  rig.run(12);
  const double h = 1.0 / 480.0;
  EXPECT_NEAR(center(rig.world, 0).y, -0.5 - 0.5 * g * 0.2 * (0.2 + h), 1e-5);
  rig.run(60);
  EXPECT_NEAR(center(rig.world, 0).y, -1.0, 1e-5);
}

/// A shaft driven about y turns one that leans: a universal joint passes a whole turn on for a whole turn.
TEST(Joint, AUniversalJointPassesTurnsOn) {
  BodyDesc drive = solid("drive", BodyShape::cylinder, {0.0, 0.5, 0.0}), driven = drive;
  drive.radius = driven.radius = 0.1;
  drive.half_length = driven.half_length = 0.4;
  driven.name = "driven";
  const double lean = 30.0 * pi / 180.0;
  driven.pose.position = {0.5 * std::sin(lean), -0.5 * std::cos(lean), 0.0};
  driven.pose.rotation_degrees = {0.0, 0.0, 30.0};
  JointDesc motor = joint("motor", JointType::hinge, "drive", "", {0.0, 0.5, 0.0});
  motor.motor_speed = 360.0, motor.motor_torque = 1e5;
  JointDesc cross = joint("cross", JointType::universal, "driven", "drive", {});
  cross.axis = {0.0, 0.0, 1.0}, cross.axis_b = {1.0, 0.0, 0.0};
  JointDesc bearing = joint("bearing", JointType::ball, "driven", "", {std::sin(lean), -std::cos(lean), 0.0});
  SceneDesc scene = scene_of({drive, driven}, {motor, cross, bearing});
  scene.solver.motion->gravity = {};
  Rig rig(scene);
  rig.run(60);  // a turn, but for the start
  const vec3 axis = vec3(real(-std::sin(lean)), real(std::cos(lean)), 0);
  double turned = 0.0, most = 0.0, least = 1e9;
  for (int f = 0; f < 60; ++f) {
    rig.step();
    const double w = double(glm::dot(angular_velocity(rig.world.bodies, 1), axis));
    turned += w / 60.0;
    most = std::max(most, w), least = std::min(least, w);
  }
  EXPECT_NEAR(turned, 2.0 * pi, 2e-3);
  EXPECT_NEAR(most, 2.0 * pi / std::cos(lean), 0.02);  // Cardan: w1 / cos at most, w1 cos at least
  EXPECT_NEAR(least, 2.0 * pi * std::cos(lean), 0.02);
}

/// A hundred bodies at one place, held together by joints that ask for the impossible, stay finite.
TEST(Joint, ContradictionsStayFinite) {
  BodyDesc balls = bob("balls", {0.0, 1.0, 0.0}, 0.1);
  balls.copies = {10.0, 1.0, 1.0};
  balls.spacing = {0.3, 0.0, 0.0};
  JointDesc fixed = joint("fixed", JointType::fixed, "balls", "", {-1.35, 1.0, 0.0}), chain = fixed,
            again = fixed;
  chain.chain = true, chain.name = "chain";
  again.name = "again", again.type = JointType::distance, again.length = 3.0;
  again.at_b = {5.0, 1.0, 0.0};
  SceneDesc scene = scene_of({balls}, {fixed, chain, again}, 4);
  Rig rig(scene);
  rig.world.user.body_grab = BodyGrab{3, vec3(0), {100.0, 100.0, 0.0}};
  for (int f = 0; f < 60; ++f) ASSERT_FALSE(rig.step().nonfinite) << f;
}

/// Short light links under a hundred times their weight, struck: their own oscillations about the taut line
/// are too fast for the substeps, and damping of these oscillations keeps the chain from blowing up.
TEST(Joint, ATightChainOfLightLinksStaysCalm) {
  SceneDesc scene = hanging_chain(12, 100.0, 8);
  BodyDesc& links = scene.bodies[0];
  links.half_length = 0.1, links.spacing.y = -0.25, links.pose.position.y = -0.125;
  links.density = 3511.0;
  scene.joints[1].at.y = -0.25, scene.joints[2].at.y = -3.0;
  scene.bodies[1].pose.position.y = -3.3;
  scene.bodies[1].velocity = {5.0, 0.0, 0.0};
  Rig rig(scene);
  rig.step();
  const double begin = measure(rig.world).kinetic_energy;
  for (int f = 0; f < 120; ++f) {
    rig.step();
    ASSERT_LT(measure(rig.world).joint_error_max, 1e-3) << f;
    ASSERT_LT(measure(rig.world).kinetic_energy, 1.01 * begin) << f;
  }
}

/// A rod that turns about its upper end hits a beam above it: contact and joint contradict each other, and
/// the rod comes to rest.
TEST(Joint, AJammedJointComesToRest) {
  SceneDesc scene = hanging_chain(1, 5.0, 8);
  scene.bodies[0].velocity = {2.0, 0.0, 0.0};
  ColliderDesc beam;
  beam.name = "beam";
  beam.shape = ColliderShape::box;
  beam.half_extents = {1.0, 0.05, 0.1};
  beam.pose.position = {0.0, 0.03, 0.0};  // 1 cm into the rod's end
  scene.colliders = {beam};
  Rig rig(scene);
  for (int f = 0; f < 240; ++f) {
    rig.step();
    ASSERT_LT(measure(rig.world).kinetic_energy, 60.0) << f;
  }
  EXPECT_LT(measure(rig.world).joint_error_max, 0.01);
}

/// A ball strikes the middle of a hanging string of beads, and bounces. An impact does not move what joints
/// hold to the place from which it would have come with its new velocity: that is 5 mm away.
TEST(Joint, AnImpactLeavesThemTogether) {
  for (const auto& [type, substeps] : {std::pair(JointType::ball, 4),
                                       {JointType::ball, 8},
                                       {JointType::ball, 20},
                                       {JointType::hinge, 4},
                                       {JointType::universal, 4},
                                       {JointType::fixed, 4}}) {
    std::vector<BodyDesc> bodies;
    std::vector<JointDesc> joints;
    for (int k = 0; k < 9; ++k) {
      bodies.push_back(joint_scenes::bob("bead" + std::to_string(k), {0.0, -0.12 * k, 0.0}, 0.045, 0.5));
      bodies.back().fixed = k == 0;
      bodies.back().restitution = 0.8;
      if (k > 0)
        joints.push_back(joint_scenes::joint("knot" + std::to_string(k), type, bodies.back().name,
                                             bodies[std::size_t(k) - 1].name, {0.0, -0.12 * k + 0.06, 0.0}));
    }
    bodies.push_back(joint_scenes::bob("ball", {-0.5, -0.5, 0.01}, 0.06, 1.0));
    bodies.back().velocity = {5.0, 0.0, 0.0};
    bodies.back().restitution = 0.8;
    Rig rig(joint_scenes::scene_of(std::move(bodies), std::move(joints), substeps));
    const double before = measure(rig.world).kinetic_energy + measure(rig.world).potential_energy;
    double most = 0.0;
    for (int f = 0; f < 40; ++f) {
      rig.step();
      const Measures now = measure(rig.world);
      most = std::max(most, now.joint_error_max);
      ASSERT_LT(now.kinetic_energy + now.potential_energy, before + 0.05) << substeps << ", " << f;
    }
    EXPECT_LT(rig.world.bodies.velocity[9].x, real(2.0)) << substeps;  // it has struck
    EXPECT_LT(most, 4e-7) << substeps;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::joint_test
