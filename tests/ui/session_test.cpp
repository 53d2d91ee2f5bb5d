// A scene under user control: run, step, step back, restart, edit, pull.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "app/lab/session.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/allocation_counter.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::session_test { namespace {

using test::small_cloth;

SceneDesc chain() {
  SceneDesc scene;
  scene.name = "chain";
  ObjectDesc object;
  object.name = "chain";
  object.type = ObjectType::chain;
  object.chain->links = 5;
  scene.objects.push_back(object);
  return scene;
}

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

struct SessionTest : testing::Test {
  SessionTest() : live(one_thread, {}) { live.open(small_cloth()); }
  const Publication& publication() {
    live.publish(shown);
    return shown;
  }
  Session live;
  Publication shown;
};

TEST_F(SessionTest, StepBackReturnsToTheVeryState) {
  for (int i = 0; i < 3; ++i) live.step_once();
  const auto third = publication().frame.positions;
  live.step_once();
  ASSERT_NE(publication().frame.positions, third);
  live.step_back();
  EXPECT_EQ(publication().frame.positions, third);
  EXPECT_EQ(shown.frame.frame, 3);
  EXPECT_EQ(shown.status.state, RunState::paused);
}

TEST_F(SessionTest, BeyondTheFirstFrameThereIsOnlyAWord) {
  live.step_once();
  live.step_back();
  EXPECT_TRUE(live.take_messages().empty());
  live.step_back();
  EXPECT_EQ(publication().frame.frame, 0);
  EXPECT_EQ(live.take_messages().size(), 1u);
}

TEST_F(SessionTest, RestartBeginsAgainAndForgetsThePast) {
  const auto first = publication().frame.positions;
  for (int i = 0; i < 3; ++i) live.step_once();
  live.restart();
  EXPECT_EQ(publication().frame.positions, first);
  EXPECT_EQ(shown.status.snapshots, 0u);
}

TEST_F(SessionTest, RestartKeepsWhatWasChangedUnlessTheScenesOwnIsAskedFor) {
  const int own = publication().status.scene->solver.step->substeps;
  live.edit({"solver.substeps", long(own + 3)});
  live.edit({"objects.cloth.columns", 5L});
  live.restart();
  EXPECT_EQ(publication().status.scene->solver.step->substeps, own + 3);
  EXPECT_EQ(shown.status.scene->objects.front().cloth->columns, 5);
  live.step_once();
  live.restart_as_opened();
  EXPECT_EQ(publication().status.scene->solver.step->substeps, own);
  EXPECT_EQ(shown.status.scene->objects.front().cloth->columns, 8);
  EXPECT_EQ(shown.frame.time, 0.0);
  EXPECT_EQ(shown.status.loads, 1u) << "the camera stays";
}

TEST_F(SessionTest, RunsOneFramePerFrameTime) {
  const double dt = small_cloth().solver.step->dt;
  EXPECT_TRUE(live.advance(0.0));  // the first at once
  EXPECT_FALSE(live.advance(dt * 0.5));
  EXPECT_TRUE(live.advance(dt * 0.6));
  live.pause();
  EXPECT_FALSE(live.advance(1.0));
}

TEST_F(SessionTest, AnEditIsSeenInTheSceneAndABadOneIsAMessage) {
  live.edit({"solver.substeps", 7L});
  EXPECT_EQ(publication().status.scene->solver.step->substeps, 7);
  EXPECT_EQ(shown.status.original->solver.step->substeps, small_cloth().solver.step->substeps);
  live.edit({"solver.substeps", -5L});
  EXPECT_EQ(publication().status.scene->solver.step->substeps, 7);
  EXPECT_EQ(shown.status.edits, 2u);
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].severity, Message::Severity::error);
}

TEST_F(SessionTest, FramesOfManySecondsAreTold) {
  live.edit({"solver.gravity", glm::dvec3(0.0)});  // of which short substeps leave nothing, which is told too
  live.edit({"solver.substeps", 1000L});
  EXPECT_TRUE(live.take_messages().empty());
  live.edit({"solver.iterations", 1000L});
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  live.edit({"solver.substeps", 1L});
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(is_about(messages[0].about, after[0].about) && after[0].text.empty()) << "taken back";
  EXPECT_NE(messages[0].text.find("1000 substeps of 1000 iterations"), std::string::npos);
}

TEST_F(SessionTest, EverythingSaidBelongsToTheScene) {
  live.open(Error{"nonsense", "file.json", 3, ""});
  live.edit({"solver.substeps", -5L});
  live.step_back();
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 3u);
  for (const Message& message : messages) EXPECT_EQ(message.scene, 1u) << message.text;
}

TEST_F(SessionTest, ARebuildMakesAnotherModel) {
  live.step_once();
  const auto version = publication().frame.model_version;
  live.edit({"objects.cloth.columns", 12L});
  EXPECT_NE(publication().frame.model_version, version);
  EXPECT_EQ(shown.frame.positions.size(), 12u * 8u);
  EXPECT_EQ(shown.frame.frame, 0);
  EXPECT_EQ(shown.status.snapshots, 0u);
}

TEST_F(SessionTest, WhatWasChangedAgainAndAgainReplaysAfterARestart) {
  live.edit({"objects.cloth.material.stretch_compliance", 0.01});  // or masses would not matter
  const char* path = "objects.cloth.material.density";
  for (const double density : {0.3, 0.33, 0.77}) {
    live.edit({path, density});
    live.step_once();
  }
  for (const char* preset : {"silk", "custom"})
    live.edit({"objects.cloth.material.preset", std::string(preset)});  // custom keeps the numbers of silk
  live.edit({path, 0.77});
  live.set_threads(2);
  live.restart();
  for (int i = 0; i < 20; ++i) live.step_once();
  const auto recording = live.recording();
  ASSERT_TRUE(recording) << recording.error().text();
  ASSERT_EQ(recording->inputs.size(), 7u);
  auto simulation = make_simulation(small_cloth(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  InputPlayer player(*recording);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(player.submit_due(**simulation));
    (*simulation)->step();
  }
  EXPECT_EQ((*simulation)->state_hash(), recording->state_hash);
}

TEST_F(SessionTest, ABadSceneLeavesTheOneBefore) {
  live.open(Error{"nonsense", "file.json", 3, ""});
  EXPECT_EQ(publication().status.name, "small");
  EXPECT_EQ(live.take_messages().front().text, "file.json:3: nonsense");
}

TEST_F(SessionTest, AHeldVertexIsMarkedAndComesAlong) {
  const Index corner = 63;
  const glm::dvec3 target = glm::dvec3(publication().frame.positions[corner]) + glm::dvec3(0.05, 0, 0);
  const auto version = shown.frame.model_version;
  live.interact(GrabVertex{corner, target}, version);
  for (int i = 0; i < 30; ++i) live.step_once();
  EXPECT_LT(glm::distance(glm::dvec3(publication().frame.positions[corner]), target), 1e-3);
  EXPECT_EQ(shown.frame.dots_on_top.size(), 2u);
  EXPECT_EQ(shown.frame.lines_on_top.size(), 1u);
  live.interact(ReleaseGrab{true}, version);
  live.step_once();
  EXPECT_TRUE(publication().frame.dots_on_top.empty());
  EXPECT_EQ(shown.frame.dots.size(), 2u);  // the scene's pin and this one
}

TEST_F(SessionTest, TheCountsOfConstraintsFollowACut) {
  live.step_once();
  const auto constraints = [&](std::size_t type) { return publication().status.batches[type].constraints; };
  const std::int64_t springs = constraints(0), hinges = constraints(1);
  const glm::dvec3 left(-2.0, 2.0, 0.0), right(2.0, 2.0, 0.0), view(0.0, 0.0, 3.0);
  live.interact(Cut{{left + view, right + view}, {left - view, right - view}}, shown.frame.model_version);
  live.step_once();
  EXPECT_GT(constraints(0), springs) << "edges that opened have two sides";
  EXPECT_LT(constraints(1), hinges) << "and hold nothing together any more";
}

TEST_F(SessionTest, AGrabOnAModelThatIsGoneDoesNothing) {
  live.interact(GrabVertex{3, {0, 9, 0}}, publication().frame.model_version + 1);
  live.step_once();
  EXPECT_TRUE(publication().frame.dots_on_top.empty());
}

TEST_F(SessionTest, PlanesAreGroundOrSlab) {
  const auto& solids = publication().frame.solids;
  ASSERT_EQ(solids.size(), 2u);  // no solid for the ground
  EXPECT_EQ(solids[0].shape, PrimitiveDraw::Shape::box);
  EXPECT_EQ(solids[1].shape, PrimitiveDraw::Shape::sphere);
  // The slab's upper face is the plane: it contains the plane's origin, and its normal leans by 30 degrees.
  const glm::mat4& slab = solids[0].transform;
  const glm::vec3 normal = glm::normalize(glm::vec3(slab[1]));
  EXPECT_NEAR(glm::dot(normal, glm::vec3(slab * glm::vec4(0, 1, 0, 1))), 0.0f, 1e-6f);
  EXPECT_NEAR(normal.y, std::sqrt(0.75f), 1e-6f);
  EXPECT_NEAR(normal.x, -0.5f, 1e-6f);
}

/// Nobody takes a drawn floor for one that is not there.
TEST(FrameExtractor, OnlyAPlaneIsDrawnAsGround) {
  const auto drawn = [](double height, bool visible, bool wanted) {
    SceneDesc scene = chain();
    ColliderDesc plane;
    plane.name = "plane";
    plane.shape = ColliderShape::plane;
    plane.pose.position.y = height;
    plane.visible = visible;
    scene.colliders = {plane};
    scene.ground = wanted;
    auto simulation = make_simulation(scene, one_thread);
    RenderFrame frame;
    FrameExtractor().extract(**simulation, frame);
    return frame.ground;
  };
  EXPECT_TRUE(drawn(0.0, true, true));
  EXPECT_FALSE(drawn(-3.0, true, true));
  EXPECT_FALSE(drawn(0.0, false, true));
  EXPECT_FALSE(drawn(0.0, true, false));
  auto without = make_simulation(chain(), one_thread);
  RenderFrame frame;
  FrameExtractor().extract(**without, frame);
  EXPECT_FALSE(frame.ground);
}

TEST_F(SessionTest, NormalsPointOutOfTheSheet) {
  // An upright grid faces +z before it moves.
  for (const glm::vec3& normal : publication().frame.normals) EXPECT_NEAR(normal.z, 1.0f, 1e-5f);
}

TEST(FrameExtractor, AChainIsBallsAndLines) {
  auto simulation = make_simulation(chain(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_EQ(frame.lines.size(), 5u);
  ASSERT_EQ(frame.points.size(), 6u);
  EXPECT_EQ(frame.points.vertex_of(5), 5);
  EXPECT_EQ(frame.points.vertex_of(6), -1);
  EXPECT_TRUE(frame.surfaces->indices.empty());
  EXPECT_EQ(frame.dots.size(), 1u);
}

TEST(FrameExtractor, AllocatesNothingOnceWarm) {
  auto simulation = make_simulation(small_cloth(), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  for (int i = 0; i < 2; ++i) extractor.extract(**simulation, frame);
  const auto surfaces = frame.surfaces;
  (*simulation)->step();
  const long before = allocations();
  extractor.extract(**simulation, frame);
  EXPECT_EQ(allocations() - before, 0);
  EXPECT_EQ(frame.surfaces, surfaces);
}

/// A recording of a session with a drag, a cut of values and a pin; and a session that plays it.
struct ReplayTest : SessionTest {
  ReplayTest() {
    const std::uint64_t version = publication().frame.model_version;
    const auto steps = [&](int count) {
      for (int i = 0; i < count; ++i) live.step_once();
    };
    steps(2);
    live.interact(GrabVertex{60, {0.5, 2.5, 0.3}}, version);
    steps(3);
    live.interact(MoveGrab{{0.8, 2.2, 0.1}}, version);
    live.edit({"solver.substeps", 4L});
    steps(4);
    live.interact(ReleaseGrab{true}, version);
    steps(3);
    auto made = live.recording();
    EXPECT_TRUE(made);
    recording = std::make_shared<const InputRecording>(std::move(*made));
    player.open(small_cloth(), std::nullopt, {}, recording);
  }
  std::shared_ptr<const InputRecording> recording;
  Session player{one_thread, {}};
  const Publication& played() {
    player.publish(shown);
    return shown;
  }
};

TEST_F(ReplayTest, PlaysInRealTimeToTheStateThatWasRecorded) {
  EXPECT_EQ(played().status.replay_frames, 12);
  int ticks = 0;
  for (; player.running() && ticks < 1000; ++ticks) player.advance(1.0 / 60.0);
  EXPECT_EQ(ticks, 13) << "a frame each, and the end";
  EXPECT_EQ(played().frame.frame, 12);
  EXPECT_EQ(shown.status.replay_frames, 0);
  EXPECT_EQ(shown.status.scene->solver.step->substeps, 4);
  const auto again = player.recording();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->state_hash, recording->state_hash);
  EXPECT_EQ(again->inputs.size(), recording->inputs.size()) << "it can be saved again";
  EXPECT_NE(player.take_messages().back().text.find("in the very state"), std::string::npos);
}

TEST_F(ReplayTest, PausesStepsBackAndBeginsAgain) {
  for (int i = 0; i < 5; ++i) player.advance(1.0 / 60.0);
  player.toggle_running();
  EXPECT_FALSE(player.running());
  for (int i = 0; i < 3; ++i) player.step_back();
  for (int i = 0; i < 10; ++i) player.step_once();  // and what was done comes again
  EXPECT_EQ(player.recording()->state_hash, recording->state_hash);
  player.restart();
  EXPECT_EQ(played().frame.frame, 0);
  for (int i = 0; i < 12; ++i) player.step_once();
  EXPECT_EQ(player.recording()->state_hash, recording->state_hash);
}

TEST_F(ReplayTest, AnyInputTakesOver) {
  for (int i = 0; i < 6; ++i) player.advance(1.0 / 60.0);
  EXPECT_FALSE(played().frame.lines_on_top.empty()) << "the recorded hand holds a vertex";
  player.interact(ThrowBall{{0.0, 2.0, 3.0}, {0.0, 0.0, -6.0}, 0.1}, shown.frame.model_version);
  EXPECT_EQ(played().status.replay_frames, 0);
  EXPECT_TRUE(shown.frame.lines_on_top.empty()) << "and has let it go";
  EXPECT_TRUE(player.running());
  for (int i = 0; i < 20; ++i) player.advance(1.0 / 60.0);
  EXPECT_GT(played().frame.frame, 12) << "it goes on where the recording would have ended";
}

}}  // namespace limber::session_test
