// Thrown balls: rigid bodies that are added to a World, and removed, while it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/queries/closest_features.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace thrown_ball_test { namespace {

constexpr double eps = std::numeric_limits<real>::epsilon();

/// Balls can be thrown into it, and removed.
struct Court : Rig {
  using Rig::Rig;
  void remove(std::int32_t body) {
    remove_body(world, body);
    solver.follow(world);
  }
  vec3 place(std::int32_t body) const { return vec3(world.bodies.position[std::size_t(body)]); }
  vec3 velocity(std::int32_t body) const { return vec3(world.bodies.velocity[std::size_t(body)]); }
  vec3 spin(std::int32_t body) const { return angular_velocity(world.bodies, std::size_t(body)); }
};

BodyDesc box_at(const glm::dvec3& position, double density) {
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.5);
  box.pose.position = position;
  box.density = density;
  return box;
}

ColliderDesc floor_of(double friction) {
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  floor.friction = friction;
  return floor;
}

SceneDesc weightless(const BodyDesc& box) {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.bodies = {box};
  return scene;
}

/// Rows of boxes on a floor, 2 cm apart.
SceneDesc wall_of_boxes(bool sleeping = false) {
  BodyDesc wall = box_at({0.0, 0.5, 0.0}, 200.0);
  wall.copies = {3, 3, 1};
  wall.spacing = {1.02, 1.0, 1.0};
  SceneDesc scene = weightless(wall);
  scene.solver.motion->gravity.y = -9.81;
  scene.solver.sleep->sleeping = sleeping;
  scene.colliders = {floor_of(0.5)};
  return scene;
}

/// A ball of 56.5 kg at 8 m/s, a little above the middle.
const Throw stone{{-3.0, 0.2, 0.0}, {8.0, 0.0, 0.0}, 0.3, 500.0};
const Throw far_away{{40.0, 30.0, 0.0}, {0.0, 0.0, 0.0}, 0.3, 500.0};

/// Every contact gives the box the momentum it takes from the ball. The remaining error is the rounding of
/// speeds computed from displacements of 1e-2 m, in 8 x 60 substeps.
TEST(ThrownBall, GivesABoxTheMomentumThatItLoses) {
  Court court(weightless(box_at(glm::dvec3(0.0), 100.0)));
  const std::int32_t ball = court.throw_ball(stone);
  const Measures before = measure(court.world);
  court.run(60);
  const Measures after = measure(court.world);
  const double given = 100.0 * double(court.velocity(0).x);
  EXPECT_GT(given, 0.5 * before.momentum.x * 100.0 / (100.0 + stone.mass()));
  EXPECT_LT(double(court.velocity(ball).x), 0.5 * stone.velocity.x);
  EXPECT_NEAR(glm::distance(after.momentum, before.momentum), 0.0, 480.0 * eps * before.momentum.x);
  EXPECT_LT(after.kinetic_energy, before.kinetic_energy);
  EXPECT_GT(glm::length(vec3(court.world.bodies.angular_momentum[0])), real(1))
      << "it was hit off its middle";
}

TEST(ThrownBall, BouncesOffABodyThatNothingMoves) {
  BodyDesc wall = box_at(glm::dvec3(0.0), 100.0);
  wall.fixed = true;
  Court court(weightless(wall));
  const std::int32_t ball = court.throw_ball(stone);
  for (int f = 0; f < 60; ++f) {
    court.step();
    EXPECT_LT(double(court.place(ball).x), -0.5 - 0.3 + 1e-3);
  }
  EXPECT_NEAR(double(court.velocity(ball).x), -0.5 * 8.0, 0.05);
}

/// A speck of 4e-9 kg before a block of 1e5 kg at 200 m/s, and a ball of 8e7 kg into a speck of 4e-10 kg.
TEST(ThrownBall, OfAnyMassStaysFiniteAndWithinItsSpeed) {
  BodyDesc block = box_at({2.0, 0.0, 0.0}, 1e5), speck = box_at({2.0, 0.0, 0.0}, 0.1);
  block.velocity = {-200.0, 0.0, 0.0};
  speck.shape = BodyShape::sphere;
  speck.radius = 1e-3;
  const Throw dust{{0.0, 0.1, 0.0}, {0.0, 0.0, 0.0}, 1e-3, 1.0},
      rock{{-9.0, 0.0, 0.0}, {40.0, 0.0, 0.0}, 10.0, 2e4};
  for (const auto& [body, thrown] :
       {std::pair(block, dust), std::pair(speck, rock), std::pair(block, rock)}) {
    Court court(weightless(body));
    const std::int32_t ball = court.throw_ball(thrown);
    for (int f = 0; f < 30; ++f) {
      ASSERT_FALSE(court.step().nonfinite);
      ASSERT_LE(glm::length(court.velocity(ball)), real(200.01));
      ASSERT_LE(glm::length(court.velocity(0)), real(200.01));
    }
  }
}

/// Twenty balls into a wall, one after the other: equal bits for any number of threads, and balls with
/// friction spin.
TEST(ThrownBall, ManyHitAlikeOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : test::thread_counts()) {
    Court court(wall_of_boxes(), threads);
    for (int b = 0; b < 20; ++b) {
      court.throw_ball({{0.21 * b - 2.0, 1.5, 2.0}, {0.0, 1.0, -14.0}, 0.1 + 0.005 * b, 800.0});
      ASSERT_FALSE(court.step().nonfinite);
    }
    court.run(10);
    if (threads == 1) first = world_hash(court.world);
    EXPECT_EQ(world_hash(court.world), first) << threads << " threads";
    ASSERT_EQ(court.world.bodies.count(), 9 + 20);
    real farthest = 0, fastest = 0;
    for (std::int32_t i = 0; i < 9; ++i) farthest = std::min(farthest, court.place(i).z);
    for (std::int32_t i = 9; i < 29; ++i) fastest = std::max(fastest, glm::length(court.spin(i)));
    EXPECT_LT(farthest, real(-0.1)) << "nothing was scattered";
    EXPECT_GT(fastest, real(2)) << "rad/s";
  }
}

/// An upright cloth of 2 m and n x n vertices in a frame.
SceneDesc framed_cloth(int n, double thickness) {
  SceneDesc scene = test::square_cloth(n);
  ObjectDesc& cloth = scene.objects[0];
  cloth.material->thickness = thickness;
  for (int k = 0; k < n; ++k)
    for (const int border : {k, (n - 1) * n + k, k * n, k * n + n - 1}) cloth.pins.emplace_back(long(border));
  return scene;
}

/// m, from the middle of the ball to the cloth that spans n x n vertices, by its squares' triangles.
double distance_to(Court& court, int n, std::int32_t ball) {
  using L = Lanes<double, 1>;
  const auto vec = [](const glm::dvec3& p) { return Vec3<L>{L(p.x), L(p.y), L(p.z)}; };
  const glm::dvec3 middle(court.place(ball));
  double nearest = 1e9;
  for (int r = 0; r + 1 < n; ++r)
    for (int c = 0; c + 1 < n; ++c) {
      const Index a = Index(r * n + c), b = a + 1, d = a + Index(n), e = d + 1;
      for (const auto& corners : {std::array{a, b, d}, std::array{b, e, d}}) {
        Vec3<L> t[3];
        for (int k = 0; k < 3; ++k) t[k] = vec(glm::dvec3(court.x(corners[std::size_t(k)])));
        const auto weights = closest_on_triangle(vec(middle), t);
        const Vec3<L> to = vec(middle) - (weights.b[0] * t[0] + weights.b[1] * t[1] + weights.b[2] * t[2]);
        nearest = std::min(nearest, std::sqrt(dot(to, to).v));
      }
    }
  return nearest;
}

/// At 20 m/s a substep is 22 mm, three times the thickness. Of 42 times a vertex's mass it stays outside the
/// middle of the cloth; ten times as heavy it gets 6 mm past that for some frames.
TEST(ThrownBall, DoesNotPassClothAtTwentyMetresASecond) {
  constexpr int n = 21;
  constexpr double thickness = 0.008, radius = 0.15;
  Court court(framed_cloth(n, thickness));
  const std::int32_t ball = court.throw_ball({{0.1, 0.07, 1.0}, {2.0, 0.0, -20.0}, radius, 6.0});
  double deepest = 0.0, turn = -1.0;
  for (int f = 0; f < 30; ++f) {
    ASSERT_FALSE(court.step().nonfinite);
    real farthest = 0;  // of the cloth, before the ball
    for (Index i = 0; i < Index(n * n); ++i) farthest = std::min(farthest, court.x(i).z);
    ASSERT_GT(court.place(ball).z, farthest) << "frame " << f;
    deepest = std::max(deepest, radius + thickness - distance_to(court, n, ball));
    turn = std::max(turn, double(court.velocity(ball).z));
  }
  std::printf("          %.2f mm of 8, thrown back at %.1f m/s\n", 1e3 * deepest, turn);
  EXPECT_LT(deepest, thickness);
  EXPECT_GT(turn, 1.0) << "it was not thrown back";
}

/// Thrown along the ground, a ball slides until friction makes it roll: about the point where they touch it
/// keeps its angular momentum, so 5/7 of its speed is left, and its surface does not slide. From then on the
/// resistance of 0.02 R takes 5/7 0.02 g = 0.14 m/s^2.
TEST(ThrownBall, RollsWhereItMeetsFriction) {
  SceneDesc scene = weightless(box_at({0.0, 50.0, 0.0}, 1.0));
  scene.solver.motion->gravity.y = -9.81;
  scene.colliders = {floor_of(0.5)};
  Court court(scene);
  const std::int32_t ball = court.throw_ball({{0.0, 0.2, 0.0}, {3.0, 0.0, 0.0}, 0.2, 2500.0});
  court.run(20);
  EXPECT_NEAR(double(court.velocity(ball).x), 5.0 / 7.0 * 3.0, 0.14 * 20.0 / 60.0 + 0.01);
  EXPECT_NEAR(double(court.spin(ball).z), -double(court.velocity(ball).x) / 0.2, 0.05);
}

/// On ice it slides on and does not spin.
TEST(ThrownBall, SlidesWhereThereIsNoFriction) {
  SceneDesc scene = weightless(box_at({0.0, 50.0, 0.0}, 1.0));
  scene.solver.motion->gravity.y = -9.81;
  scene.colliders = {floor_of(0.0)};
  Court court(scene);
  const std::int32_t ball = court.throw_ball({{0.0, 0.2, 0.0}, {3.0, 0.0, 0.0}, 0.2, 2500.0});
  court.run(15);
  EXPECT_NEAR(double(court.velocity(ball).x), 3.0, 1e-3);
  EXPECT_NEAR(double(glm::length(court.spin(ball))), 0.0, 0.15);  // resistance of the floor against none
}

/// The states of the first bodies, bit for bit.
bool same_bits(const World& a, const World& b, std::size_t bodies) {
  for (std::size_t i = 0; i < bodies; ++i)
    if (a.bodies.position[i] != b.bodies.position[i] || a.bodies.orientation[i] != b.bodies.orientation[i] ||
        a.bodies.velocity[i] != b.bodies.velocity[i] ||
        a.bodies.angular_momentum[i] != b.bodies.angular_momentum[i])
      return false;
  return true;
}

/// A ball without contacts changes nothing: the contacts of a settling wall, and their multipliers, survive
/// adding and removing a distant ball.
TEST(ThrownBall, AddedOrRemovedFarAwayLeavesAWallAsItIs) {
  Court alone(wall_of_boxes()), court(wall_of_boxes());
  alone.run(20);
  court.run(5);
  const std::int32_t ball = court.throw_ball(far_away);
  court.run(5);
  const std::int32_t other = court.throw_ball({{60.0, 30.0, 0.0}, {0.0, 0.0, 0.0}, 0.1, 500.0});
  court.run(5);
  court.remove(ball);
  court.run(5);
  EXPECT_TRUE(same_bits(alone.world, court.world, 9));
  EXPECT_EQ(court.throw_ball(far_away), ball) << "a free number is taken again";
  EXPECT_EQ(other, ball + 1);
  EXPECT_EQ(court.world.bodies.count(), 11);
}

/// A wall that sleeps goes on sleeping, with its islands, while balls come and go, and wakes where one hits.
TEST(ThrownBall, LeavesASleepingWallAsleepUntilItHits) {
  Court court(wall_of_boxes(true));
  court.run(90);
  ASSERT_EQ(court.world.bodies.sleep.count, 9);
  const std::vector<std::int32_t> islands = court.world.bodies.sleep.island;
  const std::size_t contacts = court.world.bodies.sleep.contacts.size();
  const std::int32_t ball = court.throw_ball(far_away);
  court.run(10);
  court.remove(ball);
  court.run(10);
  EXPECT_EQ(court.world.bodies.sleep.count, 9);
  EXPECT_EQ(court.world.bodies.sleep.contacts.size(), contacts);
  EXPECT_TRUE(std::equal(islands.begin(), islands.end(), court.world.bodies.sleep.island.begin()));
  court.throw_ball({{0.0, 1.5, 2.0}, {0.0, 0.0, -10.0}, 0.2, 2500.0});
  court.run(20);
  EXPECT_LT(court.world.bodies.sleep.count, 9);
}

/// A ball comes to rest and sleeps like any body. Removing it wakes the bodies that lay on it.
TEST(ThrownBall, SleepsAndWakesWhatItCarriesWhenItGoes) {
  SceneDesc scene = weightless(box_at({0.0, 1.101, 0.0}, 100.0));
  scene.solver.motion->gravity.y = -9.81;
  scene.solver.sleep->sleeping = true;
  scene.colliders = {floor_of(0.5)};
  Court court(scene);
  std::vector<std::int32_t> balls;
  for (const double x : {-0.4, 0.4})
    for (const double z : {-0.4, 0.4})
      balls.push_back(court.throw_ball({{x, 0.3, z}, {0.0, 0.0, 0.0}, 0.3, 500.0}));
  court.run(240);
  ASSERT_EQ(court.world.bodies.sleep.count, 5);
  const real height = court.place(0).y;
  for (const std::int32_t ball : balls) court.remove(ball);
  EXPECT_EQ(court.world.bodies.sleep.count, 0);
  court.run(15);
  EXPECT_LT(court.place(0).y, height - real(0.2));
  for (const std::int32_t ball : balls) EXPECT_EQ(court.world.bodies.position[std::size_t(ball)], vec4(0));
}

/// Upright cloth that does not tear, pinned along two sides or hung by its upper corners.
SceneDesc cloth_in_the_way(bool by_corners, bool collision) {
  SceneDesc scene = test::hanging_cloth(20);
  scene.solver.step->substeps = 12;
  scene.solver.contact->cloth_collision = collision;
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->width = cloth.cloth->height = 2.4;
  cloth.pose.position = {0.0, 1.6, 0.0};
  cloth.material->density = 0.25;
  cloth.material->thickness = 0.01;
  cloth.material->friction = 0.3;
  cloth.cloth->upright = true;
  if (!by_corners) cloth.pins = {std::string("top"), std::string("bottom")};
  return scene;
}

/// m, how deep the deepest point of any triangle is inside the ball: where no triangle is, the ball has not
/// come through and has no vertex on its far side.
double depth_of_cloth(const World& world, std::int32_t ball, double radius) {
  using L = Lanes<double, 1>;
  const auto lanes = [](const glm::dvec3& v) { return Vec3<L>{L(v.x), L(v.y), L(v.z)}; };
  const glm::dvec3 center(world.bodies.position[std::size_t(ball)]);
  double depth = 0.0;
  for (const auto& triangle : world.topology->triangles) {
    glm::dvec3 x[3];
    for (std::size_t j = 0; j < 3; ++j) x[j] = glm::dvec3(world.particles.position[std::size_t(triangle[j])]);
    const Vec3<L> corners[3] = {lanes(x[0]), lanes(x[1]), lanes(x[2])};
    const TriangleWeights<L> at = closest_on_triangle(lanes(center), corners);
    const glm::dvec3 nearest = x[2] + at.b[0].v * (x[0] - x[2]) + at.b[1].v * (x[1] - x[2]);
    depth = std::max(depth, radius - glm::distance(nearest, center));
  }
  return depth;
}

/// Balls of 1.7 and 13.6 kg at 20 m/s. The light one is caught: by the corners, the cloth wraps around it.
/// The heavy one stretches the cloth four times as long in the first frames, which the test ends with.
TEST(ThrownBall, At20MetresASecondGoesThroughNoCloth) {
  for (const bool by_corners : {false, true})
    for (const bool collision : {true, false})
      for (const auto& [radius, frames] : {std::pair(0.15, 24), std::pair(0.3, 6)}) {
        Court court(cloth_in_the_way(by_corners, collision));
        const std::int32_t ball = court.throw_ball({{-0.25, 1.55, -1.0}, {1.3, 1.1, 20.0}, radius, 120.0});
        double depth = 0.0;
        for (int f = 0; f < frames; ++f) {
          ASSERT_FALSE(court.step().nonfinite);
          depth = std::max(depth, depth_of_cloth(court.world, ball, radius));
        }
        EXPECT_LT(depth, 0.01 / 3.0) << radius << " m" << (by_corners ? ", by corners" : ", by sides")
                                     << (collision ? ", collides" : "");
        EXPECT_LT(double(court.velocity(ball).z), 19.0) << "it met nothing";
      }
}

}}}}  // namespace limber::LIMBER_PRECISION::thrown_ball_test
