// Thrown balls against rigid bodies: each pushes the other.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION::thrown_ball_test {
namespace {

constexpr double eps = std::numeric_limits<real>::epsilon();

BodyDesc box_at(const glm::dvec3& position, double density) {
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.5);
  box.pose.position = position;
  box.density = density;
  return box;
}

SceneDesc weightless(const BodyDesc& box) {
  SceneDesc scene;
  scene.solver.substeps = 8;
  scene.solver.damping = 0.0;
  scene.solver.gravity = glm::dvec3(0.0);
  scene.ground = false;
  scene.bodies = {box};
  return scene;
}

/// Of 56.5 kg at 8 m/s, a little above the middle.
const Ball stone{{-3.0, 0.2, 0.0}, {8.0, 0.0, 0.0}, 0.3, 500.0};

struct Impact : Rig {
  explicit Impact(const BodyDesc& box) : Rig(weightless(box)) { add_ball(world, stone); }
  const Ball& ball() const { return world.balls[0]; }
  glm::dvec3 momentum() const { return measure(world).momentum + ball().mass() * ball().velocity; }
  double energy() const {
    const glm::dvec3& v = ball().velocity;
    return measure(world).kinetic_energy + 0.5 * ball().mass() * glm::dot(v, v);
  }
};

/// Every contact gives the box what it takes from the ball: what is left over is the rounding of the speeds
/// that displacements of 1e-2 m are divided into, in 8 x 60 substeps.
TEST(ThrownBall, GivesABoxTheMomentumThatItLoses) {
  Impact rig(box_at(glm::dvec3(0.0), 100.0));
  const glm::dvec3 before = rig.momentum();
  const double energy = rig.energy();
  rig.run(60);
  const double given = 100.0 * double(rig.world.bodies.velocity[0].x);
  EXPECT_GT(given, 0.5 * before.x * 100.0 / (100.0 + stone.mass()));
  EXPECT_LT(rig.ball().velocity.x, 0.5 * stone.velocity.x);
  EXPECT_NEAR(glm::distance(rig.momentum(), before), 0.0, 480.0 * eps * before.x);
  EXPECT_LT(rig.energy(), energy);
  EXPECT_GT(glm::length(vec3(rig.world.bodies.angular_momentum[0])), real(1)) << "it was hit off its middle";
}

TEST(ThrownBall, IsStoppedByABodyThatNothingMoves) {
  BodyDesc wall = box_at(glm::dvec3(0.0), 100.0);
  wall.fixed = true;
  Impact rig(wall);
  for (int f = 0; f < 60; ++f) {
    rig.step();
    // half of what it foresaw for a frame at most: it is pushed out before the frame ends
    EXPECT_LT(rig.ball().position.x, -0.5 - 0.3 + 0.01);
  }
  EXPECT_LT(std::abs(rig.ball().velocity.x), 0.5);
}

/// A ball of foam stops at a heavy box that it cannot move, and does not push it as a collider would.
TEST(ThrownBall, CannotMoveWhatIsMuchHeavier) {
  Impact rig(box_at(glm::dvec3(0.0), 1e5));
  rig.run(60);
  EXPECT_LT(double(rig.world.bodies.velocity[0].x), 2.0 * stone.mass() * 8.0 / 1e5);
}

/// A speck of 4e-9 kg before a block of 1e5 kg at 200 m/s, and a ball of 8e7 kg into a speck of 4e-10 kg.
TEST(ThrownBall, OfAnyMassStaysFiniteAndWithinItsSpeed) {
  BodyDesc block = box_at({2.0, 0.0, 0.0}, 1e5), speck = box_at({2.0, 0.0, 0.0}, 0.1);
  block.velocity = {-200.0, 0.0, 0.0};
  speck.shape = BodyShape::sphere;
  speck.radius = 1e-3;
  const Ball dust{{0.0, 0.1, 0.0}, {0.0, 0.0, 0.0}, 1e-3, 1.0},
      rock{{-9.0, 0.0, 0.0}, {40.0, 0.0, 0.0}, 10.0, 2e4};
  for (const auto& [body, ball] : {std::pair(block, dust), std::pair(speck, rock), std::pair(block, rock)}) {
    Rig rig(weightless(body));
    add_ball(rig.world, ball);
    for (int f = 0; f < 30; ++f) {
      ASSERT_FALSE(rig.step().nonfinite);
      ASSERT_LE(glm::length(rig.world.balls[0].velocity), 40.001);
      ASSERT_LE(glm::length(vec3(rig.world.bodies.velocity[0])), real(200.01));
    }
  }
}

/// Two rows of boxes, several balls at once: the same bits for any number of threads.
TEST(ThrownBall, HitsAlikeOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3}) {
    BodyDesc wall = box_at({0.0, 2.0, 0.0}, 200.0);
    wall.copies = {4, 4, 1};
    wall.spacing = {1.02, 1.0, 1.0};
    SceneDesc scene = weightless(wall);
    scene.solver.gravity.y = -9.81;
    ColliderDesc floor;
    floor.name = "floor";
    floor.shape = ColliderShape::plane;
    scene.colliders = {floor};
    Rig rig(scene, threads);
    for (int b = 0; b < 3; ++b)
      add_ball(rig.world, {{double(b) - 1.0, 2.0, 3.0}, {0.0, 2.0, -12.0}, 0.3, 800.0});
    rig.run(25);
    if (threads == 1) first = state_hash(rig.world);
    EXPECT_EQ(state_hash(rig.world), first) << threads << " threads";
    real farthest = 0;
    for (const vec4& x : rig.world.bodies.position) farthest = std::min(farthest, x.z);
    EXPECT_LT(farthest, real(-0.3)) << "nothing was scattered";
  }
}

/// Thrown along the ground, a ball slides until friction makes it roll: about the point where they touch it
/// keeps its angular momentum, but for what it loses by rolling, so 5/7 of its speed is left (2 v / (7 mu g)
/// = 0.18 s), and then its surface does not slide.
TEST(ThrownBall, RollsWhereItMeetsFriction) {
  SceneDesc scene;
  scene.solver.substeps = 8;
  scene.solver.damping = 0.0;
  Rig rig(scene);
  add_ball(rig.world, {{0.0, 0.2, 0.0}, {3.0, 0.0, 0.0}, 0.2, ball_of_stone});
  const int frames = 15;
  rig.run(frames);
  const Ball& ball = rig.world.balls[0];
  const double h = rig.world.settings.dt / 8.0;
  EXPECT_NEAR(ball.velocity.x, 5.0 / 7.0 * 3.0 * std::pow(1.0 - 0.8 * h, 8 * frames), 1e-3);
  EXPECT_NEAR(ball.spin.z, -ball.velocity.x / ball.radius, 1e-6);
  EXPECT_NEAR(glm::length(glm::dvec2(ball.spin.x, ball.spin.y)), 0.0, 1e-9);
}

/// On ice it slides on and does not spin.
TEST(ThrownBall, SlidesWhereThereIsNoFriction) {
  SceneDesc scene;
  scene.ground = false;
  ColliderDesc ice;
  ice.name = "ice";
  ice.shape = ColliderShape::plane;
  ice.friction = 0.0;
  scene.colliders = {ice};
  Rig rig(scene);
  add_ball(rig.world, {{0.0, 0.2, 0.0}, {3.0, 0.0, 0.0}, 0.2, ball_of_stone});
  rig.run(15);
  EXPECT_EQ(rig.world.balls[0].spin, glm::dvec3(0.0));
  EXPECT_GT(rig.world.balls[0].velocity.x, 3.0 * (1.0 - 0.8 * 0.25));
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::thrown_ball_test
