// Sessions that are filmed or recorded while they run.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/lab/session.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::filming_test {
namespace {

using test::small_cloth;

TEST(Filming, TheSimulationWaitsForItsPicturesAndIsTheSame) {
  Session live({Precision::f32, Simd::scalar, 1}, {}), filmed({Precision::f32, Simd::scalar, 1}, {});
  live.open(small_cloth());
  filmed.open(small_cloth());
  filmed.wait_for_pictures(true);
  const double dt = small_cloth().solver.step->dt;
  EXPECT_TRUE(filmed.advance(dt));
  EXPECT_FALSE(filmed.advance(dt)) << "a step before the picture was taken";
  EXPECT_TRUE(std::isinf(filmed.until_due()));
  filmed.picture_taken();
  EXPECT_TRUE(filmed.advance(dt));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(live.advance(dt));
  EXPECT_EQ(live.recording()->state_hash, filmed.recording()->state_hash);
  filmed.wait_for_pictures(false);
  EXPECT_TRUE(filmed.advance(dt));
}

TEST(Filming, ALiveSessionIsRecordedAndComesBack) {
  Session live({Precision::f32, Simd::scalar, 2}, {});
  live.open(small_cloth());
  Publication shown;
  live.publish(shown);
  const auto version = shown.frame.model_version;
  for (int i = 0; i < 4; ++i) live.step_once();
  live.interact(GrabVertex{7, {0.2, 2.9, 0.4}}, version);
  for (int i = 0; i < 4; ++i) live.step_once();
  live.step_back();
  live.edit({"solver.substeps", 6L});
  live.interact(ReleaseGrab{true}, version);
  for (int i = 0; i < 4; ++i) live.step_once();
  const auto recording = live.recording();
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->frames, 11);
  SceneDesc scene = small_cloth();
  ASSERT_TRUE(restore_settings(*recording, scene));
  auto again = make_simulation(scene, {recording->precision, Simd::automatic, 3});
  ASSERT_TRUE(again);
  InputPlayer player(*recording);
  for (int i = 0; i < 11; ++i) {
    ASSERT_TRUE(player.submit_due(**again));
    (*again)->step();
  }
  ASSERT_TRUE(player.submit_due(**again));
  EXPECT_EQ((*again)->state_hash(), recording->state_hash);
}

TEST(Filming, WhatCannotBeKeptIsTold) {
  RunObserver observer;
  observer.left = [](const InputRecording&) { return Expected<std::string>(Error{"the disk is full"}); };
  Session live({Precision::f32, Simd::scalar, 1}, observer);
  live.open(small_cloth());
  live.edit({"solver.substeps", 6L});
  live.open(small_cloth());
  const auto messages = live.take_messages();
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0].text, "the disk is full");
  EXPECT_EQ(messages[0].severity, Message::Severity::error);
  EXPECT_FALSE(messages[0].scene);
}

}  // namespace
}  // namespace limber::filming_test
