// Surfaces that cross at the start separate and then stay apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <optional>

#include "engine/contact/cloth/piercing_search.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace untangling_test { namespace {

constexpr bool in_double = std::is_same_v<real, double>;

ObjectDesc sheet(const std::string& name, int side, double width, const glm::dvec3& position,
                 const glm::dvec3& rotation = glm::dvec3(0.0)) {
  ObjectDesc object;
  object.name = name;
  object.cloth->columns = object.cloth->rows = side;
  object.cloth->width = object.cloth->height = width;
  object.cloth->upright = false;
  object.pose = {position, rotation};
  object.material->thickness = 0.02;
  return object;
}

SceneDesc weightless(std::vector<ObjectDesc> objects) {
  SceneDesc scene;
  scene.name = "tangle";
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.5;
  scene.solver.contact->cloth_collision = true;
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

/// Height of the other sheet above or below vertex v; nothing if v lies beside the sheet.
std::optional<real> height_below(Rig& rig, Index v) {
  const auto across = [](const vec3& a, const vec3& b) { return a.x * b.z - a.z * b.x; };
  const Topology& topology = *rig.world.topology;
  const std::int32_t own = rig.world.particles.object[rig.inside(v)];
  for (const auto& t : topology.triangles) {
    if (rig.world.particles.object[std::size_t(t[0])] == own) continue;
    vec3 x[3];
    for (std::size_t j = 0; j < 3; ++j)
      x[j] = vec3(rig.world.particles.position[std::size_t(t[j])]) - vec3(rig.x(v));
    const real b0 = across(x[1], x[2]), b1 = across(x[2], x[0]), b2 = across(x[0], x[1]), sum = b0 + b1 + b2;
    const bool inside = (b0 >= 0 && b1 >= 0 && b2 >= 0) || (b0 <= 0 && b1 <= 0 && b2 <= 0);
    if (inside && sum != real(0)) return rig.x(v).y + (b0 * x[0].y + b1 * x[1].y + b2 * x[2].y) / sum;
  }
  return std::nullopt;
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
  int over = 0;
  for (Index v = 0; v < 225; ++v)  // a border may have slid off the other sheet, and hang beside it
    if (const std::optional<real> height = height_below(rig, v)) {
      ++over;
      EXPECT_GT(rig.x(v).y, *height) << "vertex " << v;
    }
  EXPECT_GT(over, 225 / 2);  // they slide against each other, but not off
}

/// A strip whose end has gone through its other end.
TEST(Untangling, AStripThroughItselfComesFree) {
  ObjectDesc strip = sheet("strip", 5, 0.3, {0, 0, 0});
  strip.cloth->rows = 33, strip.cloth->height = 2.0;
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

/// The intersection contour divides neither sheet: it ends inside both.
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
  EXPECT_EQ(rig.world.contacts.tangle_watch, 0) << "known to be free";
  rig.world.settings.solver.contact->cloth_collision = false;
  while (count_intersections(rig.world) == 0 && rig.world.frame < 60) rig.step();
  ASSERT_GT(count_intersections(rig.world), 0);
  rig.world.settings.solver.contact->cloth_collision = true;
  EXPECT_LT(frames_until_free(rig, 240), 240);
}

/// If an edge is pierced next to its held end, its free end can hardly resolve that, and must not be thrown
/// off.
TEST(Untangling, AFreeEndIsNotThrownOff) {
  SceneDesc scene =
      weightless({sheet("upper", 9, 1.0, {0.013, 1e-6, 0.008}), sheet("lower", 9, 1.0, {0, 0, 0})});
  Rig rig(scene);
  rig.x(40).y = real(-1e-3);
  for (Index v = 0; v < 162; ++v)
    if (v != 40) fix_particle(rig.world, std::int32_t(rig.inside(v)));
  ASSERT_GT(count_intersections(rig.world), 0);
  double fastest = 0.0;
  for (int f = 0; f < 3; ++f) {
    rig.step();
    fastest = std::max(fastest, double(glm::length(vec3(rig.world.particles.velocity[rig.inside(40)]))));
  }
  EXPECT_LT(fastest, 10.0 * scene.solver.contact->untangle_speed);
}

TEST(Untangling, SpeedZeroLeavesThingsAsTheyAre) {
  SceneDesc scene = crossing_squares();
  scene.solver.contact->untangle_speed = 0.0;
  Rig rig(scene);
  rig.run(10);
  EXPECT_GT(count_intersections(rig.world), 0);
}

TEST(Untangling, KeepsMomentum) {
  Rig rig(crossing_squares());
  rig.world.settings.solver.motion->damping = 0.0;
  const auto crossing = count_intersections(rig.world);
  rig.run(30);
  EXPECT_LT(count_intersections(rig.world), crossing) << "they are pulled apart";
  // float: each v rounded by up to 6e-8 of it in 30 frames of 0.4 kg at less than 1 m/s
  EXPECT_LT(glm::length(measure(rig.world).momentum), in_double ? 1e-12 : 0.4 * 1.8e-6);
}

TEST(Untangling, SameBitsForAnyNumberOfThreads) {
  std::uint64_t expected = 0;
  for (int threads : test::thread_counts()) {
    SceneDesc scene = weightless(
        {sheet("lying", 17, 1.0, {0, 0, 0}), sheet("leaning", 17, 1.0, {0.07, 0.02, 0.03}, {70, 5, 20})});
    Rig rig(scene, threads);
    rig.run(8);
    EXPECT_GT(rig.step().tangled, 50.0);
    if (threads == 1) expected = world_hash(rig.world);
    EXPECT_EQ(world_hash(rig.world), expected) << threads << " threads";
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::untangling_test
