// User input is recorded, written, read again and replayed with the same bits.
#include "engine/simulation/input_recording.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "tests/same_bits.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::input_recording_test { namespace {

SceneDesc scene() {
  SceneDesc scene = test::hanging_cloth(24);
  scene.name = "sheet";
  scene.solver.step->substeps = 3;
  BodyDesc boxes;
  boxes.name = "boxes";
  boxes.half_extents = glm::dvec3(0.1);
  boxes.copies = {2.0, 3.0, 2.0};
  boxes.spacing = glm::dvec3(0.21);
  boxes.pose.position = {2.0, 0.12, 0.0};
  boxes.yaw_jitter = 5.0;
  scene.bodies.push_back(boxes);
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  scene.colliders.push_back(ground);
  return scene;
}

std::unique_ptr<Simulation> start(SceneDesc scene, int threads = 2, Precision precision = Precision::f32) {
  auto made = make_simulation(std::move(scene), {precision, Simd::automatic, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}

/// A scene under user control.
struct Session {
  explicit Session(const SceneDesc& scene, Precision precision = Precision::f32)
      : simulation(start(scene, 2, precision)) {
    history.begin(scene);
  }
  void act(const Command& command) {
    const std::uint64_t version = simulation->model()->version;
    ASSERT_TRUE(simulation->submit(command));
    history.add(command, simulation->frame());
    if (simulation->model()->version != version) history.start_over();
  }
  void run(int frames) {
    for (int i = 0; i < frames; ++i) simulation->step();
  }
  /// Drags a vertex along an arc, one awkward number after the other, and drops it.
  void drag(Index vertex, bool pin) {
    act(GrabVertex{vertex, {0.1, 1.0 / 3.0, 0.2}});
    for (int i = 0; i < 4; ++i) {
      act(MoveGrab{{5.0, 5.0, 5.0}});  // overtaken within the frame
      act(MoveGrab{{0.3 * std::sin(0.1 * i), 0.4 + 0.02 * i, 0.7 * std::cos(0.3 * i)}});
      run(1);
    }
    act(ReleaseGrab{pin});
  }
  void play() {
    run(5);
    drag(100, true);
    act(SetValue{"solver.substeps", 2L});
    act(SetValue{"solver.sleeping", true});
    act(SetValue{"solver.gravity", glm::dvec3(0.1, -3.3, 1e-7)});
    run(6);
    act(SetPinned{0, false});
    act(ThrowBall{{1.0 / 3.0, 0.8, 1.1}, {0.0, 1.0, -7.1}, 0.15, 700.0});
    drag(300, false);
    act(GrabBody{3, {2.1, 0.15, -0.1}, {2.1, 0.15, -0.1}});
    act(MoveGrab{{2.0, 1.0 / 3.0, 0.2}});
    run(5);
    act(ReleaseGrab{});
    act(SetValue{"objects.cloth.material.stretch_compliance", 1.0 / 3e5});
    run(4);
    act(SetPinned{300, true});  // after the last frame
  }
  InputRecording recorded() const {
    auto recording = history.recording(*simulation);
    EXPECT_TRUE(recording) << (recording ? "" : recording.error().text());
    return *recording;
  }

  std::unique_ptr<Simulation> simulation;
  InputHistory history;
};

/// The state hash after replaying the text of `recording`.
std::uint64_t replayed(const InputRecording& recording, int threads) {
  const auto read = parse_input_recording(to_json(recording), "recording");
  EXPECT_TRUE(read) << (read ? "" : read.error().text());
  SceneDesc base = scene();
  EXPECT_TRUE(restore_settings(*read, base));
  const auto simulation = start(base, threads, read->precision);
  InputPlayer player(*read);
  for (std::int64_t frame = 0; frame < read->frames; ++frame) {
    EXPECT_TRUE(player.submit_due(*simulation));
    simulation->step();
  }
  EXPECT_TRUE(player.submit_due(*simulation));
  EXPECT_EQ(simulation->frame(), read->frames);
  return simulation->state_hash();
}

void expect_replay(const Session& session) {
  const InputRecording recording = session.recorded();
  EXPECT_EQ(recording.state_hash, session.simulation->state_hash());
  for (int threads : test::thread_counts())
    EXPECT_EQ(replayed(recording, threads), recording.state_hash) << threads;
}

TEST(InputRecording, ASessionReplaysToTheSameBitsOnAnyThreads) {
  for (Precision precision : built_precisions()) {
    Session session(scene(), precision);
    session.play();
    expect_replay(session);
    Session untouched(scene(), precision);
    untouched.run(int(session.simulation->frame()));
    EXPECT_NE(untouched.simulation->state_hash(), session.simulation->state_hash());
  }
}

TEST(InputRecording, ARestartLeavesOnlyTheSettings) {
  Session session(scene());
  session.play();
  session.simulation->restart();
  session.history.start_over();
  for (const RecordedInput& input : session.recorded().inputs) {
    EXPECT_EQ(input.frame, 0);
    EXPECT_TRUE(std::holds_alternative<SetValue>(input.command));
  }
  session.run(3);
  session.drag(50, false);
  expect_replay(session);
}

TEST(InputRecording, ARebuildBeginsAgainToo) {
  Session session(scene());
  session.play();
  session.act(SetValue{"objects.cloth.columns", 30L});
  EXPECT_EQ(session.simulation->frame(), 0);
  session.drag(200, true);
  session.run(3);
  expect_replay(session);
}

TEST(InputRecording, AStepBackTakesBackAllThatCameLater) {
  Session session(scene());
  session.run(3);
  session.act(GrabVertex{60, {0.3, 0.3, 0.3}});
  session.act(SetValue{"solver.iterations", 2L});
  const auto saved = session.simulation->save();
  session.run(4);
  session.act(MoveGrab{{9.0, 0.0, 0.0}});
  session.act(SetValue{"solver.substeps", 5L});
  session.run(2);
  ASSERT_TRUE(session.simulation->restore(saved));
  session.history.go_back(session.simulation->frame());
  EXPECT_EQ(session.simulation->scene().solver.step->substeps, scene().solver.step->substeps);
  EXPECT_EQ(session.simulation->scene().solver.step->iterations, 2);
  session.run(5);
  EXPECT_EQ(session.recorded().inputs.size(), 2u);
  expect_replay(session);
}

TEST(InputRecording, TheSettingsAtTheStartAreInIt) {
  SceneDesc changed = scene();
  changed.solver.motion->damping = 0.7654321;
  changed.objects[0].cloth->columns = 13;
  Session session(changed);
  session.run(6);
  expect_replay(session);
}

TEST(InputRecording, NumbersKeepEveryBit) {
  InputRecording recording;
  recording.scene = "a \"name\"\\ of ours";
  recording.seed = std::numeric_limits<std::uint64_t>::max();
  recording.state_hash = 0xfedcba9876543210u;
  recording.frames = 9;
  const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  for (double x : {0.1, 1.0 / 3.0, -0.0, least, most, -1e22, 3.0})
    recording.inputs.push_back({9, MoveGrab{{x, std::nextafter(x, 1.0), -x}}});
  const auto read = parse_input_recording(to_json(recording), "r");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->scene, recording.scene);
  EXPECT_EQ(read->seed, recording.seed);
  EXPECT_EQ(read->state_hash, recording.state_hash);
  ASSERT_EQ(read->inputs.size(), recording.inputs.size());
  for (std::size_t i = 0; i < recording.inputs.size(); ++i) {
    const glm::dvec3 a = std::get<MoveGrab>(recording.inputs[i].command).target;
    const glm::dvec3 b = std::get<MoveGrab>(read->inputs[i].command).target;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(a[axis], b[axis]);
      EXPECT_EQ(std::signbit(a[axis]), std::signbit(b[axis]));
    }
  }
}

TEST(InputRecording, ItsMemoryHasABoundAndItSaysSo) {
  Session session(scene());
  for (std::size_t i = 0; i <= InputHistory::most_inputs; ++i)
    session.history.add(MoveGrab{}, std::int64_t(i));
  const auto recording = session.history.recording(*session.simulation);
  ASSERT_FALSE(recording);
  EXPECT_NE(recording.error().text().find("100000"), std::string::npos) << recording.error().text();
  session.history.begin(scene());
  EXPECT_TRUE(session.history.recording(*session.simulation));
}

/// A recording is replayed from other folders, too.
TEST(InputRecording, NamesTheSceneFileFromTheRoot) {
  SceneDesc from_here = scene();
  from_here.file = "folder/scene.json";
  const Session session(from_here);
  const auto recording = session.history.recording(*session.simulation);
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->file, std::filesystem::current_path() / "folder/scene.json");
  EXPECT_EQ(Session(scene()).history.recording(*session.simulation)->file, "") << "a scene in code has none";
}

/// Nobody who writes one by hand knows the state at its end.
TEST(InputRecording, NeedsNoHash) {
  const auto read = parse_input_recording(
      R"({"format": 1, "scene": "s", "precision": "f32", "frames": 5, "inputs": [{"frame": 1, "pin": 3}]})",
      "r");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->state_hash, 0u);
  EXPECT_EQ(read->inputs.size(), 1u);
}

TEST(InputRecording, ErrorsNameTheLine) {
  const std::string head =
      "{\"format\": 1, \"scene\": \"s\", \"precision\": \"f32\",\n\"frames\": 5, \"state_hash\": \"0\",\n"
      "\"inputs\": [\n";
  struct Case {
    std::string text, file_and_line, words;
  };
  const Case cases[] = {
      {"", "r:", ""},
      {"{\"format\": 2}", "r:1:", "format"},
      {"{\"format\": 1}", "r:1:", "'scene' is missing"},
      {"\n{\"format\": 1, \"objects\": {}}", "r:2:", "this is a scene"},
      {"{\"format\": 1, \"scene\": 3}", "r:1:", "'precision' is missing"},
      {head + "{\"frame\": 1, \"pin\": 3},,", "r:4:", ""},
      {head + "{\"frame\": \"1\", \"pin\": 3}]}", "r:4:", "'frame'"},
      {head + "{\"frame\": 1, \"mvoe\": [0, 0, 0]}]}", "r:4:", "did you mean 'move'"},
      {head + "{\"frame\": 1, \"move\": [0, 0]}]}", "r:4:", "three numbers"},
      {head + "{\"frame\": -1, \"pin\": 3}]}", "r:4:", "frame"},
      {head + "{\"frame\": 1, \"pin\": 3, \"unpin\": 3}]}", "r:4:", "one thing"},
      {head + "{\"frame\": 1, \"pin\": 99999999999}]}", "r:4:", "pin"},
      {head + "{\"frame\": 3, \"pin\": 3},\n{\"frame\": 2, \"pin\": 3}]}", "r:5:", "frame 2 after frame 3"},
      {head + "{\"frame\": 6, \"pin\": 3}]}", "r:2:", "after the last frame"},
      {head + "{\"frame\": 1, \"release\": \"maybe\"}]}", "r:4:", "release"},
  };
  for (const Case& bad : cases) {
    const auto read = parse_input_recording(bad.text, "r");
    ASSERT_FALSE(read) << bad.text;
    EXPECT_TRUE(read.error().text().starts_with(bad.file_and_line)) << read.error().text();
    EXPECT_NE(read.error().text().find(bad.words), std::string::npos) << read.error().text();
  }
  InputRecording recording;
  recording.inputs = {{0, SetPinned{1 << 20, true}}};
  const auto simulation = start(scene());
  const auto submitted = InputPlayer(recording).submit_due(*simulation);
  ASSERT_FALSE(submitted);
  EXPECT_NE(submitted.error().text().find("frame 1"), std::string::npos);
}

TEST(InputRecording, WhatTheSceneRefusesNamesTheLineToo) {
  const std::string text =
      "{\"format\": 1, \"scene\": \"s\", \"precision\": \"f32\",\n\"frames\": 5, \"state_hash\": \"0\", "
      "\"settings\": {\n\"SETTING\": VALUE},\n\"inputs\": [\n{\"frame\": 1, \"pin\": VERTEX}]}";
  const auto recording = [&](const char* setting, const char* value, const char* vertex) {
    std::string one = text;
    for (const auto& [blank, content] :
         {std::pair("SETTING", setting), std::pair("VALUE", value), std::pair("VERTEX", vertex)})
      one.replace(one.find(blank), std::strlen(blank), content);
    const auto read = parse_input_recording(one, "r");
    EXPECT_TRUE(read) << read.error().text();
    return *read;
  };
  SceneDesc desc = scene();
  for (const auto& [setting, value, words] :
       {std::tuple("solver.subteps", "4", "did you mean 'solver.substeps'"),
        std::tuple("solver.substeps", "\"four\"", "substeps")}) {
    const auto done = restore_settings(recording(setting, value, "0"), desc);
    ASSERT_FALSE(done);
    EXPECT_TRUE(done.error().text().starts_with("r:3: ")) << done.error().text();
    EXPECT_NE(done.error().text().find(words), std::string::npos) << done.error().text();
  }
  const auto simulation = start(scene());
  simulation->step();
  const InputRecording far = recording("solver.substeps", "4", "1000000");
  const auto submitted = InputPlayer(far).submit_due(*simulation);
  ASSERT_FALSE(submitted);
  EXPECT_TRUE(submitted.error().text().starts_with("r:5: the input before frame 2: "))
      << submitted.error().text();
}

}}  // namespace limber::input_recording_test
