// The table of object types against the settings and the builders of the types.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/core/settings/material.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber::object_types_test { namespace {

ObjectDesc object_of(const ObjectTraits& type) {
  ObjectDesc object;
  object.name = "thing";
  object.type = type.type;
  return object;
}

/// All options of a choice, the minimum and maximum of a number; for other fields the present value.
std::vector<Value> extremes(const Field& field, ObjectDesc object) {
  std::vector<Value> values;
  for (const std::string_view option : field.options) values.emplace_back(std::string(option));
  if (field.kind == Field::Kind::integer) values = {std::int64_t(field.min), std::int64_t(field.max)};
  if (values.empty()) values = {get(field, &object)};
  return values;
}

TEST(ObjectTypes, EveryTypesRowsAreRowsOfObjects) {
  for (const ObjectTraits& type : object_types()) {
    ObjectDesc object = object_of(type);
    std::set<std::string_view> names;
    for (const Field& own : type.does.fields()) {
      EXPECT_TRUE(names.insert(own.name).second) << type.name << " has '" << own.name << "' twice";
      const auto all = object_fields();
      const auto row =
          std::find_if(all.begin(), all.end(), [&](const Field& f) { return f.name == own.name; });
      ASSERT_NE(row, all.end()) << own.name;
      EXPECT_EQ(row->member(&object), own.member(&object))
          << "two types mean different things by " << own.name;
      bool ever = false;  // with or without a mesh, of one cluster or many, or another value of another row
      for (const auto& [mesh, cluster] : {std::pair{"", 0.0}, {"mesh.obj", 0.0}, {"mesh.obj", 0.1}})
        for (const Field& other : type.does.fields())
          for (const Value& value : extremes(other, object)) {
            ObjectDesc chosen = object_of(type);
            chosen.mesh = mesh, chosen.solid->cluster_size = cluster;
            ASSERT_TRUE(set(other, &chosen, value)) << other.name;
            ever = ever || applies(chosen, own);
          }
      EXPECT_TRUE(ever) << own.name << " never applies to " << type.name;
    }
  }
}

TEST(ObjectTypes, NoTypeHasTheSettingsOfAnother) {
  for (const ObjectTraits& type : object_types()) {
    const ObjectDesc object = object_of(type);
    for (const ObjectTraits& other : object_types())
      for (const Field& row : other.does.fields()) {
        const auto own = type.does.fields();
        const bool has =
            std::any_of(own.begin(), own.end(), [&](const Field& f) { return f.name == row.name; });
        if (!has) {
          EXPECT_FALSE(applies(object, row)) << type.name << ": " << row.name;
        }
      }
  }
}

TEST(ObjectTypes, SettingsOutliveAChangeOfTheType) {
  SceneDesc scene;
  scene.objects.push_back(object_of(object_types().front()));
  const auto assign = [&](const char* path, const Value& value) {
    const Expected<Setting> setting = find_setting(scene, path);
    ASSERT_TRUE(setting && set(*setting->field, setting->settings, value)) << path;
  };
  assign("objects.thing.columns", 7L);
  assign("objects.thing.links", 9L);  // before the type that has it
  EXPECT_FALSE(check_setting_applies(scene, "objects.thing.links"));
  assign("objects.thing.type", std::string("chain"));
  EXPECT_TRUE(check_setting_applies(scene, "objects.thing.links"));
  EXPECT_FALSE(check_setting_applies(scene, "objects.thing.columns"));
  const Expected<ObjectGeometry> chain = build_geometry(scene, scene.objects[0]);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->positions.size(), 10u);
  assign("objects.thing.type", std::string("cloth"));
  EXPECT_EQ(scene.objects[0].cloth->columns, 7);
}

TEST(ObjectTypes, ABuilderMakesAsManyVerticesAsItsTypeCounts) {
  for (const ObjectTraits& type : object_types()) {
    SceneDesc scene;
    scene.objects.push_back(object_of(type));
    ObjectDesc& object = scene.objects[0];
    object.copies = {2.0, 3.0, 1.0};
    object.points->list = {{{0.0, 1.0, 0.0}, 1.0}, {{1.0, 1.0, 0.0}, 1.0}};
    object.rod->form = RodForm::path;
    const std::optional<long> count = type.does.vertex_count(object);
    if (!count) continue;  // only a mesh file knows
    const Expected<ObjectGeometry> built = build_geometry(scene, object);
    ASSERT_TRUE(built) << type.name << ": " << built.error().text();
    EXPECT_EQ(long(built->positions.size()), *count) << type.name;
    EXPECT_EQ(built->masses.size(), built->positions.size()) << type.name;
    EXPECT_EQ(built->triangles.empty(), !type.surface) << type.name;
    EXPECT_TRUE(!type.copies_are_particles || *count == 6) << type.name;
    EXPECT_TRUE(type.springs || built->springs.empty()) << type.name;
  }
}

/// A row is found by its name among those of all types: two members of one name would be written into each
/// other's place.
TEST(ObjectTypes, RowsOfOneNameAreOneMember) {
  for (const ObjectTraits& type : object_types())
    for (const Field& row : type.does.fields())
      for (const ObjectTraits& other : object_types())
        for (const Field& same : other.does.fields())
          if (same.name == row.name) {
            ObjectDesc object;
            EXPECT_EQ(same.member(&object), row.member(&object))
                << row.name << " of " << type.name << " and " << other.name;
            EXPECT_EQ(same.kind, row.kind) << row.name << " of " << type.name << " and " << other.name;
          }
}

TEST(ObjectTypes, MaterialsHaveOnlyTheirParts) {
  for (const ObjectTraits& type : object_types()) {
    const ObjectDesc object = object_of(type);
    for (const Field& row : material_fields())
      EXPECT_EQ(applies_to_material(object, row), row.part == 0 || (row.part & type.material) != 0)
          << type.name << ": " << row.name;
  }
}

}}  // namespace limber::object_types_test
