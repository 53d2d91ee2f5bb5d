// Thrown balls: what they do to cloth, what cloth and ground do to them, and that a session with them keeps
// its promises.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/simulation/simulation.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::balls_test {
namespace {

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 2,
                                  Precision precision = Precision::f32) {
  auto made = make_simulation(scene, {precision, Simd::automatic, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}

void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) ASSERT_FALSE(simulation.step().nonfinite);
}

SceneDesc sheet() {
  SceneDesc scene = test::hanging_cloth(24);
  scene.solver.substeps = 5;
  scene.objects[0].pose.position.y = 2.0;
  return scene;
}

const ThrowBall at_the_sheet{{0.0, 2.0, 1.5}, {0.0, 1.0, -7.0}, 0.15};

/// The sheet bulges behind the plane it hung in, and no vertex is ever inside the ball.
TEST(Balls, DentASheetAndLoseSpeedToIt) {
  const auto simulation = start(sheet());
  run(*simulation, 20);
  ASSERT_TRUE(simulation->submit(at_the_sheet));
  double deepest = 0.0, inside = -1.0;
  for (int f = 0; f < 30; ++f) {
    run(*simulation, 1);
    std::vector<glm::dvec3> x(std::size_t(simulation->model()->vertex_count));
    simulation->read_positions(std::span(x));
    const Ball& ball = simulation->balls()[0];
    for (const glm::dvec3& p : x) {
      deepest = std::min(deepest, p.z);
      inside = std::max(inside, ball.radius - glm::distance(p, ball.position));
    }
  }
  EXPECT_LT(deepest, -0.15) << "the ball moved the sheet by less than its radius";
  // The contact keeps the material's thickness, 5 mm; what ends crossings half of it.
  EXPECT_LT(inside, 0.0);
  // Alone it would still fly at 7 m/s along z. The ball has 1.7 kg, the sheet 0.8 kg, of which it meets half.
  EXPECT_GT(simulation->balls()[0].velocity.z, -7.0 * 1.7 / (1.7 + 0.4));
}

/// Without a sheet in the way: a parabola until it meets the ground, on which it comes to rest.
TEST(Balls, FlyInAParabolaAndComeToRestOnTheGround) {
  SceneDesc scene = sheet();
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(ThrowBall{{3.0, 1.0, 0.0}, {1.0, 2.0, 0.0}, 0.1}));
  const int frames = 20;
  run(*simulation, frames);
  const double t = frames * scene.solver.dt, h = scene.solver.dt / scene.solver.substeps;
  const glm::dvec3 at = simulation->balls()[0].position;
  // The integrator falls g t h / 2 farther than the parabola, or less where a substep is done in parts.
  EXPECT_NEAR(at.y, 1.0 + 2.0 * t - 0.5 * 9.81 * t * t, 0.5 * 9.81 * t * h + 1e-9);
  EXPECT_NEAR(at.x, 3.0 + t, 1e-9);
  run(*simulation, 400);
  EXPECT_NEAR(simulation->balls()[0].position.y, 0.1, 9.81 * h * h);
  EXPECT_LT(glm::length(simulation->balls()[0].velocity), 0.1);
}

TEST(Balls, RestOnColliders) {
  SceneDesc scene = sheet();
  ColliderDesc table;
  table.shape = ColliderShape::box;
  table.pose.position = {3.0, 0.5, 0.0};
  table.half_extents = {1.0, 0.02, 1.0};
  scene.colliders.push_back(table);
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(ThrowBall{{3.0, 3.0, 0.0}, {0.0, -12.0, 0.0}, 0.05}));
  run(*simulation, 400);
  EXPECT_NEAR(simulation->balls()[0].position.y, 0.57, 1e-3);
}

TEST(Balls, ArePartOfTheStateThatIsSavedAndHashed) {
  for (const Precision precision : built_precisions()) {
    const auto simulation = start(sheet(), 2, precision);
    run(*simulation, 10);
    const std::uint64_t untouched = start(sheet(), 1, precision)->state_hash();
    ASSERT_TRUE(simulation->submit(at_the_sheet));
    run(*simulation, 10);
    const auto saved = simulation->save();
    run(*simulation, 15);
    const std::uint64_t later = simulation->state_hash();
    ASSERT_TRUE(simulation->restore(saved));
    run(*simulation, 15);
    EXPECT_EQ(simulation->state_hash(), later);
    simulation->restart();
    EXPECT_TRUE(simulation->balls().empty());
    EXPECT_EQ(simulation->state_hash(), untouched);
  }
}

/// A wall that sleeps, and stones: what happens depends on nothing but the state, asleep or awake.
TEST(Balls, AndSleepersArePartOfTheStateToo) {
  SceneDesc scene;
  scene.solver.substeps = 8;
  scene.solver.sleeping = true;
  BodyDesc wall;
  wall.name = "wall";
  wall.half_extents = glm::dvec3(0.25);
  wall.pose.position = {0.0, 0.25, 0.0};
  wall.copies = {4, 3, 1};
  wall.spacing = {0.6, 0.5, 1.0};
  ColliderDesc floor;
  floor.name = "floor";
  floor.shape = ColliderShape::plane;
  scene.bodies = {wall};
  scene.colliders = {floor};
  const ThrowBall stone{{-0.9, 1.2, 2.5}, {0.0, 1.0, -9.0}, 0.2, ball_of_stone};
  std::uint64_t first = 0;
  for (const int threads : {1, 3}) {
    const auto simulation = start(scene, threads);
    run(*simulation, 60);
    EXPECT_EQ(simulation->measure().sleeping_bodies, 12);
    const auto asleep = simulation->save();
    ASSERT_TRUE(simulation->submit(stone));
    run(*simulation, 25);
    EXPECT_LT(simulation->measure().sleeping_bodies, 12);
    EXPECT_GT(simulation->measure().sleeping_bodies, 0) << "only what it hits wakes";
    const std::uint64_t hit = simulation->state_hash();
    if (threads == 1) first = hit;
    EXPECT_EQ(hit, first);
    ASSERT_TRUE(simulation->restore(asleep));
    EXPECT_EQ(simulation->measure().sleeping_bodies, 12);
    ASSERT_TRUE(simulation->submit(stone));
    run(*simulation, 25);
    EXPECT_EQ(simulation->state_hash(), hit);
    // other settings than those they fell asleep under wake them
    ASSERT_TRUE(simulation->submit(SetValue{"solver.gravity", glm::dvec3(1.0, -9.81, 0.0)}));
    EXPECT_EQ(simulation->measure().sleeping_bodies, 0);
    ASSERT_TRUE(simulation->restore(asleep));
    EXPECT_EQ(simulation->measure().sleeping_bodies, 0);
  }
}

TEST(Balls, TheOldestMakesRoom) {
  const auto simulation = start(sheet());
  for (std::size_t n = 0; n < most_balls + 3; ++n)
    ASSERT_TRUE(simulation->submit(ThrowBall{{double(n), 5.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  ASSERT_EQ(simulation->balls().size(), most_balls);
  for (const Ball& ball : simulation->balls()) EXPECT_GE(ball.position.x, 3.0);
  run(*simulation, 2);
}

TEST(Balls, BadThrowsAreRefused) {
  const auto simulation = start(sheet());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(simulation->submit(ThrowBall{{nan, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  EXPECT_FALSE(simulation->submit(ThrowBall{{0.0, 0.0, 0.0}, {0.0, nan, 0.0}, 0.1}));
  for (const double radius : {nan, 0.0, -1.0, 1e9})
    EXPECT_FALSE(simulation->submit(ThrowBall{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, radius}));
  EXPECT_TRUE(simulation->balls().empty());
  ASSERT_TRUE(simulation->submit(ThrowBall{{0.0, 3.0, 0.0}, {0.0, 1e9, 0.0}, 0.1}));
  run(*simulation, 3);
  EXPECT_LE(glm::length(simulation->balls()[0].velocity), 50.0);
}

/// Two sheets a few thicknesses apart and balls from either side: nothing crosses.
TEST(Balls, PushNoSheetThroughAnother) {
  SceneDesc scene = sheet();
  scene.solver.cloth_collision = true;
  scene.objects[0].columns = scene.objects[0].rows = 20;
  ObjectDesc second = scene.objects[0];
  second.name = "second";
  second.pose.position.z = -0.05;
  scene.objects.push_back(second);
  const auto simulation = start(scene);
  ASSERT_TRUE(simulation->submit(at_the_sheet));
  ASSERT_TRUE(simulation->submit(ThrowBall{{0.3, 2.2, -1.5}, {0.0, 1.0, 9.0}, 0.12}));
  for (int f = 0; f < 30; ++f) {
    run(*simulation, 1);
    ASSERT_EQ(simulation->count_intersections(), 0) << "frame " << f;
  }
  std::vector<ContactMark> marks;
  simulation->read_contacts(marks);
  EXPECT_FALSE(marks.empty());
  simulation->restart();
  simulation->read_contacts(marks);
  EXPECT_TRUE(marks.empty());
}

}  // namespace
}  // namespace limber::balls_test
