#include "engine/core/settings/material.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include <set>

namespace limber::scene_desc_test {
namespace {

SceneDesc sample_scene() {
  SceneDesc scene;
  scene.objects.resize(2);
  scene.objects[0].name = "cloth";
  scene.objects[0].attachments.resize(1);
  scene.objects[1].name = "chain";
  scene.objects[1].type = ObjectType::chain;
  scene.colliders.resize(1);
  scene.colliders[0].name = "ball";
  return scene;
}

TEST(SceneDesc, EverySettingIsFoundByItsPathAndSurvivesText) {
  SceneDesc scene = sample_scene();
  std::set<std::string> paths;
  for (const Setting& setting : list_settings(scene)) {
    EXPECT_TRUE(paths.insert(setting.path).second) << setting.path;
    const Expected<Setting> found = find_setting(scene, setting.path);
    ASSERT_TRUE(found) << setting.path;
    EXPECT_EQ(found->settings, setting.settings);
    EXPECT_EQ(found->field, setting.field);
    const Value value = get(*setting.field, setting.settings);
    const Expected<Value> parsed = parse(*setting.field, to_text(value));
    ASSERT_TRUE(parsed) << setting.path << ": " << parsed.error().text();
    ASSERT_TRUE(set(*setting.field, setting.settings, *parsed)) << setting.path;
    EXPECT_EQ(get(*setting.field, setting.settings), value) << setting.path;
  }
  for (const char* path :
       {"solver.substeps", "objects.cloth.mesh", "objects.cloth.material.stretch_compliance",
        "objects.cloth.position", "objects.cloth.attachments.0.period", "objects.chain.links",
        "colliders.ball.friction", "camera.position"})
    EXPECT_TRUE(paths.contains(path)) << path;
  EXPECT_FALSE(paths.contains("objects.cloth.links"));
  EXPECT_FALSE(paths.contains("objects.chain.columns"));
}

TEST(SceneDesc, SettingsReachTheRightMember) {
  SceneDesc scene = sample_scene();
  const auto assign = [&](std::string_view path, const Value& value) {
    const Expected<Setting> setting = find_setting(scene, path);
    return setting && set(*setting->field, setting->settings, value);
  };
  EXPECT_TRUE(assign("objects.chain.position", glm::dvec3(1, 2, 3)));
  EXPECT_TRUE(assign("objects.cloth.rotation_degrees", glm::dvec3(4, 5, 6)));
  EXPECT_TRUE(assign("colliders.ball.position", glm::dvec3(7, 8, 9)));
  EXPECT_TRUE(assign("objects.cloth.material.friction", 0.9));
  EXPECT_TRUE(assign("colliders.ball.shape", std::string("capsule")));
  EXPECT_EQ(scene.objects[1].pose.position, glm::dvec3(1, 2, 3));
  EXPECT_EQ(scene.objects[0].pose.rotation_degrees, glm::dvec3(4, 5, 6));
  EXPECT_EQ(scene.colliders[0].pose.position, glm::dvec3(7, 8, 9));
  EXPECT_EQ(scene.objects[0].material->friction, 0.9);
  EXPECT_EQ(scene.colliders[0].shape, ColliderShape::capsule);
}

TEST(SceneDesc, AnUnknownPathNamesTheNearest) {
  SceneDesc scene = sample_scene();
  const auto hint = [&](std::string_view path) { return find_setting(scene, path).error().hint; };
  EXPECT_EQ(hint("solver.substep"), "did you mean 'solver.substeps'?");
  EXPECT_EQ(hint("substeps"), "did you mean 'solver.substeps'?");
  EXPECT_EQ(hint("objects.cloth.stretch_compliance"),
            "did you mean 'objects.cloth.material.stretch_compliance'?");
  EXPECT_EQ(hint("objects.clot.mesh"), "did you mean 'objects.cloth.mesh'?");
}

}  // namespace
}  // namespace limber::scene_desc_test
