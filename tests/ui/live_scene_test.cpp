// A scene in the hands of a person: run, step, step back, restart, edit, pull; and the thread around it.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <future>
#include <glm/geometric.hpp>
#include <new>
#include <thread>

#include "app/commands/scene_source.hpp"
#include "app/sim/live_scene.hpp"
#include "app/sim/runner.hpp"
#include "app/sim/warnings.hpp"
#include "tests/ui/allocation_counter.hpp"

namespace limber::live_scene_test {
namespace {

SceneDesc small_cloth() {
  SceneDesc scene;
  scene.name = "small";
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.columns = cloth.rows = 8;
  cloth.pose.position = {0.0, 2.0, 0.0};
  cloth.pins = {std::string("top_left")};
  scene.objects.push_back(cloth);
  ColliderDesc ground, tilted, ball;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  tilted = ground;
  tilted.name = "ramp";
  tilted.pose.rotation_degrees = {0.0, 0.0, 30.0};
  ball.name = "ball";
  ball.radius = 0.25;
  scene.colliders = {ground, tilted, ball};
  return scene;
}

SceneDesc chain() {
  SceneDesc scene;
  scene.name = "chain";
  ObjectDesc object;
  object.name = "chain";
  object.type = ObjectType::chain;
  object.links = 5;
  scene.objects.push_back(object);
  return scene;
}

const RunOptions kOneThread{Precision::f32, Simd::scalar, 1};

struct LiveSceneTest : testing::Test {
  LiveSceneTest() : live(kOneThread, {}) { live.open(small_cloth()); }
  const Publication& publication() {
    live.publish(shown);
    return shown;
  }
  LiveScene live;
  Publication shown;
};

TEST_F(LiveSceneTest, StepBackReturnsToTheVeryState) {
  for (int i = 0; i < 3; ++i) live.step_once();
  const auto third = publication().frame.positions;
  live.step_once();
  ASSERT_NE(publication().frame.positions, third);
  live.step_back();
  EXPECT_EQ(publication().frame.positions, third);
  EXPECT_EQ(shown.frame.frame, 3);
  EXPECT_EQ(shown.status.state, RunState::paused);
}

TEST_F(LiveSceneTest, BeyondTheFirstFrameThereIsOnlyAWord) {
  live.step_once();
  live.step_back();
  EXPECT_TRUE(live.take_messages().empty());
  live.step_back();
  EXPECT_EQ(publication().frame.frame, 0);
  EXPECT_EQ(live.take_messages().size(), 1u);
}

TEST_F(LiveSceneTest, RestartBeginsAgainAndForgetsThePast) {
  const auto first = publication().frame.positions;
  for (int i = 0; i < 3; ++i) live.step_once();
  live.restart();
  EXPECT_EQ(publication().frame.positions, first);
  EXPECT_EQ(shown.status.snapshots, 0u);
}

TEST_F(LiveSceneTest, RestartKeepsWhatWasChangedUnlessTheScenesOwnIsAskedFor) {
  const int own = publication().status.scene->solver.substeps;
  live.edit({"solver.substeps", long(own + 3)});
  live.edit({"objects.cloth.columns", 5L});
  live.restart();
  EXPECT_EQ(publication().status.scene->solver.substeps, own + 3);
  EXPECT_EQ(shown.status.scene->objects.front().columns, 5);
  live.step_once();
  live.restart_as_opened();
  EXPECT_EQ(publication().status.scene->solver.substeps, own);
  EXPECT_EQ(shown.status.scene->objects.front().columns, 8);
  EXPECT_EQ(shown.frame.time, 0.0);
  EXPECT_EQ(shown.status.loads, 1u) << "the camera stays";
}

TEST_F(LiveSceneTest, RunsOneFramePerFrameTime) {
  const double dt = small_cloth().solver.dt;
  EXPECT_TRUE(live.advance(0.0));  // the first at once
  EXPECT_FALSE(live.advance(dt * 0.5));
  EXPECT_TRUE(live.advance(dt * 0.6));
  live.pause();
  EXPECT_FALSE(live.advance(1.0));
}

TEST_F(LiveSceneTest, AnEditIsSeenInTheSceneAndABadOneIsAMessage) {
  live.edit({"solver.substeps", 7L});
  EXPECT_EQ(publication().status.scene->solver.substeps, 7);
  EXPECT_EQ(shown.status.original->solver.substeps, small_cloth().solver.substeps);
  live.edit({"solver.substeps", -5L});
  EXPECT_EQ(publication().status.scene->solver.substeps, 7);
  EXPECT_EQ(shown.status.edits, 2u);
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].severity, Message::Severity::error);
}

TEST_F(LiveSceneTest, FramesOfManySecondsAreTold) {
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

std::vector<std::string> start_warnings(const Simulation& simulation) {
  const Measures measures = simulation.measure();
  std::vector<std::string> texts;
  for (Warning& warning : find_warnings(Moment::start, {simulation, measures}))
    texts.push_back(std::move(warning.text));
  return texts;
}

std::vector<std::string> start_warnings(const SceneDesc& scene) {
  const auto simulation = make_simulation(scene, kOneThread);
  EXPECT_TRUE(simulation) << simulation.error().text();
  return start_warnings(**simulation);
}

/// The cloth of small_cloth() around a ball: two of its vertices start inside.
SceneDesc cloth_in_a_ball() {
  SceneDesc scene = small_cloth();
  scene.colliders.back().pose.position = {0.0, 2.0, 0.0};
  return scene;
}

TEST(StartNotes, NameTheObjectAndGoWithTheirCause) {
  LiveScene live(kOneThread, {});
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

/// A cloth that one substep of one iteration does not hold together.
SceneDesc stretched_cloth() {
  SceneDesc scene = small_cloth();
  scene.objects[0].columns = scene.objects[0].rows = 40;
  scene.objects[0].pins = {std::string("top")};
  scene.solver.substeps = scene.solver.iterations = 1;
  scene.solver.dt = 0.05;
  return scene;
}

TEST(Warnings, ClothOffItsLengthsIsNamedAndItsRemedyEndsIt) {
  LiveScene live(kOneThread, {});
  live.open(stretched_cloth());
  live.take_messages();
  Publication shown;
  std::vector<Message> told;
  for (int i = 0; i < 60 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].severity, Message::Severity::warning);
  EXPECT_TRUE(told[0].text.starts_with("cloth: its edges are off their lengths")) << told[0].text;
  live.publish(shown);
  EXPECT_EQ(shown.status.trouble, "cloth stretched");
  ASSERT_EQ(told[0].remedies.size(), 1u);
  EXPECT_EQ(label_of(told[0].remedies[0]), "substeps = 10");
  for (int i = 0; i < 100; ++i) live.step_once();
  EXPECT_TRUE(live.take_messages().empty()) << "said once while it lasts";
  live.edit(told[0].remedies[0]);
  std::vector<Message> after;
  for (int i = 0; i < 300 && after.empty(); ++i) live.step_once(), after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about)) << "taken back";
  live.publish(shown);
  EXPECT_EQ(shown.status.trouble, "");
}

/// A hand at 1e300 m pulls with an infinite force in float: the frame is undone, told, and the scene pauses
/// at the last good state, from which it goes on.
TEST(Warnings, AFrameThatBecomesNonFiniteIsUndoneToldAndPauses) {
  SceneDesc scene = small_cloth();
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.1);
  box.pose.position = {2.0, 1.0, 0.0};
  scene.bodies.push_back(box);
  LiveScene live(kOneThread, {});
  live.open(scene);
  live.take_messages();
  Publication shown;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(live.advance(1.0 / 60 + 1e-4));
  live.publish(shown);
  const std::uint64_t version = shown.frame.model_version;
  const auto places = shown.frame.positions;
  const double time = shown.frame.time;
  live.interact(GrabBody{0, {2.0, 1.0, 0.0}, {1e300, 0.0, 0.0}}, version);
  live.advance(1.0 / 60 + 1e-4);
  EXPECT_FALSE(live.running());
  const std::vector<Message> told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].text.find("became non-finite"), std::string::npos) << told[0].text;
  EXPECT_FALSE(told[0].remedies.empty()) << "a button for more substeps";
  live.publish(shown);
  EXPECT_EQ(shown.frame.time, time);
  EXPECT_EQ(shown.frame.positions, places);
  live.interact(ReleaseGrab{}, version);
  live.toggle_running();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(live.advance(1.0 / 60 + 1e-4));
  EXPECT_TRUE(live.running());
}

TEST(Warnings, GoWithARestart) {
  LiveScene live(kOneThread, {});
  live.open(stretched_cloth());
  live.take_messages();
  std::vector<Message> told;
  for (int i = 0; i < 60 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  live.restart();
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about));
}

TEST(Warnings, ThicknessThatTheMeshCannotKeepIsNamed) {
  SceneDesc scene = small_cloth();
  scene.solver.cloth_collision = true;
  ASSERT_TRUE(start_warnings(scene).empty());
  scene.objects[0].material.thickness = 0.1;
  scene.objects[0].width = scene.objects[0].height = 0.5;  // edges of 0.07 m
  const std::vector<std::string> told = start_warnings(scene);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].starts_with("cloth: its material.thickness, 0.1 m, ")) << told[0];
}

TEST(Warnings, AnOrderThatClothCollisionCannotBearIsNamedAndSetBack) {
  SceneDesc scene = small_cloth();
  scene.solver.order = Order::sequential;
  LiveScene live(kOneThread, {});
  live.open(scene);
  EXPECT_TRUE(live.take_messages().empty());
  live.edit({"solver.cloth_collision", true});
  const auto told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  ASSERT_EQ(told[0].remedies.size(), 1u);
  live.edit(told[0].remedies[0]);
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about)) << "taken back";
}

TEST(Warnings, EveryRemedyIsASettingInItsRange) {
  SceneDesc scene = stretched_cloth();
  scene.solver.substeps = 700;
  scene.solver.dt = 1.5e-4;
  const auto simulation = make_simulation(scene, kOneThread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  Measures measures = (*simulation)->measure();
  measures.max_speed = scene.solver.max_speed;
  measures.object_misfit = measures.object_length_misfit = {5.0};
  measures.inside = {{0, 3, 0.1}};
  int remedies = 0;
  for (const Moment moment : {Moment::start, Moment::setting, Moment::running})
    for (const Warning& warning : find_warnings(moment, {**simulation, measures, true}))
      for (const SetValue& remedy : warning.remedies) {
        SceneDesc changed = scene;
        EXPECT_EQ(apply_changes({remedy}, changed), 1) << told_on_console(warning);
        ++remedies;
      }
  EXPECT_GE(remedies, 4);
}

TEST(StepNotes, TellWhereFloatLosesGravityAndGoWithTheirCause) {
  LiveScene live(kOneThread, {});
  live.open(small_cloth());
  EXPECT_TRUE(live.take_messages().empty());
  live.edit({"solver.substeps", 1000L});  // g h^2 = 2.7e-9 m, numbers near 1 m are 1.2e-7 m apart
  const auto told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].text.find("in float"), std::string::npos) << told[0].text;
  live.edit({"solver.substeps", 10L});
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(is_about(told[0].about, after[0].about) && after[0].text.empty()) << "taken back";
}

TEST_F(LiveSceneTest, EverythingSaidBelongsToTheScene) {
  live.open(Error{"nonsense", "file.json", 3, ""});
  live.edit({"solver.substeps", -5L});
  live.step_back();
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 3u);
  for (const Message& message : messages) EXPECT_EQ(message.scene, 1u) << message.text;
}

TEST_F(LiveSceneTest, ARebuildMakesAnotherModel) {
  live.step_once();
  const auto version = publication().frame.model_version;
  live.edit({"objects.cloth.columns", 12L});
  EXPECT_NE(publication().frame.model_version, version);
  EXPECT_EQ(shown.frame.positions.size(), 12u * 8u);
  EXPECT_EQ(shown.frame.frame, 0);
  EXPECT_EQ(shown.status.snapshots, 0u);
}

TEST_F(LiveSceneTest, WhatWasChangedAgainAndAgainReplaysAfterARestart) {
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
  auto simulation = make_simulation(small_cloth(), kOneThread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  InputPlayer player(*recording);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(player.submit_due(**simulation));
    (*simulation)->step();
  }
  EXPECT_EQ((*simulation)->state_hash(), recording->state_hash);
}

TEST_F(LiveSceneTest, ABadSceneLeavesTheOneBefore) {
  live.open(Error{"nonsense", "file.json", 3, ""});
  EXPECT_EQ(publication().status.name, "small");
  EXPECT_EQ(live.take_messages().front().text, "file.json:3: nonsense");
}

TEST_F(LiveSceneTest, AHeldVertexIsMarkedAndComesAlong) {
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

TEST_F(LiveSceneTest, TheCountsOfConstraintsFollowACut) {
  live.step_once();
  const auto constraints = [&](std::size_t type) { return publication().status.batches[type].constraints; };
  const std::int64_t springs = constraints(0), hinges = constraints(1);
  const glm::dvec3 left(-2.0, 2.0, 0.0), right(2.0, 2.0, 0.0), view(0.0, 0.0, 3.0);
  live.interact(Cut{{left + view, right + view}, {left - view, right - view}}, shown.frame.model_version);
  live.step_once();
  EXPECT_GT(constraints(0), springs) << "edges that opened have two sides";
  EXPECT_LT(constraints(1), hinges) << "and hold nothing together any more";
}

TEST_F(LiveSceneTest, AGrabOnAModelThatIsGoneDoesNothing) {
  live.interact(GrabVertex{3, {0, 9, 0}}, publication().frame.model_version + 1);
  live.step_once();
  EXPECT_TRUE(publication().frame.dots_on_top.empty());
}

TEST_F(LiveSceneTest, PlanesAreGroundOrSlab) {
  const auto& solids = publication().frame.solids;
  ASSERT_EQ(solids.size(), 2u);  // no solid for the ground
  EXPECT_EQ(solids[0].shape, SolidDraw::Shape::box);
  EXPECT_EQ(solids[1].shape, SolidDraw::Shape::sphere);
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
    auto simulation = make_simulation(scene, kOneThread);
    RenderFrame frame;
    FrameExtractor().extract(**simulation, frame);
    return frame.ground;
  };
  EXPECT_TRUE(drawn(0.0, true, true));
  EXPECT_FALSE(drawn(-3.0, true, true));
  EXPECT_FALSE(drawn(0.0, false, true));
  EXPECT_FALSE(drawn(0.0, true, false));
  auto without = make_simulation(chain(), kOneThread);
  RenderFrame frame;
  FrameExtractor().extract(**without, frame);
  EXPECT_FALSE(frame.ground);
}

TEST_F(LiveSceneTest, NormalsPointOutOfTheSheet) {
  // An upright grid faces +z before it moves.
  for (const glm::vec3& normal : publication().frame.normals) EXPECT_NEAR(normal.z, 1.0f, 1e-5f);
}

TEST(FrameExtractor, AChainIsBallsAndLines) {
  auto simulation = make_simulation(chain(), kOneThread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  FrameExtractor extractor;
  RenderFrame frame;
  extractor.extract(**simulation, frame);
  EXPECT_EQ(frame.lines.size(), 5u);
  ASSERT_EQ(frame.solids.size(), 6u);
  EXPECT_EQ(frame.solids[5].vertex, 5);
  EXPECT_TRUE(frame.surfaces->indices.empty());
  EXPECT_EQ(frame.dots.size(), 1u);
}

TEST(FrameExtractor, AllocatesNothingOnceWarm) {
  auto simulation = make_simulation(small_cloth(), kOneThread);
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

/// Waits until the runner shows what is asked for; false after ten seconds.
template <class Condition>
bool wait_for(Runner& runner, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition(runner.latest())) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST(Runner, ASlowBuildNeitherBlocksTheCallerNorHidesItself) {
  Runner runner(kOneThread);
  const auto begin = std::chrono::steady_clock::now();
  runner.load("slow", [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Expected<SceneDesc>(small_cloth());
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(150));
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.state == RunState::building; }));
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.frame.frame >= 3; }));
  EXPECT_EQ(runner.latest().status.name, "small");
}

TEST(Runner, ASceneIsShownBeforeItsFirstFrameIsDone) {
  std::promise<void> seen;
  RunObserver observer;
  observer.stepped = [gate = seen.get_future().share()](const Simulation&, const StepReport&) {
    gate.wait();
  };
  Runner runner(kOneThread, observer);
  runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.state == RunState::running; }));
  EXPECT_EQ(runner.latest().frame.frame, 0);
  seen.set_value();
}

/// Frames of a minute, of which nobody waits for the end.
TEST(Runner, AnotherSceneAndTheEndDoNotWaitForALongFrame) {
  using Clock = std::chrono::steady_clock;
  SceneDesc slow = small_cloth();
  slow.name = "slow";
  slow.objects[0].columns = slow.objects[0].rows = 60;
  slow.solver.substeps = slow.solver.iterations = 1000;
  int closed = 0;
  Clock::time_point asked;
  {
    Runner runner(kOneThread, {[] {}, [](const Simulation&, const StepReport&) {},
                               [&](const Simulation& left) { closed += left.frame() == 0; }});
    runner.load("slow", [&] { return Expected<SceneDesc>(slow); });
    const auto computing = [&](double seconds) {
      return wait_for(runner, [&](const Publication&) { return runner.activity().frame > seconds; });
    };
    ASSERT_TRUE(computing(0.6));
    asked = Clock::now();
    runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
    EXPECT_EQ(runner.activity().next, "small");
    EXPECT_TRUE(
        wait_for(runner, [](const Publication& p) { return p.status.name == "small" && p.frame.frame > 1; }));
    EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
    EXPECT_EQ(runner.activity().next, "");
    runner.load("slow", [&] { return Expected<SceneDesc>(slow); });
    EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.status.name == "slow"; }));
    ASSERT_TRUE(computing(0.1));
    asked = Clock::now();
  }
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
  EXPECT_EQ(closed, 1) << "the frame that was not computed to its end counts";
}

/// A build that hears nothing is left to itself.
TEST(Runner, TheEndDoesNotWaitForABuild) {
  using Clock = std::chrono::steady_clock;
  static std::promise<void> never;
  auto runner = std::make_unique<Runner>(kOneThread);
  runner->load("stuck", [gate = never.get_future().share()] {
    gate.wait();
    return Expected<SceneDesc>(small_cloth());
  });
  EXPECT_TRUE(wait_for(*runner, [](const Publication& p) { return p.status.state == RunState::building; }));
  const auto asked = Clock::now();
  EXPECT_FALSE(runner->finish(0.3));
  EXPECT_LT(Clock::now() - asked, std::chrono::seconds(1));
  (void)runner.release();  // its thread still uses it
}

TEST(Runner, EndsAtAnyMomentAndReportsWhatItHad) {
  int opened = 0, closed = 0;
  long stepped = 0;
  RunObserver observer{[&] { ++opened; }, [&](const Simulation&, const StepReport&) { ++stepped; },
                       [&](const Simulation&) { ++closed; }};
  {
    Runner runner(kOneThread, observer);
    runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
    for (int i = 0; i < 5; ++i) runner.step_once();
  }  // everything asked for is done before it ends
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(closed, 1);
  EXPECT_GE(stepped, 5);  // it runs between the build and the first of them
  Runner never_used(kOneThread);
}

TEST(Runner, SaysWhyASceneDoesNotOpenAndSurvivesAnException) {
  Runner runner(kOneThread);
  runner.load("bad", [] { return Expected<SceneDesc>(Error{"broken"}); });
  runner.load("worse", []() -> Expected<SceneDesc> { throw std::bad_alloc(); });
  std::vector<Message> messages;
  EXPECT_TRUE(wait_for(runner, [&](const Publication&) {
    for (Message& message : runner.take_messages()) messages.push_back(message);
    return messages.size() >= 2;
  }));
  runner.load("small", [] { return Expected<SceneDesc>(small_cloth()); });
  EXPECT_TRUE(wait_for(runner, [](const Publication& p) { return p.frame.frame >= 1; }));
}

/// A warning at the start is for a user's scene: only the one that is about such starts has it.
TEST(StartNotes, ShippedScenesStartOutsideOfTheirColliders) {
  const auto library = shipped_scenes();
  ASSERT_TRUE(library) << library.error().text();
  for (const SceneEntry& entry : library->scenes()) {
    auto scene = library->find(entry.name);
    ASSERT_TRUE(scene) << scene.error().text();
    const auto simulation = make_simulation(std::move(*scene), kOneThread);
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

}  // namespace
}  // namespace limber::live_scene_test
