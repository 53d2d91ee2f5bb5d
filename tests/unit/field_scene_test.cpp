// Fields of materials in scene files: valid ones, and wrong ones that are refused with line and suggestion.
#include <gtest/gtest.h>

#include "engine/core/material_field.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber { namespace {

Expected<SceneDesc> with_field(const std::string& field, const std::string& type = "cloth") {
  return parse_scene("{ \"format\": 1, \"objects\": { \"it\": {\n \"type\": \"" + type +
                         "\",\n \"fields\": { \"soft\":\n " + field + " } } } }",
                     "test", "");
}

void expect_refused(const Expected<SceneDesc>& scene, int line, const std::string& words,
                    const std::string& hint = "") {
  ASSERT_FALSE(scene) << words;
  EXPECT_EQ(scene.error().line, line) << scene.error().text();
  EXPECT_NE(scene.error().message.find(words), std::string::npos) << scene.error().text();
  EXPECT_NE(scene.error().hint.find(hint), std::string::npos) << scene.error().text();
}

TEST(FieldScene, ReadsAField) {
  const auto scene = with_field(
      R"({ "type": "sphere", "quantity": "damping", "value": 3, "position": [0, 1, 0], "radius": 0.2 })");
  ASSERT_TRUE(scene) << scene.error().text();
  const FieldSource& source = scene->objects[0].fields.at(0);
  EXPECT_EQ(source.name, "soft");
  EXPECT_EQ(source.type, FieldSourceType::sphere);
  EXPECT_EQ(source.quantity, MaterialField::damping);
  EXPECT_EQ(source.value, 3.0);
  SceneDesc copy = *scene;
  EXPECT_TRUE(find_setting(copy, "objects.it.fields.soft.radius"));
  EXPECT_FALSE(check_setting_applies(copy, "objects.it.fields.soft.seed"));
}

TEST(FieldScene, WrongFieldsAreRefusedWithTheirLine) {
  expect_refused(with_field(R"({ "type": "sphere" })"), 3, "needs a 'quantity'", "stiffness, density");
  expect_refused(with_field(R"({ "quantity": "stiffness" })"), 3, "needs a 'type'", "gradient");
  expect_refused(with_field("{ \"type\": \"box\",\n \"quantity\": \"stifness\" }"), 5, "stifness",
                 "did you mean 'stiffness'?");
  expect_refused(with_field("{ \"type\": \"box\", \"quantity\": \"stiffness\",\n \"radius\": 1 }"), 5,
                 "'radius' means nothing for a field of type 'box'");
  expect_refused(
      with_field(R"({ "type": "gradient", "quantity": "density", "from": [0,0,0], "to": [0,0,0] })"), 3,
      "two points in one place", "'from' and 'to'");
  expect_refused(with_field(R"({ "type": "colors", "quantity": "stiffness" })"), 3, "vertex colours",
                 "another 'type'");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "thickness" })", "rod"), 3,
                 "an object of type 'rod' cannot", "cloth");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "stiffness" })", "grains"), 3,
                 "an object of type 'grains' cannot", "tets, rod");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "density" })", "fluid"), 3,
                 "an object of type 'fluid' cannot", "grains, solid");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "thickness" })", "grains"), 3,
                 "an object of type 'grains' cannot", "cloth");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "damping" })", "solid"), 3,
                 "has no Young's modulus", "youngs_modulus");
  expect_refused(with_field(R"({ "type": "everywhere", "quantity": "stiffness", "value": 0 })"), 4, "value");
}

TEST(FieldScene, AnObjMayHaveVertexColours) {
  const std::string faces = "f 1 2 3\n";
  const auto colored =
      parse_obj("v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0 0 0 0.25\nv 9 9 9 1 1 1\n" + faces, "test");
  ASSERT_TRUE(colored);
  ASSERT_EQ(colored->mesh.colors.size(), 3u);
  EXPECT_EQ(colored->mesh.colors[1], glm::dvec3(0, 0.5, 0));
  EXPECT_EQ(colored->mesh.colors[2], glm::dvec3(0, 0, 0.25));
  const auto partly = parse_obj("v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0 nan 0 1\n" + faces, "test");
  ASSERT_TRUE(partly);
  EXPECT_TRUE(partly->mesh.colors.empty());
}

}}  // namespace limber
