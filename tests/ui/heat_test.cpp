// Heat maps: the engine's numbers against known states, the scale, the picture's frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/view/color_map.hpp"
#include "app/view/extract.hpp"
#include "app/view/heat_scale.hpp"

namespace limber {
namespace {

const RunOptions kOneThread{Precision::f32, Simd::scalar, 1};

/// Two springs in a row, a tenth longer than they want to be, without gravity.
SceneDesc stretched_chain() {
  SceneDesc scene;
  scene.solver.gravity = glm::dvec3(0.0);
  ObjectDesc object;
  object.name = "springs";
  object.type = ObjectType::points;
  object.points = {{{0.0, 0.0, 0.0}, 1.0}, {{1.1, 0.0, 0.0}, 1.0}, {{2.1, 0.0, 0.0}, 1.0}};
  object.springs = {{{0, 1}, 1.0}, {{1, 2}, 1.0}};
  scene.objects.push_back(object);
  return scene;
}

std::array<float, 3> heat_of(HeatMap map) {
  auto simulation = make_simulation(stretched_chain(), kOneThread);
  EXPECT_TRUE(simulation) << simulation.error().text();
  std::array<float, 3> heat{};
  (*simulation)->read_heat(map, heat);
  return heat;
}

TEST(Heat, AChainStretchedByATenthShowsStrainATenth) {
  const auto heat = heat_of(HeatMap::strain);
  EXPECT_NEAR(heat[0], 0.1f, 1e-6f);
  EXPECT_NEAR(heat[1], 0.1f, 1e-6f);  // of the worse spring
  EXPECT_NEAR(heat[2], 0.0f, 1e-6f);
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
  for (PointDesc& point : scene.objects[0].points) point.mass = 1.0;
  scene.objects[0].springs.clear();
  scene.solver.gravity = {0.0, -10.0, 0.0};
  scene.solver.damping = 0.0;
  auto simulation = make_simulation(scene, kOneThread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  (*simulation)->step();
  std::array<float, 3> heat{};
  (*simulation)->read_heat(HeatMap::velocity, heat);
  for (float speed : heat) EXPECT_NEAR(speed, 10.0 * scene.solver.dt, 1e-5);
}

TEST(Heat, TheFrameCarriesNumbersScaleAndColours) {
  auto simulation = make_simulation(stretched_chain(), kOneThread);
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
  EXPECT_EQ(frame.solids[0].color, turbo_light(1.0f));
}

TEST(HeatScale, EndsAtARoundNumberAndHoldsIt) {
  EXPECT_FLOAT_EQ(scale_end(0.13f, 0.0f, false), 0.2f);
  EXPECT_FLOAT_EQ(scale_end(0.1f, 0.2f, false), 0.2f);  // near enough: no flicker
  EXPECT_FLOAT_EQ(scale_end(0.03f, 0.2f, false), 0.05f);
  EXPECT_FLOAT_EQ(scale_end(0.3f, 0.2f, false), 0.5f);
  EXPECT_FLOAT_EQ(scale_end(25.0f, 0.0f, true), 25.0f);
  EXPECT_GT(scale_end(0.0f, 0.0f, false), 0.0f);
}

TEST(ColorMap, TurboGoesFromBlueToRed) {
  EXPECT_GT(turbo(0.1f).z, turbo(0.1f).x);
  EXPECT_GT(turbo(0.5f).y, 0.9f);
  EXPECT_GT(turbo(0.95f).x, turbo(0.95f).z);
  EXPECT_EQ(turbo(2.0f), turbo(1.0f));
}

}  // namespace
}  // namespace limber
