// Colliders in exported files, and exports that are started while a scene runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "app/record/live_export.hpp"
#include "app/record/scene_export.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/export_reader.hpp"

namespace limber::collider_export_test { namespace {

using namespace test;

/// A cloth, a ball that swings along x, a box of the cloth's name, the ground, and a sheet of glass that
/// nobody sees.
SceneDesc with_colliders() {
  SceneDesc scene = only_cloth();
  ColliderDesc ball, box, ground, hidden;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.25;
  ball.pose.position = {0.0, -3.0, 0.0};
  ball.amplitude = {2.0, 0.0, 0.0};
  ball.period = 1.0;
  box.name = "cloth";
  box.shape = ColliderShape::box;
  box.half_extents = {1.0, 0.5, 0.25};
  box.pose.position = {0.0, -5.0, 0.0};
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  hidden.name = "hidden";
  hidden.shape = ColliderShape::box;
  hidden.visible = false;
  scene.colliders = {ball, box, ground, hidden};
  return scene;
}

TEST_F(Export, CollidersMoveInUsd) {
  record(with_colliders(), "out.usda", 3);
  const std::string text = bytes("out.usda");
  for (const char* name : {"def Mesh \"ball\"", "def Mesh \"cloth\"", "def Mesh \"cloth_collider\""})
    EXPECT_NE(text.find(name), std::string::npos) << name;
  EXPECT_EQ(text.find("\"ground\""), std::string::npos);
  EXPECT_EQ(text.find("\"hidden\""), std::string::npos);
  for (int frame = 1; frame <= 3; ++frame) {
    const auto place = numbers_in(usd_sample(text, "ball", "double3 xformOp:translate", frame));
    ASSERT_EQ(place.size(), 3u);
    EXPECT_NEAR(place[0], 2.0 * std::sin(2.0 * std::numbers::pi * double(frame) / 60.0), 1e-5);
    EXPECT_NEAR(place[1], -3.0, 1e-6);
  }
}

TEST_F(Export, CollidersAreInEveryFormat) {
  for (const char* name : {"out.glb", "out.npz", "out.ply", "out.vtu", "out/"})
    record(with_colliders(), name, 2);
  EXPECT_NE(bytes("out.glb").find("\"name\":\"cloth_collider\""), std::string::npos);
  EXPECT_NE(bytes("out_0001.ply").find("comment part 1 ball\n"), std::string::npos);
  const auto arrays = read_npz(bytes("out.npz"));
  const std::string& box = arrays.at("cloth_collider/vertices.npy").data;
  double reach = 0.0;
  for (std::size_t k = 0; k < box.size() / 8; k += 3)
    reach = std::max(reach, std::abs(value_at<double>(box, 8 * k)));
  EXPECT_NEAR(reach, 1.0, 1e-6);
  EXPECT_NE(bytes("out/frame_0002.obj").find("g ball\n"), std::string::npos);
}

TEST_F(Export, CanBeStartedAndStoppedWhileASceneRuns) {
  auto simulation = make_simulation(only_cloth(), {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  LiveExport live;
  const auto step = [&](int frames) {
    for (int k = 0; k < frames; ++k) (*simulation)->step(), live.add(**simulation);
  };
  step(2);
  ASSERT_TRUE(live.start({.path = path("out.usda"), .option = "Export"}));
  EXPECT_FALSE(live.start({.path = path("other.usda")})) << "one at a time";
  step(3);
  ASSERT_TRUE(live.progress());
  EXPECT_EQ(live.progress()->frames, 3);
  const auto done = live.stop();
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->substr(0, 8), "3 frames");
  EXPECT_FALSE(live.progress());
  EXPECT_NE(bytes("out.usda").find("startTimeCode = 3\n"), std::string::npos);

  ASSERT_TRUE(live.start({.path = path("again.usda")}));
  step(1);
  auto restarted = make_simulation(only_cloth(), {Precision::f32, Simd::scalar, 1});
  (*restarted)->step();
  live.add(**restarted);  // the scene has gone back to its first frame
  const auto ended = live.take_ended();
  ASSERT_TRUE(ended);
  EXPECT_TRUE(*ended);
  EXPECT_FALSE(live.take_ended());
  EXPECT_FALSE(live.start({.path = path("out.doc")})) << "no such format";
}

}}  // namespace limber::collider_export_test
