#include "app/render/camera.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "app/render/fitted_view.hpp"
#include "app/render/steady_view.hpp"

namespace limber::camera_test {
namespace {

const glm::vec2 size(800.0f, 500.0f);

// Single precision over a few metres: 1e-6 relative, a handful of operations.
constexpr float tolerance = 2e-5f;

void expect_near(glm::vec3 a, glm::vec3 b, float within) { EXPECT_LT(glm::distance(a, b), within); }

TEST(Camera, LooksFromWhereItWasPut) {
  const Camera camera = Camera::looking({1.0f, 2.0f, -3.0f}, {0.5f, 0.0f, 0.25f}, 0.8f);
  expect_near(camera.position(), {1.0f, 2.0f, -3.0f}, tolerance);
  const Ray middle = camera.ray(0.5f * size, size);
  expect_near(middle.direction, glm::normalize(camera.target - camera.position()), tolerance);
}

TEST(Camera, ARayThroughAProjectedPointMeetsThePoint) {
  const Camera camera = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const glm::vec3 point(0.7f, 0.3f, -1.1f);
  const glm::vec3 pixel = camera.project(point, size);
  const Ray ray = camera.ray(glm::vec2(pixel), size);
  const float along = glm::dot(point - ray.origin, ray.direction);
  expect_near(ray.origin + along * ray.direction, point, 2e-5f);
  EXPECT_NEAR(pixel.z, glm::dot(point - camera.position(), glm::normalize(camera.target - camera.position())),
              tolerance);
}

TEST(Camera, ProjectAgreesWithTheMatrices) {
  const Camera camera = Camera::looking({-2.0f, 1.0f, 3.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const glm::vec3 point(0.4f, 1.3f, 0.2f);
  const glm::vec4 clip = camera.projection(size.x / size.y) * camera.view() * glm::vec4(point, 1.0f);
  const glm::vec3 pixel = camera.project(point, size);
  EXPECT_NEAR(pixel.x, (0.5f + 0.5f * clip.x / clip.w) * size.x, 0.01f);
  EXPECT_NEAR(pixel.y, (0.5f - 0.5f * clip.y / clip.w) * size.y, 0.01f);
  EXPECT_NEAR(pixel.z, clip.w, tolerance);
}

TEST(Camera, StaysAboveAFloorWhateverTheMouseDoes) {
  const Camera start = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  Camera camera = start;
  camera.stay_above(0.0f);
  EXPECT_EQ(camera.position(), start.position());
  camera.orbit({30.0f, -400.0f}, size);
  EXPECT_LT(camera.position().y, -1.0f);
  camera.stay_above(0.0f);
  EXPECT_NEAR(camera.position().y, 0.01f * camera.distance, tolerance);
  EXPECT_EQ(camera.target, start.target);
  camera.pan({0.0f, -500.0f}, size);
  EXPECT_LT(camera.target.y, 0.0f);
  camera.stay_above(0.0f);
  EXPECT_EQ(camera.target.y, 0.0f);
  EXPECT_GT(camera.position().y, 0.0f);
}

TEST(Camera, ZoomKeepsWhatIsUnderTheCursor) {
  Camera camera = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const glm::vec2 cursor(150.0f, 420.0f);
  const Ray ray = camera.ray(cursor, size);
  const glm::vec3 ahead = glm::normalize(camera.target - camera.position());
  const glm::vec3 under = ray.origin + ray.direction * (camera.distance / glm::dot(ray.direction, ahead));
  const float before = camera.distance;
  camera.zoom(3.0f, cursor, size);
  EXPECT_LT(camera.distance, 0.75f * before);
  EXPECT_NEAR(camera.project(under, size).x, cursor.x, 0.05f);
  EXPECT_NEAR(camera.project(under, size).y, cursor.y, 0.05f);
  camera.zoom(1e6f, cursor, size);
  EXPECT_GT(camera.distance, 0.0f);
  camera.zoom(-1e6f, cursor, size);
  EXPECT_TRUE(std::isfinite(camera.distance));
}

TEST(Camera, PanCarriesTheTargetWithTheCursor) {
  Camera camera = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const glm::vec3 point = camera.target;
  camera.pan({40.0f, -25.0f}, size);
  EXPECT_NEAR(camera.project(point, size).x, 440.0f, 0.05f);
  EXPECT_NEAR(camera.project(point, size).y, 225.0f, 0.05f);
}

TEST(Camera, OrbitStopsShortOfThePoles) {
  Camera camera;
  camera.orbit({0.0f, 1e5f}, size);
  EXPECT_LE(camera.pitch, 1.55f);
  camera.orbit({0.0f, -1e6f}, size);
  EXPECT_GE(camera.pitch, -1.55f);
  const glm::vec3 target = camera.target;
  camera.orbit({12345.0f, 10.0f}, size);
  EXPECT_EQ(camera.target, target);
  EXPECT_LE(std::abs(camera.yaw), glm::pi<float>() + 1e-5f);
}

TEST(Camera, DraggingRightTurnsTheNearSideRight) {
  Camera camera = Camera::looking({0.0f, 0.0f, 4.0f}, {0.0f, 0.0f, 0.0f}, 0.7f);
  const glm::vec3 near_point(0.0f, 0.0f, 1.0f);
  camera.orbit({20.0f, 0.0f}, size);
  EXPECT_GT(camera.project(near_point, size).x, 401.0f);
}

/// Panels of 170 and 230 px at the sides, 30 and 40 px above and below.
const OpenArea between_panels{size, {170.0f, 30.0f}, {400.0f, 430.0f}};

/// The rectangle around the projected corners of the box: low x, low y, high x, high y.
glm::vec4 seen(const Camera& camera, glm::vec3 low, glm::vec3 high, glm::vec2 picture = size) {
  glm::vec4 out(1e9f, 1e9f, -1e9f, -1e9f);
  for (int i = 0; i < 8; ++i) {
    const glm::vec3 corner(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z);
    const glm::vec3 pixel = camera.project(corner, picture);
    EXPECT_GT(pixel.z, 0.0f);
    out = {std::min(out.x, pixel.x), std::min(out.y, pixel.y), std::max(out.z, pixel.x),
           std::max(out.w, pixel.y)};
  }
  return out;
}

void expect_inside(const glm::vec4& box, const OpenArea& area) {
  EXPECT_GE(box.x, area.corner.x);
  EXPECT_GE(box.y, area.corner.y);
  EXPECT_LE(box.z, area.corner.x + area.size.x);
  EXPECT_LE(box.w, area.corner.y + area.size.y);
}

TEST(Camera, AFramedBoxFillsWhatThePanelsLeaveFree) {
  for (const bool orthographic : {false, true})
    for (const glm::vec3& high : {glm::vec3(3.0f, 4.0f, 1.0f), glm::vec3(-1.0f, 10.0f, 0.0f)}) {
      const glm::vec3 low(-2.0f, 0.0f, -1.0f);
      Camera camera;
      camera.orthographic = orthographic;
      camera.stand_in(between_panels);
      camera.frame(low, high, between_panels);
      const glm::vec4 box = seen(camera, low, high);
      expect_inside(box, between_panels);
      const float width = (box.z - box.x) / between_panels.size.x,
                  height = (box.w - box.y) / between_panels.size.y;
      EXPECT_GT(std::max(width, height), 0.85f);  // 1/1.08 of one of the two sides, or a little less in depth
      const Camera before = camera;
      camera.frame(glm::vec3(NAN), glm::vec3(1.0f), between_panels);
      EXPECT_EQ(camera.distance, before.distance);
    }
}

TEST(Camera, TheTargetStandsInTheMiddleOfWhatIsFree) {
  Camera camera = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  camera.stand_in(between_panels);
  for (const bool orthographic : {false, true}) {
    camera.orthographic = orthographic;
    const glm::vec3 pixel = camera.project(camera.target, size);
    EXPECT_NEAR(pixel.x, 370.0f, 0.01f);
    EXPECT_NEAR(pixel.y, 245.0f, 0.01f);
    const Ray ray = camera.ray({370.0f, 245.0f}, size);
    EXPECT_LT(glm::length(glm::cross(camera.target - ray.origin, ray.direction)), 5e-5f);
    const glm::vec4 clip =
        camera.projection(size.x / size.y) * camera.view() * glm::vec4(0.7f, 1.1f, 0.3f, 1.0f);
    const glm::vec3 other = camera.project({0.7f, 1.1f, 0.3f}, size);
    EXPECT_NEAR(other.x, (0.5f + 0.5f * clip.x / clip.w) * size.x, 0.01f);
    EXPECT_NEAR(other.y, (0.5f - 0.5f * clip.y / clip.w) * size.y, 0.01f);
  }
}

TEST(Camera, RevealStepsBackNoFartherThanItMust) {
  const Camera given = Camera::looking({0.0f, 2.0f, 6.0f}, {0.0f, 1.0f, 0.0f}, 0.7f);
  const glm::vec3 low(-2.0f, 0.0f, -0.3f), high(2.0f, 2.0f, 0.3f);
  Camera camera = given;
  camera.stand_in(between_panels);
  EXPECT_LT(seen(camera, low, high).x, between_panels.corner.x);  // cut off as it is
  camera.reveal(low, high, between_panels);
  expect_inside(seen(camera, low, high), between_panels);
  EXPECT_EQ(camera.target, given.target);
  EXPECT_EQ(camera.yaw, given.yaw);
  Camera near = given;  // what is inside already stays as near
  near.stand_in(between_panels);
  near.reveal(0.1f * low, 0.1f * high, between_panels);
  EXPECT_EQ(near.distance, given.distance);
  Camera far = given;  // a world of a kilometre: no more than the 16:9 picture that was composed
  far.stand_in(between_panels);
  far.reveal(glm::vec3(-1000.0f), glm::vec3(1000.0f), between_panels);
  EXPECT_NEAR(far.distance / given.distance, (16.0f / 9.0f) / (400.0f / 500.0f), 1e-3f);
}

/// Without panels, or with them in a window of 420 px.
const OpenArea whole{size, {0.0f, 0.0f}, size}, narrow{{420.0f, 500.0f}, {0.0f, 30.0f}, {200.0f, 430.0f}};

struct Followed {
  void follow(const OpenArea& area) {
    camera.stand_in(area);
    steady.follow(camera, low, high, area);
  }
  Camera camera = Camera::looking({0.0f, 2.0f, 6.0f}, {0.0f, 1.0f, 0.0f}, 0.7f);
  SteadyView steady;
  glm::vec3 low{-2.0f, 0.0f, -0.3f}, high{2.0f, 2.0f, 0.3f};
};

TEST(SteadyView, WhatIsShownStaysInSightAsItsAreaShrinks) {
  for (const bool orthographic : {false, true}) {
    Followed view;
    Camera& camera = view.camera;
    camera.orthographic = orthographic;
    camera.frame(view.low, view.high, between_panels);
    view.steady.chosen_for(between_panels);
    const Camera chosen = camera;
    for (const OpenArea& area : {between_panels, whole}) {
      view.follow(area);
      EXPECT_EQ(camera.distance, chosen.distance);
    }
    view.follow(narrow);
    const glm::vec4 box = seen(camera, view.low, view.high, narrow.picture);
    expect_inside(box, narrow);
    EXPECT_GT(box.z - box.x, 0.85f * narrow.size.x);  // no farther than it has to
    EXPECT_EQ(camera.target, chosen.target);
    view.follow(between_panels);
    EXPECT_NEAR(camera.distance, chosen.distance, 1e-5f * chosen.distance);
    view.follow(narrow);
    view.steady.chosen_for(narrow);  // the user has zoomed: that stays
    const float there = camera.distance;
    view.follow(between_panels);
    EXPECT_EQ(camera.distance, there);
  }
}

TEST(SteadyView, WhatWasFramedFillsEveryArea) {
  Followed view;
  view.camera.frame(view.low, view.high, narrow);
  view.steady.framed_in(narrow);
  view.follow(whole);
  Camera anew = view.camera;
  anew.frame(view.low, view.high, whole);
  EXPECT_EQ(view.camera.distance, anew.distance);
  view.camera.distance *= 2.0f;
  view.steady.chosen_for(whole);  // the user has zoomed
  view.follow(between_panels);
  EXPECT_EQ(view.camera.distance, 2.0f * anew.distance);
}

TEST(SteadyView, StepsBackForNothingThatFitsOrMovesOrWasNotShown) {
  Followed view;
  view.steady.chosen_for(whole);
  const float chosen = view.camera.distance;
  view.low *= 0.1f, view.high = glm::vec3(0.2f, 1.0f, 0.03f);
  view.follow(narrow);
  EXPECT_EQ(view.camera.distance, chosen);
  view.low = glm::vec3(-1000.0f), view.high = glm::vec3(1000.0f);
  view.follow(narrow);  // it flies away
  EXPECT_EQ(view.camera.distance, chosen);
  view.follow(between_panels);  // now it cannot be seen whole: as much as could be before
  EXPECT_NEAR(view.camera.distance, chosen * size.x / between_panels.size.x, 1e-4f);
  view.low = glm::vec3(NAN);
  view.follow(narrow);
  EXPECT_NEAR(view.camera.distance, chosen * size.x / narrow.size.x, 1e-4f);
}

/// A picture of something that fills a box.
RenderFrame boxed(glm::vec3 low, glm::vec3 high) {
  RenderFrame frame;
  for (int i = 0; i < 8; ++i)
    frame.positions.push_back(glm::mix(low, high, glm::vec3(i & 1, i >> 1 & 1, i >> 2 & 1)));
  frame.subject_min = frame.focus_min = low;
  frame.subject_max = frame.focus_max = high;
  return frame;
}

/// Millimetres, a hundred metres, far away: the box fills the picture all the same.
TEST(FittedView, FillsThePictureAtAnySizeAndPlace) {
  const OpenArea area{{1280, 720}, {0, 0}, {1280, 720}};
  for (const float size : {0.002f, 1.0f, 100.0f})
    for (const float x : {0.0f, 900.0f}) {
      Camera camera = Camera::looking({2.5f, 1.8f, 4.0f}, {0.0f, 0.8f, 0.0f}, 0.7f);
      FittedView view;
      const glm::vec3 low(x, 10.0f * size, 0.0f), high = low + size;
      ASSERT_TRUE(view.follow(camera, boxed(low, high), area));
      const glm::vec4 box = seen(camera, low, high, area.picture);
      expect_inside(box, area);
      EXPECT_GT(box.w - box.y, 0.8f * 720.0f) << size << " m at " << x;
    }
}

/// Obstacles and the ground come into the picture as far as the subject stays large, a close one wholly.
TEST(FittedView, ShowsWhatStandsAroundAsLongAsTheSubjectIsLarge) {
  for (const float beyond : {0.05f, 20.0f})
    for (const OpenArea& area : {between_panels, narrow}) {
      Camera camera = Camera::looking({0.0f, 1.0f, 6.0f}, {0.0f, 1.0f, 0.0f}, 0.7f);
      camera.stand_in(area);
      const glm::vec3 low(-1.0f, 0.5f, -0.2f), high(1.0f, 1.5f, 0.2f);
      RenderFrame frame = boxed(low, high);
      frame.focus_min = low - beyond, frame.focus_max = high + beyond;
      FittedView().follow(camera, frame, area);
      const glm::vec4 box = seen(camera, low, high, area.picture);
      expect_inside(box, area);
      const glm::vec2 filled = glm::vec2(box.z - box.x, box.w - box.y) / area.size;
      EXPECT_GE(std::max(filled.x, filled.y), 0.6f);
      if (beyond < 1.0f) expect_inside(seen(camera, frame.focus_min, frame.focus_max, area.picture), area);
      if (beyond > 1.0f) {
        EXPECT_LT(std::max(filled.x, filled.y), 0.75f);  // there is something to see
      }
    }
}

TEST(FittedView, StandsStillUntilSomethingLeavesAndThenGlides) {
  const OpenArea area{{1280, 720}, {0, 0}, {1280, 720}};
  Camera camera = Camera::looking({2.5f, 1.8f, 4.0f}, {0.0f, 0.8f, 0.0f}, 0.7f);
  FittedView view;
  glm::vec3 low(0.0f, 0.3f, 0.0f), high(1.0f, 1.3f, 1.0f);
  view.follow(camera, boxed(low, high), area);
  const float distance = camera.distance;
  const glm::vec3 down(0.0f, 0.1f, 0.0f);
  EXPECT_FALSE(view.follow(camera, boxed(low - down, high - down), area));  // towards the ground
  for (int frame = 0; frame < 200; ++frame) {                               // away, for ever
    low.x += 0.03f, high.x += 0.03f;
    const Camera before = camera;
    view.follow(camera, boxed(low, high), area);
    EXPECT_LT(glm::distance(before.target, camera.target), 0.2f * distance);  // no jump
    const glm::vec3 seen = camera.project(0.5f * (low + high), area.picture);
    EXPECT_TRUE(seen.x > 0.0f && seen.x < 1280.0f && seen.y > 0.0f && seen.y < 720.0f);
    EXPECT_LT(camera.distance, 2.6f * distance);
  }
}

/// A particle that flies off is let go: the others stay in sight, and large.
TEST(FittedView, DoesNotLeaveTheOthersForOneThatFliesOff) {
  const OpenArea area{{1280, 720}, {0, 0}, {1280, 720}};
  Camera camera = Camera::looking({2.5f, 1.8f, 4.0f}, {0.0f, 0.8f, 0.0f}, 0.7f);
  FittedView view;
  const glm::vec3 low(0.0f, 0.0f, 0.0f), high(1.0f);
  RenderFrame frame = boxed(low, high);
  for (int step = 0; step < 300; ++step) {
    view.follow(camera, frame, area);
    frame.positions.front().x -= 0.5f;
    frame.subject_min.x = frame.focus_min.x = frame.positions.front().x;
  }
  const glm::vec4 box = seen(camera, low, high, area.picture);
  expect_inside(box, area);
  EXPECT_GT(box.w - box.y, 0.25f * 720.0f);
}

TEST(Camera, OrthographicRaysAreParallelAndMeetWhatTheyProject) {
  Camera camera = Camera::looking({1.0f, 2.0f, 4.0f}, {0.0f, 0.5f, 0.0f}, 0.7f);
  const glm::vec3 middle = camera.project(camera.target, size);
  camera.orthographic = true;
  expect_near(camera.project(camera.target, size), middle, 1e-3f);
  expect_near(camera.ray({0.0f, 0.0f}, size).direction, camera.ray(size, size).direction, tolerance);
  const glm::vec3 point(0.7f, 0.3f, -1.1f), pixel = camera.project(point, size);
  const Ray ray = camera.ray(glm::vec2(pixel), size);
  EXPECT_LT(glm::length(glm::cross(point - ray.origin, ray.direction)), 5e-5f);
  const glm::vec3 way = point - camera.seen_from(point);
  EXPECT_LT(glm::length(glm::cross(way, ray.direction)), 5e-5f);
  const glm::vec4 clip = camera.projection(size.x / size.y) * camera.view() * glm::vec4(point, 1.0f);
  EXPECT_NEAR(pixel.x, (0.5f + 0.5f * clip.x) * size.x, 0.01f);
  EXPECT_NEAR(pixel.y, (0.5f - 0.5f * clip.y) * size.y, 0.01f);
  EXPECT_LT(std::abs(clip.z), 1.0f);
}

TEST(Camera, SidesLookAlongTheAxesAndZoomKeepsThePoint) {
  Camera camera;
  camera.look_from(Camera::Side::front);
  expect_near(camera.forward(), {0.0f, 0.0f, -1.0f}, tolerance);
  camera.look_from(Camera::Side::right);
  expect_near(camera.forward(), {-1.0f, 0.0f, 0.0f}, tolerance);
  camera.look_from(Camera::Side::top);
  expect_near(camera.forward(), {0.0f, -1.0f, 0.0f}, tolerance);
  const glm::vec3 point = camera.target + glm::vec3(0.4f, 0.0f, 0.3f), pixel = camera.project(point, size);
  camera.zoom(2.0f, glm::vec2(pixel), size);
  EXPECT_NEAR(camera.project(point, size).x, pixel.x, 0.05f);
  EXPECT_NEAR(camera.project(point, size).y, pixel.y, 0.05f);
}

TEST(Camera, AWindowWithoutSizeGivesFiniteRays) {
  const Camera camera;
  const Ray ray = camera.ray({0.0f, 0.0f}, {0.0f, 0.0f});
  EXPECT_TRUE(std::isfinite(ray.direction.x + ray.direction.y + ray.direction.z));
}

}  // namespace
}  // namespace limber::camera_test
