// Fields of materials in a running scene: tears, live settings, brushes, snapshots.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber { namespace {

FieldSource everywhere(MaterialField quantity, double value) {
  FieldSource source;
  source.name = "all";
  source.quantity = quantity;
  source.value = value;
  return source;
}

SceneDesc hanging_cloth() {
  SceneDesc scene;
  scene.solver.step->substeps = 8, scene.solver.step->automatic = false;
  ObjectDesc object;
  object.name = "it";
  object.pose.position.y = 1.0;
  object.cloth->columns = object.cloth->rows = 9;
  object.material->stretch_compliance = 1e-3;
  object.pins = {std::string("top_left"), std::string("top_right")};
  scene.objects = {object};
  return scene;
}

struct Running {
  explicit Running(const SceneDesc& scene) {
    auto made = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    it = std::move(*made);
  }
  std::vector<float> field(HeatMap map = HeatMap::stiffness_field) const {
    std::vector<float> out(std::size_t(it->model()->vertex_count));
    it->read(reading::Heat{map, out});
    return out;
  }
  std::unique_ptr<Simulation> it;
};

SceneDesc half_soft_cloth() {
  SceneDesc scene = hanging_cloth();
  scene.objects[0].pins.clear();
  FieldSource soft;
  soft.name = "soft";
  soft.type = FieldSourceType::gradient;
  soft.from = glm::dvec3(-0.5, 0, 0), soft.to = glm::dvec3(0.5, 0, 0);
  scene.objects[0].fields = {soft};
  return scene;
}

TEST(RunningFields, BothSidesOfATearKeepTheValue) {
  Running run(half_soft_cloth());
  run.it->step();
  const std::vector<float> before = run.field();
  std::vector<glm::dvec3> places(before.size());
  run.it->read(reading::Positions{std::span(places)});
  const double height = places[0].y;
  Cut cut;
  cut.near = {glm::dvec3(0.03, height + 1, -2), glm::dvec3(0.03, height - 1, -2)};
  cut.far = {glm::dvec3(0.03, height + 1, 2), glm::dvec3(0.03, height - 1, 2)};
  ASSERT_TRUE(run.it->submit(cut));
  run.it->step();
  const std::vector<float> now = run.field();
  const std::vector<Index>& from = run.it->model()->split_from;
  ASSERT_GT(from.size(), 2u);
  ASSERT_EQ(now.size(), before.size() + from.size());
  for (std::size_t k = 0; k < from.size(); ++k)
    EXPECT_EQ(now[before.size() + k], before[std::size_t(from[k])]);
  ASSERT_TRUE(run.it->submit(SetValue{"objects.it.fields.soft.value", 0.5}));  // and follow their source
  const std::vector<float> later = run.field();
  for (std::size_t k = 0; k < from.size(); ++k)
    EXPECT_EQ(later[before.size() + k], later[std::size_t(from[k])]);
  EXPECT_NE(later[std::size_t(from[0])], now[std::size_t(from[0])]);
}

TEST(RunningFields, SettingsAreLiveAndADensityBuildsAnew) {
  SceneDesc scene = half_soft_cloth();
  scene.objects[0].fields.push_back(everywhere(MaterialField::density, 2.0));
  scene.objects[0].fields.back().name = "heavy";
  Running run(scene);
  run.it->step(), run.it->step();
  const std::vector<float> before = run.field();
  ASSERT_TRUE(run.it->submit(SetValue{"objects.it.fields.soft.value", 1.0}));
  EXPECT_EQ(run.it->frame(), 2);
  EXPECT_NE(run.field(), before);
  for (const float value : run.field()) EXPECT_EQ(value, 1.0f);
  ASSERT_TRUE(run.it->submit(SetValue{"objects.it.fields.heavy.value", 3.0}));
  EXPECT_EQ(run.it->frame(), 0);
  for (const float value : run.field(HeatMap::density_field)) EXPECT_EQ(value, 3.0f);
}

TEST(RunningFields, ABrushPaintsAndARestartWashesOff) {
  Running run(hanging_cloth());
  run.it->step();
  const auto saved = run.it->save();
  for (const float value : run.field()) EXPECT_EQ(value, 1.0f);
  const PaintField brush{MaterialField::stiffness, glm::dvec3(0, 1, 0), 0.6, 0.1};
  ASSERT_TRUE(run.it->submit(brush));
  const std::vector<float> painted = run.field();
  EXPECT_LT(*std::min_element(painted.begin(), painted.end()), 0.3f);
  EXPECT_EQ(run.it->model()->objects[0].fields, 1u);
  run.it->step();
  const std::uint64_t soft = run.it->state_hash();
  ASSERT_TRUE(run.it->restore(saved));
  for (const float value : run.field()) EXPECT_EQ(value, 1.0f);
  run.it->step();
  EXPECT_NE(run.it->state_hash(), soft);
  ASSERT_TRUE(run.it->submit(brush));
  run.it->restart();
  for (const float value : run.field()) EXPECT_EQ(value, 1.0f);
  const auto refused = run.it->submit(PaintField{MaterialField::density, glm::dvec3(0), 0.1, 0.5});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("density cannot be painted"), std::string::npos);
}

}}  // namespace limber
