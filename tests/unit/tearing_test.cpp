// Tearing and cutting through the Simulation interface: determinism, snapshots, recordings, falling pieces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::tearing_test { namespace {

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 1, Simd simd = Simd::scalar,
                                  Precision precision = Precision::f32) {
  auto made = make_simulation(scene, {precision, simd, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}
void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) EXPECT_FALSE(simulation.step().nonfinite);
}

/// A ball that rips through two cloths, a large and a small one.
SceneDesc ripped(bool cloth_collision = false) {
  SceneDesc scene = test::square_cloth(52);
  scene.solver.step->substeps = 6;
  scene.solver.contact->cloth_collision = cloth_collision;
  scene.objects[0].pins = {std::string("left"), std::string("right")};
  scene.objects[0].material->tear_strain = 0.25;
  scene.objects[0].jitter = 0.002;
  ObjectDesc small = scene.objects[0];
  small.name = "small";
  small.cloth->columns = small.cloth->rows = 16;
  small.pose.position = {0, 0, 0.5};
  scene.objects.push_back(small);
  ColliderDesc ball;
  ball.name = "ball";
  ball.radius = 0.3;
  ball.pose.position = {0.1, 0.1, -0.4};
  ball.linear_velocity = {0, 0, 5};
  scene.colliders.push_back(ball);
  return scene;
}

/// Parts of the triangles of all objects, joined at vertices.
int pieces(const Simulation& simulation) {
  const auto model = simulation.model();
  std::vector<Index> parent(std::size_t(model->vertex_count));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Index v) {
    while (parent[std::size_t(v)] != v) v = parent[std::size_t(v)];
    return v;
  };
  int count = 0;
  std::vector<char> seen(parent.size(), 0);
  for (const ObjectModel& object : model->objects)
    for (const Triangle& t : object.triangles) {
      for (Index v : t) seen[std::size_t(v)] = 1;
      parent[std::size_t(root(t[1]))] = root(t[0]);
      parent[std::size_t(root(t[2]))] = root(t[0]);
    }
  for (std::size_t v = 0; v < parent.size(); ++v) count += seen[v] && parent[v] == Index(v);
  return count;
}

/// A cut seen along -z, from a to b in the plane of the picture, in `steps` pieces.
std::vector<Command> cut_along(glm::dvec3 a, glm::dvec3 b, int steps) {
  std::vector<Command> commands;
  for (int k = 0; k < steps; ++k) {
    Cut cut;
    for (int end = 0; end < 2; ++end) {
      const glm::dvec3 at = a + (b - a) * (double(k + end) / steps);
      cut.near[std::size_t(end)] = at + glm::dvec3(0, 0, 5);
      cut.far[std::size_t(end)] = at - glm::dvec3(0, 0, 5);
    }
    cut.begins = k == 0;
    commands.push_back(cut);
  }
  return commands;
}

TEST(TearingRun, SameBitsForAnyThreadCountAndInstructionSet) {
  const SceneDesc scene = ripped();
  test::expect_same_bits([&](int threads, Simd simd) {
    auto simulation = start(scene, threads, simd);
    run(*simulation, 14);
    EXPECT_GT(simulation->measure().tears, 30);
    return simulation->state_hash();
  });
}

TEST(TearingRun, BackRestartAndForwardAgain) {
  auto simulation = start(ripped(), 2);
  run(*simulation, 8);
  const auto saved = simulation->save();
  const std::uint64_t at_save = simulation->state_hash();
  run(*simulation, 4);
  const std::uint64_t expected = simulation->state_hash();
  const Index vertices = simulation->model()->vertex_count;
  ASSERT_TRUE(simulation->restore(saved));
  EXPECT_EQ(simulation->state_hash(), at_save);
  EXPECT_LT(simulation->model()->vertex_count, vertices);
  run(*simulation, 4);
  EXPECT_EQ(simulation->state_hash(), expected);
  simulation->restart();
  EXPECT_EQ(simulation->measure().tears, 0);
  run(*simulation, 12);
  EXPECT_EQ(simulation->state_hash(), expected);
  EXPECT_EQ(simulation->model()->vertex_count, vertices);
}

TEST(TearingRun, TornClothNeverCrossesItself) {
  auto simulation = start(ripped(true), 2, Simd::automatic);
  for (int f = 0; f < 14; ++f) {
    run(*simulation, 1);
    ASSERT_EQ(simulation->count_intersections(), 0) << "frame " << f;
  }
  EXPECT_GT(simulation->measure().tears, 30);
}

/// Torn off its pins in shreds that stay jammed against them: where copies of a vertex meet nothing explodes.
TEST(TearingRun, WhatIsTornOffItsPinsNeitherCrossesNorBursts) {
  SceneDesc scene = ripped(true);
  scene.objects.resize(1);
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->columns = cloth.cloth->rows = 24;
  cloth.material->tear_strain = 0.05;
  cloth.material->thickness = 0.01;
  scene.solver.step->substeps = 12;
  auto simulation = start(scene, 2, Simd::automatic);
  for (int f = 0; f < 40; ++f) {
    run(*simulation, 1);
    ASSERT_EQ(simulation->count_intersections(), 0) << "frame " << f;
    ASSERT_LT(simulation->measure().mean_speed, scene.colliders[0].linear_velocity.z) << "frame " << f;
  }
  EXPECT_GT(simulation->measure().tears, 60);
}

TEST(TearingRun, MassStaysAsItWasWhenTheDensityChanges) {
  SceneDesc scene = ripped();
  auto torn = start(scene), again = start(scene);
  run(*torn, 12), run(*again, 12);
  ASSERT_TRUE(torn->submit(SetValue{"objects.cloth.material.density", 0.7}));
  ASSERT_TRUE(torn->submit(SetValue{"objects.cloth.material.density", scene.objects[0].material->density}));
  run(*torn, 2), run(*again, 2);
  // masses that a tear divided are divided again from the start masses: the last digit may differ
  std::vector<glm::dvec3> a(std::size_t(torn->model()->vertex_count)), b(a);
  ASSERT_EQ(torn->model()->vertex_count, again->model()->vertex_count);
  torn->read(reading::Positions{std::span(a)}), again->read(reading::Positions{std::span(b)});
  double worst = 0.0;
  for (std::size_t v = 0; v < a.size(); ++v) worst = std::max(worst, glm::distance(a[v], b[v]));
  EXPECT_LT(worst, 1e-3);
}

TEST(Cutting, FromEdgeToEdgeMakesTwoPieces) {
  for (Precision precision : built_precisions())
    for (int steps : {1, 7, 200}) {
      auto simulation = start(test::square_cloth(30), 1, Simd::scalar, precision);
      for (const Command& command : cut_along({-1.3, 0.1, 0}, {1.3, -0.23, 0}, steps))
        ASSERT_TRUE(simulation->submit(command));
      EXPECT_EQ(pieces(*simulation), 2) << steps;
      EXPECT_GE(simulation->measure().tears, 30) << steps;
      EXPECT_LE(simulation->measure().tears, 45) << steps;
    }
}

TEST(Cutting, AlongALineOfVerticesAndInsideToo) {
  auto simulation = start(test::square_cloth(31));  // the middle row lies at y = 0
  for (const Command& command : cut_along({-1.5, 0, 0}, {1.5, 0, 0}, 11))
    ASSERT_TRUE(simulation->submit(command));
  EXPECT_EQ(pieces(*simulation), 2);
  for (const Command& command : cut_along({-0.51, 0.52, 0}, {0.53, 0.49, 0}, 60))
    ASSERT_TRUE(simulation->submit(command));
  EXPECT_EQ(pieces(*simulation), 2) << "a slit leaves one piece whole";
  EXPECT_GE(simulation->measure().tears, 31 + 12);
}

TEST(Cutting, TheLowerHalfFalls) {
  SceneDesc scene = test::hanging_cloth(24);
  scene.objects[0].tethers = true;
  auto simulation = start(scene, 2);
  run(*simulation, 5);
  for (const Command& command : cut_along({-1.5, 0.1, 0}, {1.5, 0.1, 0}, 5))
    ASSERT_TRUE(simulation->submit(command));
  EXPECT_EQ(pieces(*simulation), 2);
  std::vector<glm::dvec3> before(std::size_t(simulation->model()->vertex_count)), after(before);
  simulation->read(reading::Positions{std::span(before)});
  run(*simulation, 60);
  simulation->read(reading::Positions{std::span(after)});
  const std::size_t top = 12, bottom = 23 * 24 + 12;
  EXPECT_LT(glm::distance(before[top], after[top]), 0.5);
  EXPECT_NEAR(before[bottom].y - after[bottom].y, 4.9, 0.6) << "free fall for a second";
}

TEST(Cutting, ChangesNothingWhereItMisses) {
  auto cut = start(test::hanging_cloth(20)), whole = start(test::hanging_cloth(20));
  for (const Command& command : cut_along({3, 0, 0}, {4, 1, 0}, 3)) ASSERT_TRUE(cut->submit(command));
  run(*cut, 20), run(*whole, 20);
  EXPECT_EQ(cut->state_hash(), whole->state_hash()) << "room for tears must not show";
}

TEST(Cutting, IsRecordedAndReplayed) {
  const SceneDesc scene = test::hanging_cloth(20);
  auto simulation = start(scene);
  InputHistory history;
  history.begin(scene);
  run(*simulation, 3);
  for (const Command& command : cut_along({-0.5, 0.3, 0}, {1.5, 0.1, 0}, 9)) {
    ASSERT_TRUE(simulation->submit(command));
    history.add(command, simulation->frame());
    run(*simulation, 1);
  }
  const auto recording = history.recording(*simulation);
  ASSERT_TRUE(recording);
  const auto read = parse_input_recording(to_json(*recording), "test");
  ASSERT_TRUE(read) << (read ? "" : read.error().text());
  auto replay = start(scene, 3);
  InputPlayer player(*read);
  while (replay->frame() < read->frames) {
    ASSERT_TRUE(player.submit_due(*replay));
    run(*replay, 1);
  }
  EXPECT_GT(replay->measure().tears, 5);
  EXPECT_EQ(replay->state_hash(), simulation->state_hash());
}

/// A cut is refused as a whole: one that finds room for a part is done, and so in the recording.
TEST(Cutting, WhatIsRefusedChangesNothing) {
  const SceneDesc scene = test::hanging_cloth(20);
  auto simulation = start(scene), same = start(scene);
  int refused = 0;
  for (int k = 0; k < 60; ++k) {
    const double angle = 2.4 * k, off = 0.7 * std::sin(1.7 * k);
    const glm::dvec3 along(std::cos(angle), std::sin(angle), 0), middle(-off * along.y, off * along.x, 0);
    for (const Command& command : cut_along(middle - 1.2 * along, middle + 1.2 * along, 2)) {
      const bool taken = bool(simulation->submit(command));
      if (taken) {
        ASSERT_TRUE(same->submit(command));
      }
      refused += !taken;
    }
  }
  EXPECT_GT(refused, 10);
  ASSERT_EQ(simulation->model()->vertex_count, same->model()->vertex_count);
  run(*simulation, 3), run(*same, 3);
  EXPECT_EQ(simulation->state_hash(), same->state_hash());
}

TEST(Cutting, ASnapshotFromBeforeTheFirstCutIsTakenBack) {
  auto simulation = start(test::hanging_cloth(20), 2);
  run(*simulation, 3);
  const auto saved = simulation->save();
  run(*simulation, 2);
  const std::uint64_t expected = simulation->state_hash();
  for (const Command& command : cut_along({-1.5, 0.1, 0}, {1.5, 0.1, 0}, 5))
    ASSERT_TRUE(simulation->submit(command));
  run(*simulation, 4);
  ASSERT_TRUE(simulation->restore(saved));
  EXPECT_EQ(pieces(*simulation), 1);
  run(*simulation, 2);
  EXPECT_EQ(simulation->state_hash(), expected);
}

/// Reserves for tears move the padding particles, which padding lanes of grains refer to.
TEST(TearingRun, GrainsHaveRoomBesideTears) {
  SceneDesc scene = ripped();
  ObjectDesc sand;
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = {6, 6, 6};
  sand.spacing = glm::dvec3(0.05);
  sand.pose.position = {0.0, 3.0, 0.0};
  scene.objects.push_back(sand);
  scene.solver.contact->particle_radius = 0.025;
  auto simulation = start(scene, 2);
  run(*simulation, 10);
  EXPECT_GT(simulation->measure().tears, 30);
}

}}  // namespace limber::tearing_test
