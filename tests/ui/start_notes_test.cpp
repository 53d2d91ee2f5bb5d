// Faults that a scene starts with are told, and taken back when their cause is gone.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/scene_source.hpp"
#include "app/lab/session.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "tests/ui/small_cloth.hpp"
#include "tests/ui/start_warnings.hpp"

namespace limber::start_notes_test { namespace {

using test::small_cloth;
using test::start_warnings;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

/// The cloth of small_cloth() around a ball: two of its vertices start inside.
SceneDesc cloth_in_a_ball() {
  SceneDesc scene = small_cloth();
  scene.colliders.back().pose.position = {0.0, 2.0, 0.0};
  return scene;
}

TEST(StartNotes, NameTheObjectAndGoWithTheirCause) {
  Session live(one_thread, {});
  live.open(cloth_in_a_ball());
  const auto told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].text.find("cloth: "), 0u) << told[0].text;
  EXPECT_NE(told[0].text.find("start inside a collider"), std::string::npos);
  EXPECT_EQ(told[0].scene, 1u);
  live.edit({"objects.cloth.position", glm::dvec3(0.0, 9.0, 0.0)});
  const auto moved = live.take_messages();
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_TRUE(is_about(told[0].about, moved[0].about) && moved[0].text.empty()) << "taken back";
  live.edit({"objects.cloth.position", glm::dvec3(0.0, 2.0, 0.0)});
  const auto again = live.take_messages();
  ASSERT_EQ(again.size(), 1u) << "and said of what is built later as well";
  EXPECT_EQ(again[0].text, told[0].text);
}

ObjectDesc pool(const char* name, glm::dvec3 position) {
  ObjectDesc fluid;
  fluid.name = name;
  fluid.type = ObjectType::fluid;
  fluid.fluid->extent = glm::dvec3(0.4);
  fluid.pose.position = position;
  fluid.material->viscosity = 1.0;
  return fluid;
}

bool any_contains(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != text.npos; });
}

TEST(StartNotes, AFluidInsideSomethingIsTold) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.05;
  scene.objects = {pool("water", {0.0, 1.0, 0.0})};
  EXPECT_TRUE(start_warnings(scene).empty());
  ColliderDesc rock;
  rock.name = "rock";
  rock.shape = ColliderShape::box;
  rock.half_extents = glm::dvec3(0.3);
  rock.pose.position = {0.0, 1.0, 0.0};
  scene.colliders = {rock};
  EXPECT_TRUE(
      any_contains(start_warnings(scene), "water: 64 of 64 particles start inside colliders or bodies"));
  scene.colliders[0].pose.position = {0.5, 1.0, 0.0};  // a quarter is displaced, as by anything in a basin
  EXPECT_FALSE(any_contains(start_warnings(scene), "start inside"));
}

TEST(StartNotes, NumbersOfWhatIsOffAreTold) {
  SceneDesc scene = test::small_cloth();
  EXPECT_TRUE(start_warnings(scene).empty());
  scene.wind->velocity.x = 3.0;
  scene.objects[0].temperature = 90.0;
  EXPECT_TRUE(any_contains(start_warnings(scene), "wind.enabled is false"));
  EXPECT_TRUE(any_contains(start_warnings(scene), "its temperature of 90 degrees means nothing"));
  scene.wind->enabled = scene.heat->enabled = true;
  EXPECT_TRUE(start_warnings(scene).empty());
}

TEST(StartNotes, FluidsInsideEachOtherAreTold) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.05;
  scene.objects = {pool("water", {0.0, 1.0, 0.0}), pool("oil", {0.4, 1.0, 0.0})};
  EXPECT_TRUE(start_warnings(scene).empty());
  scene.objects[1].pose.position.x = 0.15;
  EXPECT_TRUE(any_contains(start_warnings(scene), "water, oil: up to 2 times as dense"));
}

/// Copies before an object must not hide that its cloth is too thick.
TEST(StartNotes, ThickClothIsNamedBesideCopies) {
  SceneDesc scene = small_cloth();
  scene.solver.contact->cloth_collision = true;
  ObjectDesc thick = scene.objects[0];
  scene.objects[0].copies = {3.0, 1.0, 1.0};
  scene.objects[0].spacing = glm::dvec3(5.0);
  scene.objects[0].material->thickness = 1e-3;
  thick.name = "thick";
  thick.pose.position.y += 5.0;
  thick.cloth->width = thick.cloth->height = 0.01;
  scene.objects.push_back(thick);
  EXPECT_TRUE(any_contains(start_warnings(scene), "thick: its material.thickness"));
}

ObjectDesc heap(const char* name, double x, double spacing) {
  ObjectDesc grains;
  grains.name = name;
  grains.type = ObjectType::grains;
  grains.copies = glm::dvec3(3.0);
  grains.spacing = glm::dvec3(spacing);
  grains.pose.position = {x, 1.0, 0.0};
  return grains;
}

TEST(StartNotes, GrainsInsideEachOtherAreTold) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.05;
  scene.objects = {heap("sand", 0.0, 0.1), heap("gravel", 0.3, 0.1)};
  EXPECT_TRUE(start_warnings(scene).empty());
  scene.objects[1].pose.position.x = 0.28;  // by less than half a radius
  EXPECT_TRUE(start_warnings(scene).empty());
  scene.objects[1].pose.position.x = 0.23;  // the outer layers
  EXPECT_TRUE(
      any_contains(start_warnings(scene), "gravel, sand: 18 particles start inside others, up to 0.07 m"));
  scene.objects = {heap("sand", 0.0, 0.1)};
  scene.objects[0].jitter = 0.1;
  EXPECT_TRUE(any_contains(start_warnings(scene), "particles start inside others"));
}

/// A warning at the start is for a user's scene: only the one that is about such starts has it.
TEST(StartNotes, ShippedScenesStartOutsideOfTheirColliders) {
  const auto library = shipped_scenes();
  ASSERT_TRUE(library) << library.error().text();
  for (const SceneEntry& entry : library->scenes()) {
    auto scene = library->find(entry.name);
    ASSERT_TRUE(scene) << scene.error().text();
    const auto simulation = make_simulation(std::move(*scene), one_thread);
    ASSERT_TRUE(simulation) << simulation.error().text();
    EXPECT_EQ(start_warnings(**simulation).empty(), entry.name != "embedded_start") << entry.name;
  }
}

TEST(StartNotes, BodiesDeepInsideEachOtherAreNamed) {
  SceneDesc scene;
  BodyDesc& crates = scene.bodies.emplace_back();
  crates.name = "crates";
  crates.shape = BodyShape::box;
  crates.half_extents = glm::dvec3(0.5);
  crates.copies = {4.0, 1.0, 1.0};
  crates.spacing = {0.91, 1.0, 1.0};
  EXPECT_TRUE(start_warnings(scene).empty());  // not a tenth deep
  crates.spacing.x = 0.7;
  ASSERT_EQ(start_warnings(scene).size(), 1u);
  EXPECT_TRUE(start_warnings(scene)[0].starts_with("crates[") &&
              start_warnings(scene)[0].find("start inside each other (and 2 more pairs do), 0.3 m deep: ") !=
                  std::string::npos)
      << start_warnings(scene)[0];
  crates.copies.x = 1.0;
  BodyDesc ball;
  ball.name = "ball";
  ball.shape = BodyShape::sphere;
  ball.radius = 0.1;
  ball.pose.position = {0.55, 0.0, 0.0};  // half of it: more than a tenth of the smaller one
  scene.bodies.push_back(ball);
  ASSERT_EQ(start_warnings(scene).size(), 1u);
  EXPECT_TRUE(
      start_warnings(scene)[0].starts_with("crates and ball start inside each other, 0.05 m deep: pushed "))
      << start_warnings(scene)[0];
  JointDesc& joint = scene.joints.emplace_back();
  joint.name = "joint";
  joint.a = "crates", joint.b = "ball";
  EXPECT_TRUE(start_warnings(scene).empty());  // it keeps them from touching
  joint.collide = true;
  EXPECT_EQ(start_warnings(scene).size(), 1u);
  scene.joints.clear();
  for (BodyDesc& body : scene.bodies) body.fixed = true;
  EXPECT_TRUE(start_warnings(scene).empty());
}

TEST(StartNotes, ABodyDeepInsideAColliderIsNamed) {
  SceneDesc scene;
  BodyDesc& crate = scene.bodies.emplace_back();
  crate.name = "crate";
  crate.shape = BodyShape::box;
  crate.half_extents = glm::dvec3(0.1);
  crate.pose.position = {0.0, 0.385, 0.0};
  ColliderDesc& table = scene.colliders.emplace_back();
  table.name = "table";
  table.shape = ColliderShape::box;
  table.half_extents = glm::dvec3(0.3);
  EXPECT_TRUE(start_warnings(scene).empty()) << "less than a tenth deep";
  crate.pose.position.y = 0.3;
  ASSERT_EQ(start_warnings(scene).size(), 1u);
  EXPECT_TRUE(start_warnings(scene)[0].starts_with("crate and table start inside each other, 0.1 m deep: "))
      << start_warnings(scene)[0];
  scene.colliders[0].collides_with = "none";
  EXPECT_TRUE(start_warnings(scene).empty()) << start_warnings(scene)[0];
}

}}  // namespace limber::start_notes_test
