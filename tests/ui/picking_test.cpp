// Picking by a mouse press, and motion by a drag.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "app/tools/mouse_drag.hpp"
#include "app/tools/picking.hpp"

namespace limber::picking_test {
namespace {

const glm::vec2 view_size{800, 600};

/// A triangle in the plane z = 0, a loose vertex (3) behind it, one (4) beside it; seen from z = 5.
struct PickingTest : testing::Test {
  PickingTest() {
    RenderFrame& frame = shown.frame;
    frame.model_version = 7;
    frame.ground = false;
    frame.positions = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, -1}, {1.5f, 1, 0}};
    auto surfaces = std::make_shared<SurfaceTopology>();
    surfaces->indices = {0, 1, 2};
    frame.surfaces = surfaces;
  }
  glm::vec2 pixel_of(glm::vec3 point) const { return glm::vec2(camera.project(point, view_size)); }
  std::optional<Index> pick(glm::vec2 pixel) const {
    return pick_vertex(shown.frame, camera, pixel, view_size);
  }

  void add_sphere(glm::vec3 centre, float radius) {
    PrimitiveDraw ball;
    ball.transform = glm::scale(glm::translate(glm::mat4(1.0f), centre), glm::vec3(radius));
    shown.frame.solids.push_back(ball);
  }

  Publication shown;
  Camera camera = Camera::looking({0, 0, 5}, {0, 0, 0}, 0.7f);
};

TEST_F(PickingTest, TakesTheNearestCornerOfTheTriangleUnderTheCursor) {
  EXPECT_EQ(pick(pixel_of({-0.8f, -0.9f, 0})), 0);
  EXPECT_EQ(pick(pixel_of({0.8f, -0.9f, 0})), 1);
  EXPECT_EQ(pick(pixel_of({0, 0.8f, 0})), 2);
}

TEST_F(PickingTest, SeesTheBackOfATriangle) {
  camera = Camera::looking({0, 0, -5}, {0, 0, 0}, 0.7f);
  shown.frame.positions[3] = {0, 0, 1};
  EXPECT_EQ(pick(pixel_of({0, 0.8f, 0})), 2);
}

TEST_F(PickingTest, OnAMissTakesAProjectedVertexWithinReach) {
  const glm::vec2 at = pixel_of(shown.frame.positions[4]);
  EXPECT_EQ(pick(at + glm::vec2(9, 6)), 4);              // 10.8 px away
  EXPECT_EQ(pick(at + glm::vec2(10, 8)), std::nullopt);  // 12.8 px
}

TEST_F(PickingTest, NeverTakesAParticleThatIsNotInTheScene) {
  const glm::vec2 at = pixel_of(shown.frame.positions[4]);
  shown.frame.points.begin_range(4, 1);
  shown.frame.points.add(shown.frame.positions[4], 0.0f, 0);  // as the extractor hides it
  EXPECT_EQ(pick(at), 4);
  shown.frame.absent = {4};
  EXPECT_EQ(pick(at), std::nullopt);
}

TEST_F(PickingTest, NeverReachesThroughANearerSurface) {
  // The loose vertex 3 lies behind the middle of the triangle: the triangle answers.
  EXPECT_NE(pick(pixel_of(shown.frame.positions[3])), 3);
  // Vertex 4 behind an obstacle cannot be picked, neither on the obstacle nor beside its edge.
  add_sphere({1.5f, 1, 0.5f}, 0.2f);
  EXPECT_EQ(pick(pixel_of(shown.frame.positions[4])), std::nullopt);
}

TEST_F(PickingTest, TheGroundHidesWhatLiesBelowIt) {
  shown.frame.ground = true;
  shown.frame.surfaces = nullptr;
  camera = Camera::looking({0, 2, 5}, {0, 0, 0}, 0.7f);
  EXPECT_EQ(pick(pixel_of({-1, -1, 0})), std::nullopt);
  EXPECT_EQ(pick(pixel_of({0, 1, 0})), 2);
}

TEST_F(PickingTest, AParticleIsTakenByItsBall) {
  PointCloud& points = shown.frame.points;
  points.begin_range(3, 2);
  for (const std::size_t vertex : {3u, 4u}) points.add(shown.frame.positions[vertex], 0.3f, 0);
  const glm::vec2 rim = pixel_of(shown.frame.positions[4] + glm::vec3(0.25f, 0, 0));
  ASSERT_GT(glm::distance(rim, pixel_of(shown.frame.positions[4])), 12.0f);
  EXPECT_EQ(pick(rim), 4);
}

TEST_F(PickingTest, RaysMeetBoxesAndCapsulesWhereTheyAre) {
  shown.frame.surfaces = nullptr;
  PrimitiveDraw box;
  box.shape = PrimitiveDraw::Shape::box;
  box.transform = glm::scale(glm::mat4(1.0f), glm::vec3(0.5f, 0.5f, 2.0f));
  shown.frame.solids = {box};
  EXPECT_NEAR(cast_ray(shown.frame, {{0, 0, 5}, {0, 0, -1}})->distance, 3.0f, 1e-5f);
  PrimitiveDraw capsule;
  capsule.shape = PrimitiveDraw::Shape::capsule;
  capsule.radius = 0.5f;
  capsule.half_length = 1.0f;
  shown.frame.solids = {capsule};
  EXPECT_NEAR(cast_ray(shown.frame, {{0, 0.9f, 5}, {0, 0, -1}})->distance, 4.5f, 1e-5f);  // the wall
  EXPECT_NEAR(cast_ray(shown.frame, {{0, 5, 0}, {0, -1, 0}})->distance, 3.5f, 1e-5f);     // the upper cap
  EXPECT_FALSE(cast_ray(shown.frame, {{0, 1.6f, 5}, {0, 0, -1}}));
}

TEST_F(PickingTest, ADragMovesTheVertexInThePlaneOfThePicture) {
  MouseDrag drag;
  const Viewpoint view{camera, view_size};
  const glm::vec2 press = pixel_of({0, 0.8f, 0});  // not exactly on the vertex: nothing may jump
  const auto grab = drag.press(shown, view, press, false);
  ASSERT_TRUE(grab && std::holds_alternative<GrabVertex>(*grab));
  EXPECT_EQ(std::get<GrabVertex>(*grab).vertex, 2);
  const auto still = std::get<MoveGrab>(*drag.move(view, press)).target;
  EXPECT_LT(glm::distance(still, glm::dvec3(0, 1, 0)), 1e-5);
  const auto moved = std::get<MoveGrab>(*drag.move(view, pixel_of({0.7f, 0.5f, 0}))).target;
  EXPECT_LT(glm::distance(moved, glm::dvec3(0.7, 0.7, 0)), 1e-4);
  EXPECT_TRUE(std::get<ReleaseGrab>(*drag.release(true)).pin);
  EXPECT_FALSE(drag.active());
}

TEST_F(PickingTest, ShiftOnAPinFreesIt) {
  shown.status.fixed = {2};
  MouseDrag drag;
  const auto command = drag.press(shown, {camera, view_size}, pixel_of({0, 0.9f, 0}), true);
  ASSERT_TRUE(command && std::holds_alternative<SetPinned>(*command));
  EXPECT_EQ(std::get<SetPinned>(*command).vertex, 2);
  EXPECT_FALSE(std::get<SetPinned>(*command).pinned);
  EXPECT_FALSE(drag.active());
}

TEST_F(PickingTest, ADragEndsWithTheModelItBeganIn) {
  MouseDrag drag;
  ASSERT_TRUE(drag.press(shown, {camera, view_size}, pixel_of({0, 0.9f, 0}), false));
  drag.follow(7);
  EXPECT_TRUE(drag.active());
  drag.follow(8);
  EXPECT_FALSE(drag.active());
}

}  // namespace
}  // namespace limber::picking_test
