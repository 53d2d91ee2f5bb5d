// Untangling: hand-made starts that cross come free, and then stay so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "engine/collision/piercing_search.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr bool in_double = std::is_same_v<real, double>;

ObjectDesc sheet(const std::string& name, int side, double width, const glm::dvec3& position,
                 const glm::dvec3& rotation = glm::dvec3(0.0)) {
  ObjectDesc object;
  object.name = name;
  object.columns = object.rows = side;
  object.width = object.height = width;
  object.upright = false;
  object.pose = {position, rotation};
  object.material.thickness = 0.02;
  return object;
}

SceneDesc weightless(std::vector<ObjectDesc> objects) {
  SceneDesc scene;
  scene.name = "tangle";
  scene.solver.gravity = glm::dvec3(0.0);
  scene.solver.damping = 0.5;
  scene.solver.cloth_collision = true;
  scene.objects = std::move(objects);
  return scene;
}

/// Two squares through each other's middle, at no special angle.
SceneDesc crossing_squares() {
  return weightless(
      {sheet("lying", 9, 1.0, {0, 0, 0}), sheet("leaning", 9, 1.0, {0.07, 0.02, 0.03}, {70, 5, 20})});
}

/// Steps until nothing has intersected for `calm` frames; the frame from which that held.
int frames_until_free(Rig& rig, int most, int calm = 30) {
  int last = 0;
  for (int frame = 1; frame <= most && frame <= last + calm; ++frame) {
    EXPECT_FALSE(rig.step().nonfinite);
    if (count_intersections(rig.world) > 0) last = frame;
  }
  return last;
}

void expect_untangled(const SceneDesc& scene, int most) {
  Rig rig(scene);
  ASSERT_GT(count_intersections(rig.world), 0) << "it starts tangled";
  const int frames = frames_until_free(rig, most);
  EXPECT_LT(frames, most);
  EXPECT_EQ(count_intersections(rig.world), 0);
  EXPECT_EQ(rig.step().tangled, 0.0);
}

TEST(PiercingSearch, FindsWhatTheIndependentCheckFinds) {
  Rig rig(crossing_squares());
  PiercingSearch search;
  search.reserve(rig.world);
  Pool pool(2);
  pool.run([&](Team& team) { search.run(rig.world, team); });
  std::vector<std::array<std::int32_t, 2>> pairs;
  const Topology& topology = *rig.world.topology;
  for (const auto& list : search.found())
    for (const Piercing& p : list) {
      pairs.push_back({std::min(p.owner, p.triangle), std::max(p.owner, p.triangle)});
      const std::int32_t beyond = topology.surface.neighbors[std::size_t(p.owner)][std::size_t(p.side)];
      if (beyond >= 0) pairs.push_back({std::min(beyond, p.triangle), std::max(beyond, p.triangle)});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  EXPECT_EQ(std::int64_t(pairs.size()), count_intersections(rig.world));
}

TEST(Untangling, TwoCrossingSquaresComeApart) { expect_untangled(crossing_squares(), 180); }

TEST(Untangling, AVertexThroughASheetComesBack) {
  SceneDesc scene =
      weightless({sheet("upper", 9, 1.0, {0.013, 0.03, 0.008}), sheet("lower", 9, 1.0, {0, 0, 0})});
  Rig rig(scene);
  rig.x(40).y = real(-0.05);
  ASSERT_GT(count_intersections(rig.world), 0);
  EXPECT_LT(frames_until_free(rig, 90), 90);
  EXPECT_GT(rig.x(40).y, rig.x(Index(81 + 40)).y) << "back on the side of its sheet";
}

/// A dent pushed through a sheet: one closed contour.
TEST(Untangling, ACapThroughASheetComesBackOut) {
  SceneDesc scene =
      weightless({sheet("upper", 15, 1.0, {0.011, 0.03, 0.007}), sheet("lower", 15, 1.0, {0, 0, 0})});
  Rig rig(scene);
  for (Index v = 0; v < 225; ++v) {
    const double r = glm::length(glm::dvec2(rig.x(v).x, rig.x(v).z));
    rig.x(v).y -= real(0.12 * std::exp(-r * r / (2 * 0.15 * 0.15)));
  }
  ASSERT_GT(count_intersections(rig.world), 0);
  EXPECT_LT(frames_until_free(rig, 180), 180);
  for (Index v = 0; v < 225; ++v) {
    const bool at_border = v % 15 == 0 || v % 15 == 14 || v < 15 || v >= 210;  // it may hang over the other
    if (at_border) continue;
    EXPECT_GT(rig.x(v).y, rig.x(Index(225 + v)).y) << v;
  }
}

/// A strip whose end has gone through its other end.
TEST(Untangling, AStripThroughItselfComesFree) {
  ObjectDesc strip = sheet("strip", 5, 0.3, {0, 0, 0});
  strip.rows = 33, strip.height = 2.0;
  Rig rig(weightless({strip}));
  const double radius = 0.25, turn = 2.618;
  for (Index v = 0; v < 5 * 33; ++v) {  // a loop of 300 degrees whose straight ends cross
    const double s = double(v / 5 - 16) / 16.0, angle = std::clamp(s / radius, -turn, turn);
    const double straight = s - radius * angle;
    const glm::dvec2 x = radius * glm::dvec2(std::sin(angle), std::cos(angle)) +
                         straight * glm::dvec2(std::cos(angle), -std::sin(angle));
    rig.x(v) = vec4(rig.x(v).x + 0.013 * s, x.y, x.x, rig.x(v).w);
  }
  ASSERT_GT(count_intersections(rig.world), 0);
  EXPECT_LT(frames_until_free(rig, 240), 240);
}

/// Neither is divided by the contour: it ends inside both.
TEST(Untangling, SheetsHookedAtTheirBordersComeApart) {
  expect_untangled(weightless({sheet("lying", 9, 1.0, {0, 0, 0}),
                               sheet("standing", 12, 1.0, {0.83, 0.02, 0.11}, {80, 0, 0})}),
                   180);
}

TEST(Untangling, ContactSwitchedOnLateStillUntangles) {
  SceneDesc scene = crossing_squares();
  scene.objects[1].pose.position.y = 0.9;
  scene.objects[1].velocity = {0, -5, 0};
  Rig rig(scene);
  rig.run(1);
  EXPECT_EQ(rig.world.tangle_watch, 0) << "known to be free";
  rig.world.settings.cloth_collision = false;
  while (count_intersections(rig.world) == 0 && rig.world.frame < 60) rig.step();
  ASSERT_GT(count_intersections(rig.world), 0);
  rig.world.settings.cloth_collision = true;
  EXPECT_LT(frames_until_free(rig, 240), 240);
}

TEST(Untangling, SpeedZeroLeavesThingsAsTheyAre) {
  SceneDesc scene = crossing_squares();
  scene.solver.untangle_speed = 0.0;
  Rig rig(scene);
  rig.run(10);
  EXPECT_GT(count_intersections(rig.world), 0);
}

TEST(Untangling, KeepsMomentum) {
  Rig rig(crossing_squares());
  rig.world.settings.damping = 0.0;
  rig.run(30);
  // float: as in TwoSheetsMeetInFlightAndKeepTheirMomentum, with 288 vertices
  EXPECT_LT(glm::length(measure(rig.world).momentum), in_double ? 1e-12 : 1.8e-4);
}

TEST(Untangling, SameBitsForAnyNumberOfThreads) {
  std::uint64_t expected = 0;
  for (int threads : {1, 2, 3, 8}) {
    SceneDesc scene = weightless(
        {sheet("lying", 17, 1.0, {0, 0, 0}), sheet("leaning", 17, 1.0, {0.07, 0.02, 0.03}, {70, 5, 20})});
    Rig rig(scene, threads);
    rig.run(8);
    EXPECT_GT(rig.step().tangled, 50.0);
    if (threads == 1) expected = state_hash(rig.world);
    EXPECT_EQ(state_hash(rig.world), expected) << threads << " threads";
  }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION
