// Heat maps and marks: values against known states, the scale, and their data in the drawn frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/view/color_map.hpp"
#include "app/view/extract.hpp"
#include "app/view/heat_numbers.hpp"
#include "app/view/heat_scale.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::heat_test { namespace {

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

/// Two springs in a row, a tenth longer than they want to be, without gravity.
SceneDesc stretched_chain() {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  ObjectDesc object;
  object.name = "springs";
  object.type = ObjectType::points;
  object.points->list = {{{0.0, 0.0, 0.0}, 1.0}, {{1.1, 0.0, 0.0}, 1.0}, {{2.1, 0.0, 0.0}, 1.0}};
  object.points->springs = {{{0, 1}, 1.0}, {{1, 2}, 1.0}};
  scene.objects.push_back(object);
  return scene;
}

std::array<float, 3> heat_of(HeatMap map) {
  auto simulation = make_simulation(stretched_chain(), one_thread);
  EXPECT_TRUE(simulation) << simulation.error().text();
  std::array<float, 3> heat{};
  (*simulation)->read(reading::Heat{map, heat});
  return heat;
}

TEST(Heat, AChainStretchedByATenthShowsStrainATenth) {
  const auto heat = heat_of(HeatMap::strain);
  EXPECT_NEAR(heat[0], 0.1f, 1e-6f);
  EXPECT_NEAR(heat[1], 0.1f, 1e-6f);  // of the worse spring
  EXPECT_NEAR(heat[2], 0.0f, 1e-6f);
}

/// A tap of 2,000 particles of which few have left: the others colour nothing and are in no bounds.
TEST(Heat, ParticlesThatAreNotInTheSceneDoNotCount) {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.contact->particle_radius = 0.03;
  ObjectDesc tap;
  tap.name = "tap";
  tap.type = ObjectType::fluid;
  tap.fluid->emit_count = 2000;
  tap.fluid->emit_radius = 0.05;
  tap.velocity = {3.0, 0.0, 0.0};
  scene.objects = {tap};
  auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  for (int f = 0; f < 12; ++f) (*simulation)->step();
  FrameExtractor extractor;
  extractor.show(HeatMap::velocity);
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  const auto present = std::size_t((*simulation)->measure().fluid_particles);
  EXPECT_EQ(frame.absent.size(), 2000u - present);
  EXPECT_GT(present, 5u);
  EXPECT_LT(present, 100u);
  EXPECT_FLOAT_EQ(frame.heat_scale.high, 5.0f);  // of 3 m/s
  EXPECT_GT(frame.bounds_min.x, -0.01f);
  std::size_t seen = 0;
  for (const glm::vec4& sphere : frame.points.spheres) seen += sphere.w > 0.0f;
  EXPECT_EQ(seen, present);
}

TEST(Heat, EqualMassesOweHalfTheStretchEach) {
  const auto heat = heat_of(HeatMap::residual);
  EXPECT_NEAR(heat[0], 0.05f, 1e-6f);
  EXPECT_NEAR(heat[1], 0.05f, 1e-6f);
  EXPECT_NEAR(heat[2], 0.0f, 1e-6f);
}

TEST(Heat, SpringsThatShareAVertexHaveDifferentPhases) {
  const auto heat = heat_of(HeatMap::phase);
  EXPECT_NE(heat[0], heat[2]);
  EXPECT_EQ(heat[1], std::max(heat[0], heat[2]));
}

TEST(Heat, AFreeFallShowsItsSpeed) {
  SceneDesc scene = stretched_chain();
  for (PointDesc& point : scene.objects[0].points->list) point.mass = 1.0;
  scene.objects[0].points->springs.clear();
  scene.solver.motion->gravity = {0.0, -10.0, 0.0};
  scene.solver.motion->damping = 0.0;
  auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  (*simulation)->step();
  std::array<float, 3> heat{};
  (*simulation)->read(reading::Heat{HeatMap::velocity, heat});
  for (float speed : heat) EXPECT_NEAR(speed, 10.0 * scene.solver.step->dt, 1e-5);
}

TEST(Heat, TheFrameCarriesNumbersScaleAndColours) {
  auto simulation = make_simulation(stretched_chain(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_TRUE(frame.heat.empty());
  const glm::vec3 plain = frame.lines[0].color;
  extractor.show(HeatMap::strain);
  extractor.extract(**simulation, frame);
  ASSERT_EQ(frame.heat.size(), 3u);
  EXPECT_FLOAT_EQ(frame.heat_scale.low, 0.0f);
  EXPECT_FLOAT_EQ(frame.heat_scale.high, 0.1f);
  EXPECT_NE(frame.lines[0].color, plain);
  EXPECT_EQ(frame.points.colors[0], packed_light(heat_light(ColorMap::viridis, 1.0f)));
}

/// A ball that falls, and a block of 1000 kg at rest on the ground.
SceneDesc ball_and_block() {
  SceneDesc scene;
  scene.solver.step->substeps = 8;
  scene.solver.motion->damping = 0.0;
  BodyDesc block, ball;
  block.name = "block";
  block.pose.position = {0.0, 0.5, 0.0};
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.pose.position = {5.0, 50.0, 0.0};
  ball.velocity = {3.0, 0.0, 0.0};
  scene.bodies = {block, ball};
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  scene.colliders = {ground};
  return scene;
}

TEST(Heat, BodiesShowTheirSpeedAndTheForceOnThem) {
  auto simulation = make_simulation(ball_and_block(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  for (int i = 0; i < 60; ++i) (*simulation)->step();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_TRUE(frame.body_heat.empty());
  extractor.show(HeatMap::velocity);
  extractor.extract(**simulation, frame);
  ASSERT_EQ(frame.body_heat.size(), 2u);
  EXPECT_NEAR(frame.body_heat[0], 0.0f, 1e-3f);
  EXPECT_NEAR(frame.body_heat[1], std::hypot(3.0, 9.81), 0.01);  // one second of fall
  EXPECT_EQ(frame.solids[1].color, heat_light(ColorMap::viridis, frame.body_heat[1] / frame.heat_scale.high));
  EXPECT_TRUE(frame.heat_note.empty());
  extractor.show(HeatMap::force);
  extractor.extract(**simulation, frame);
  EXPECT_NEAR(frame.body_heat[0], 9810.0f, 0.02f * 9810.0f);  // its weight
  EXPECT_EQ(frame.body_heat[1], 0.0f);
}

TEST(Heat, AMapWithoutNumbersForAnythingSaysSo) {
  auto bodies = make_simulation(ball_and_block(), one_thread);
  auto springs = make_simulation(stretched_chain(), one_thread);
  SceneDesc dust = stretched_chain();
  dust.objects[0].points->springs.clear();
  auto points = make_simulation(dust, one_thread);
  ASSERT_TRUE(bodies && springs && points);
  for (const HeatMapInfo& info : heat_maps) {
    for (const auto* simulation : {&*bodies, &*springs, &*points}) {
      FrameExtractor extractor;
      RenderFrame frame;
      extractor.show(info.map);
      extractor.extract(**simulation, frame);
      const bool numbers = !frame.heat.empty() || !frame.body_heat.empty();
      EXPECT_EQ(frame.has_heat(), info.map != HeatMap::none) << info.name;
      if (info.map == HeatMap::none) continue;
      EXPECT_NE(numbers, !frame.heat_note.empty()) << info.name;
      const bool fluid_map_elsewhere = info.of_fluids && simulation != &*bodies;
      EXPECT_EQ(frame.heat_note == "Only fluids have one.", fluid_map_elsewhere) << info.name;
    }
  }
}

TEST(Heat, TheKeyLeavesOutMapsThatShowNothing) {
  const auto round = [](std::initializer_list<HeatMap> maps) {
    HeatMapsThere there{};
    for (const HeatMap map : maps) there[std::size_t(map)] = true;
    std::vector<HeatMap> seen;
    HeatMap map = HeatMap::none;
    do seen.push_back(map = next_heat_map(map, there));
    while (map != HeatMap::none);
    return seen;
  };
  EXPECT_EQ(round({HeatMap::force, HeatMap::velocity}),
            (std::vector{HeatMap::velocity, HeatMap::force, HeatMap::none}));
  EXPECT_EQ(round({}), std::vector{HeatMap::none});
  EXPECT_EQ(
      round({HeatMap::velocity, HeatMap::strain, HeatMap::pressure, HeatMap::density}),
      (std::vector{HeatMap::density, HeatMap::pressure, HeatMap::strain, HeatMap::velocity, HeatMap::none}));
}

TEST(Heat, AFluidHasNoMapsOfConstraints) {
  SceneModel model;
  model.objects.emplace_back().fluid = true;
  const HeatMapsThere there = heat_maps_there(model);
  EXPECT_EQ(next_heat_map(HeatMap::none, there), HeatMap::density);
  EXPECT_TRUE(there[std::size_t(HeatMap::velocity)]);
  EXPECT_FALSE(there[std::size_t(HeatMap::strain)] || there[std::size_t(HeatMap::residual)]);
}

TEST(Overlay, ContactsOfBodiesAreCountedByWhatTheyTouch) {
  SceneDesc scene = ball_and_block();
  scene.bodies[1] = scene.bodies[0];
  scene.bodies[1].name = "upper";
  scene.bodies[1].pose.position.y = 1.5;
  auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  for (int i = 0; i < 10; ++i) (*simulation)->step();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.show(Overlay::contacts);
  extractor.extract(**simulation, frame);
  std::vector<std::string> legend;
  for (const MarkCount& mark : frame.overlay.marks)
    if (!mark.label.empty()) legend.push_back(std::to_string(mark.count) + " " + std::string(mark.label));
  EXPECT_EQ(legend, (std::vector<std::string>{"4 of bodies with colliders", "4 between bodies"}));
  EXPECT_EQ(frame.dots_on_top.size(), 8u);
}

/// The overlays through which D cycles in a scene, up to none.
std::vector<Overlay> debug_views_of(const Simulation& simulation) {
  std::vector<Overlay> seen;
  Overlay overlay = Overlay::none;
  do seen.push_back(overlay = next_overlay(overlay, overlays_there(simulation)));
  while (overlay != Overlay::none && seen.size() < 10);
  return seen;
}

TEST(Overlay, OnlyWhatTheSceneHasIsOffered) {
  auto springs = make_simulation(stretched_chain(), one_thread);
  ASSERT_TRUE(springs) << springs.error().text();
  EXPECT_EQ(debug_views_of(**springs), std::vector{Overlay::none});
  ASSERT_TRUE((*springs)->submit(ThrowBall{{0.0, 3.0, 0.0}, {0.0, 0.0, 0.0}, 0.1}));
  (*springs)->step();
  EXPECT_EQ(debug_views_of(**springs), (std::vector{Overlay::contacts, Overlay::none}));
  auto bodies = make_simulation(ball_and_block(), one_thread);
  ASSERT_TRUE(bodies) << bodies.error().text();
  EXPECT_EQ(debug_views_of(**bodies), (std::vector{Overlay::contacts, Overlay::none}));
  SceneDesc cloth;
  cloth.objects.emplace_back().name = "cloth";
  auto sheet = make_simulation(cloth, one_thread);
  ASSERT_TRUE(sheet) << sheet.error().text();
  EXPECT_EQ(debug_views_of(**sheet), (std::vector{Overlay::intersections, Overlay::none}));
  cloth.solver.contact->cloth_collision = true;
  sheet = make_simulation(cloth, one_thread);
  ASSERT_TRUE(sheet) << sheet.error().text();
  EXPECT_EQ(debug_views_of(**sheet),
            (std::vector{Overlay::contacts, Overlay::intersections, Overlay::zones, Overlay::none}));
  cloth.wind->enabled = true;
  cloth.wind->velocity = {0.0, 0.0, 2.0};
  sheet = make_simulation(cloth, one_thread);
  ASSERT_TRUE(sheet) << sheet.error().text();
  EXPECT_EQ(next_overlay(Overlay::zones, overlays_there(**sheet)), Overlay::wind);
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.show(Overlay::wind);
  extractor.extract(**sheet, frame);
  ASSERT_FALSE(frame.lines_on_top.empty());
  ASSERT_EQ(frame.overlay.marks[0].count, std::int64_t(frame.dots_on_top.size()));
  for (const auto& line : frame.lines_on_top)
    EXPECT_NEAR(line.b.z - line.a.z, 2.0f * 0.2f / 6.0f, 1e-5f) << "a sixth of a streak of 0.2 s";
  // of the scene before, with nothing to mark in this one: from the start
  EXPECT_EQ(next_overlay(Overlay::joints, overlays_there(**bodies)), Overlay::contacts);
}

TEST(View, TheGroundKeepsItsSquaresWhateverMovesAway) {
  auto simulation = make_simulation(ball_and_block(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  const float cell = frame.ground_cell, height = frame.bounds_max.y;
  EXPECT_GT(cell, 0.0f);
  for (int i = 0; i < 120; ++i) (*simulation)->step();
  extractor.extract(**simulation, frame);
  EXPECT_LT(frame.bounds_max.y, 0.7f * height);
  EXPECT_EQ(frame.ground_cell, cell);
}

TEST(View, AFarWallIsNotFramedAndGlassCastsNoShadow) {
  SceneDesc scene = ball_and_block();
  scene.bodies.pop_back();
  ColliderDesc wall, pane;
  wall.name = "wall";
  wall.shape = ColliderShape::box;
  wall.pose.position = {80.0, 0.0, 0.0};
  wall.half_extents = {1.0, 40.0, 40.0};
  pane.name = "pane";
  pane.shape = ColliderShape::box;
  pane.glass = true;
  pane.pose.position = {0.0, 1.0, 0.8};
  pane.half_extents = {1.0, 1.0, 0.05};
  scene.colliders.push_back(wall);
  scene.colliders.push_back(pane);
  auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_GT(frame.bounds_max.x, 80.0f);
  EXPECT_NEAR(frame.focus_max.x, 1.0f, 1e-6f);  // the pane's
  ASSERT_EQ(frame.panes.size(), 1u);
  EXPECT_EQ(frame.lines.size(), 12u);  // its edges
  EXPECT_EQ(frame.solids.size(), 2u);
}

TEST(View, WhatLeftTheOthersFarBehindIsNotFramed) {
  SceneDesc scene = ball_and_block();
  scene.bodies.front().copies = {7.0, 1.0, 1.0};  // from -5 to 5
  scene.bodies.back().pose.position = {300.0, 50.0, 0.0};
  auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_NEAR(frame.focus_min.x, -5.0f, 1e-5f);
  EXPECT_NEAR(frame.focus_max.x, 5.0f, 1e-5f);
  EXPECT_NEAR(frame.bounds_max.x, 300.5f, 1e-3f);
}

TEST(HeatScale, EndsAtARoundNumberAndHoldsIt) {
  HeldScale scale;
  EXPECT_GT(scale.follow(0.0f, 0.0, false), 0.0f);
  EXPECT_FLOAT_EQ(scale.follow(0.13f, 0.1, false), 0.2f);
  EXPECT_FLOAT_EQ(scale.follow(0.03f, 0.2, false), 0.2f);  // no flicker
  EXPECT_FLOAT_EQ(scale.follow(0.3f, 0.3, false), 0.5f);
  EXPECT_FLOAT_EQ(scale.follow(25.0f, 0.4, true), 25.0f) << "what is counted ends it";
  scale.start();
  EXPECT_FLOAT_EQ(scale.follow(0.03f, 0.5, false), 0.05f);
}

/// A debug view that was chosen in the scene before says nothing of one without such things.
TEST(DebugView, CountsNothingThatASceneDoesNotHave) {
  SceneDesc scene;
  scene.objects.emplace_back().name = "cloth";
  const auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation);
  FrameExtractor extractor;
  RenderFrame frame;
  for (const Overlay overlay : {Overlay::tets, Overlay::joints}) {
    extractor.show(overlay);
    extractor.extract(**simulation, frame);
    EXPECT_EQ(frame.overlay.overlay, Overlay::none);
    EXPECT_TRUE(frame.overlay.marks[0].label.empty()) << frame.overlay.marks[0].label;
  }
}

/// Something is thrown and comes to rest: 2, 10, 2, 1 m/s within seconds are two scales, not four.
TEST(HeatScale, DoesNotJumpWithEveryMotion) {
  HeldScale scale;
  std::vector<float> ends;
  const auto run = [&](float most, double from, double to) {
    for (double time = from; time < to; time += 1.0 / 60.0) {
      const float end = scale.follow(most, time, false);
      if (ends.empty() || ends.back() != end) ends.push_back(end);
    }
  };
  run(1.9f, 0.0, 1.0);
  run(9.0f, 1.0, 1.2);
  run(1.8f, 1.2, 3.0);
  run(0.9f, 3.0, 5.0);
  EXPECT_EQ(ends, (std::vector<float>{2.0f, 10.0f}));
  run(0.9f, 5.0, 9.0);
  EXPECT_EQ(ends, (std::vector<float>{2.0f, 10.0f, 2.0f})) << "the most of the last seconds, in one step";
  run(0.9f, 0.0, 4.0);  // from the start again
  EXPECT_EQ(ends.size(), 3u);
}

TEST(HeatScale, StaysWhereItIsLocked) {
  HeldScale scale;
  scale.follow(1.0f, 0.0, false);
  scale.lock(3.0f);
  for (const float most : {0.1f, 1.0f, 50.0f}) EXPECT_EQ(scale.follow(most, 1.0, false), 3.0f);
  scale.lock(std::nullopt);
  EXPECT_FLOAT_EQ(scale.follow(8.0f, 2.0, false), 10.0f);
}

TEST(ColorMap, ViridisBecomesEverLighter) {
  const auto lightness = [](float t) { return glm::dot(viridis(t), glm::vec3(0.2126f, 0.7152f, 0.0722f)); };
  for (int i = 0; i < 32; ++i) EXPECT_LT(lightness(float(i) / 32.0f), lightness(float(i + 1) / 32.0f)) << i;
  EXPECT_LT(glm::distance(viridis(0.0f), glm::vec3(0.267f, 0.005f, 0.329f)), 0.02f);
  EXPECT_LT(glm::distance(viridis(0.5f), glm::vec3(0.128f, 0.567f, 0.551f)), 0.02f);
  EXPECT_LT(glm::distance(viridis(1.0f), glm::vec3(0.993f, 0.906f, 0.144f)), 0.02f);
  EXPECT_EQ(viridis(2.0f), viridis(1.0f));
}

TEST(ColorMap, CividisBecomesEverLighterAndDivergingIsLightestInTheMiddle) {
  const auto lightness = [](ColorMap map, float t) {
    return glm::dot(heat_color(map, t), glm::vec3(0.2126f, 0.7152f, 0.0722f));
  };
  for (int i = 0; i < 32; ++i)
    EXPECT_LT(lightness(ColorMap::cividis, float(i) / 32.0f),
              lightness(ColorMap::cividis, float(i + 1) / 32.0f));
  for (int i = 0; i < 16; ++i) {
    const float low = float(i) / 32.0f, next = float(i + 1) / 32.0f;
    EXPECT_LT(lightness(ColorMap::diverging, low), lightness(ColorMap::diverging, next)) << i;
    EXPECT_LT(lightness(ColorMap::diverging, 1.0f - low), lightness(ColorMap::diverging, 1.0f - next)) << i;
  }
  const glm::vec3 middle = heat_color(ColorMap::diverging, 0.5f);
  EXPECT_EQ(middle.x, middle.z);
  EXPECT_GT(heat_color(ColorMap::diverging, 0.0f).z, heat_color(ColorMap::diverging, 0.0f).x);
  EXPECT_GT(heat_color(ColorMap::diverging, 1.0f).x, heat_color(ColorMap::diverging, 1.0f).z);
}

/// The shaders interpolate a table, the legend does not: the two differ by less than a step of 8 bits can
/// show.
TEST(ColorMap, TheTableOfTheShadersIsTheMap) {
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::diverging}) {
    const auto table = heat_table(map);
    for (int i = 0; i <= 320; ++i) {
      const float t = float(i) / 320.0f, place = t * float(heat_table_size - 1);
      const std::size_t first = std::min(std::size_t(place), heat_table_size - 2);
      const glm::vec3 shown = glm::mix(table[first], table[first + 1], place - float(first));
      EXPECT_LT(glm::distance(shown, heat_color(map, t)), 0.015f) << int(map) << ' ' << t;
    }
  }
}

}}  // namespace limber::heat_test
