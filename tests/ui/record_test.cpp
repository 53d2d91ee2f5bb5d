// Videos and mesh sequences: written files, refused input, and a missing or dying ffmpeg.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "app/lab/session.hpp"
#include "app/record/scene_export.hpp"
#include "app/record/video_writer.hpp"
#include "app/shell/input_file.hpp"
#include "app/shell/window_video.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "tests/source_folder.hpp"

namespace limber::record_test { namespace {

namespace fs = std::filesystem;

class Record : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_variable_ = std::getenv("PATH");
  }
  void TearDown() override {
    setenv("PATH", path_variable_.c_str(), 1);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files(const std::string& name) const {
    return std::size_t(std::distance(fs::directory_iterator(path(name)), {}));
  }
  /// The only ffmpeg from here on is a shell script of these lines.
  void pretend_ffmpeg(const std::string& script) {
    fs::create_directory(folder_ / "bin");
    std::ofstream(path("bin/ffmpeg")) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(path("bin/ffmpeg"), fs::perms::owner_all);
    setenv("PATH", (path("bin") + ":/usr/bin:/bin").c_str(), 1);
  }
  static Image picture(int width = 64, int height = 48) {
    return {width, height, std::vector<std::uint8_t>(std::size_t(3 * width * height), 90)};
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("limber_record_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string path_variable_;
};

TEST_F(Record, WithoutFfmpegPicturesAreWrittenAndItIsSaid) {
  setenv("PATH", path("nowhere").c_str(), 1);
  auto video = VideoWriter::create(path("clip.mp4"), {64, 48, 60.0});
  ASSERT_TRUE(video) << video.error().text();
  EXPECT_NE((*video)->note().find("no ffmpeg"), std::string::npos);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE((*video)->add(picture()));
  ASSERT_TRUE((*video)->finish());
  EXPECT_EQ((*video)->path(), path("clip_frames"));
  EXPECT_TRUE(fs::exists(path("clip_frames/frame_0003.png")));
  EXPECT_EQ(files("clip_frames"), 3u);
  EXPECT_FALSE(fs::exists(path("clip.mp4")));
  const auto again = VideoWriter::create(path("clip.mp4"), {64, 48, 60.0});
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->path(), path("clip_frames_2"));
}

TEST_F(Record, AnFfmpegThatDiesIsOneErrorAndNoHang) {
  pretend_ffmpeg("echo 'the disk is on fire' >&2; exit 3");
  auto video = VideoWriter::create(path("clip.mp4"), {640, 480, 60.0});
  ASSERT_TRUE(video) << video.error().text();
  Expected<void> added;
  for (int i = 0; i < 50 && added; ++i) added = (*video)->add(picture(640, 480));
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().text().find("the disk is on fire"), std::string::npos) << added.error().text();
  EXPECT_FALSE((*video)->finish());
}

TEST_F(Record, AnFfmpegThatFailsAtTheEndFailsTheVideo) {
  pretend_ffmpeg("cat > /dev/null; exit 1");
  auto video = VideoWriter::create(path("clip.mp4"), {64, 48, 60.0});
  ASSERT_TRUE(video);
  ASSERT_TRUE((*video)->add(picture()));
  const auto done = (*video)->finish();
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("exit status is 1"), std::string::npos) << done.error().text();
}

TEST_F(Record, AVideoWithoutItsEndLosesItsName) {
  // ffmpeg 5 on a full disk says so and exits with 0.
  pretend_ffmpeg(
      "for last; do :; done; cat > \"${last#file:}\"; echo 'Error closing file: No space left' >&2");
  for (const char* part : {"clip_part.mp4", "clip_part_2.mp4"}) {
    auto video = VideoWriter::create(path("clip.mp4"), {64, 48, 60.0});
    ASSERT_TRUE(video);
    ASSERT_TRUE((*video)->add(picture()));
    const auto done = (*video)->finish();
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("No space left"), std::string::npos) << done.error().text();
    EXPECT_NE(done.error().text().find(part), std::string::npos) << done.error().text();
    EXPECT_FALSE(fs::exists(path("clip.mp4")));
    EXPECT_TRUE(fs::exists(path(part)));
  }
}

/// A full or a network disk: nothing is taken, nothing ends.
TEST_F(Record, AnFfmpegThatStandsStillHoldsNobodyUp) {
  using Clock = std::chrono::steady_clock;
  setenv("LIMBER_OUTPUT", folder_.c_str(), 1);
  pretend_ffmpeg("head -c 100000 >/dev/null; sleep 1000");
  WindowVideo video;
  RunStatus status;
  video.start(status, {640, 480});
  const auto started = Clock::now();
  int added = 0;
  for (++status.steps; video.due(status) && added < 100; ++status.steps, ++added)
    video.add(picture(640, 480), status);
  EXPECT_LT(Clock::now() - started, std::chrono::milliseconds(500)) << "it was waited for";
  EXPECT_LT(added, 20) << "pictures heap up";
  const auto stopped = Clock::now();
  const Message said = video.stop();
  EXPECT_LT(Clock::now() - stopped, std::chrono::seconds(2));
  EXPECT_EQ(said.severity, Message::Severity::error);
  EXPECT_NE(said.text.find("stood still"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("pictures were not written"), std::string::npos) << said.text;
  unsetenv("LIMBER_OUTPUT");
}

TEST_F(Record, TheNameOfAVideoReachesFfmpegAsItIs) {
  pretend_ffmpeg("for last; do :; done; cat > \"${last#file:}\"");
  const std::string name = path("a 'b' $(c);d.mp4");
  auto video = VideoWriter::create(name, {64, 48, 60.0});
  ASSERT_TRUE(video);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*video)->add(picture()));
  ASSERT_TRUE((*video)->finish());
  EXPECT_EQ(fs::file_size(name), 5u * 64 * 48 * 3);
}

/// F11 twice while the scene is paused. The real ffmpeg, if installed, leaves a file in this case.
TEST_F(Record, AVideoWithoutPicturesLeavesNoFileAndSaysSo) {
  setenv("LIMBER_OUTPUT", folder_.c_str(), 1);
  for (const char* programs : {path_variable_.c_str(), "/nowhere"}) {
    setenv("PATH", programs, 1);
    WindowVideo video;
    video.start({}, {64, 48});
    ASSERT_TRUE(video.active());
    const Message said = video.stop();
    EXPECT_TRUE(said.text.starts_with("No video was saved")) << said.text;
    EXPECT_EQ(said.severity, Message::Severity::warning);
    EXPECT_TRUE(fs::is_empty(folder_)) << programs;
    RunStatus status;
    video.start(status, {64, 48});
    ++status.steps;
    ASSERT_TRUE(video.due(status));
    video.add(picture(), status);
    EXPECT_TRUE(video.stop().text.starts_with("Saved "));
    EXPECT_FALSE(fs::is_empty(folder_)) << programs;
    for (const auto& file : fs::directory_iterator(folder_)) fs::remove_all(file);
  }
  unsetenv("LIMBER_OUTPUT");
}

TEST_F(Record, OddSidesAreCutOffAndItIsSaid) {
  pretend_ffmpeg("cat > /dev/null");
  const auto odd = VideoWriter::create(path("clip.mp4"), {65, 49, 60.0});
  ASSERT_TRUE(odd) << odd.error().text();
  EXPECT_NE((*odd)->note().find("of 65x49 pixels it has 64x48"), std::string::npos) << (*odd)->note();
  const auto even = VideoWriter::create(path("clip.mp4"), {64, 48, 60.0});
  EXPECT_EQ((*even)->note(), "");
  const auto pictures = VideoWriter::create(path("folder/"), {65, 49, 60.0});
  EXPECT_EQ((*pictures)->note(), "") << "they have any size";
  setenv("LIMBER_OUTPUT", folder_.c_str(), 1);
  EXPECT_NE(WindowVideo().start({}, {65, 49}).text.find("it has 64x48"), std::string::npos);
  unsetenv("LIMBER_OUTPUT");
}

TEST_F(Record, RefusesWhatItCannotWrite) {
  EXPECT_FALSE(VideoWriter::create(path("clip.avi"), {64, 48, 60.0}));
  EXPECT_FALSE(VideoWriter::create(path("no/such/clip.mp4"), {64, 48, 60.0}));
  std::ofstream(path("file")) << "x";
  EXPECT_FALSE(VideoWriter::create(path("file/"), {64, 48, 60.0}));
  EXPECT_FALSE(SceneExport::create({path("file")}));
  const auto full = SceneExport::create({folder_.string()});
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().text().find("there are files in it"), std::string::npos);
  EXPECT_FALSE(SceneExport::create({""}));
}

SceneDesc two_sheets() {
  SceneDesc scene;
  scene.name = "sheets";
  for (const char* name : {"upper", "lower"}) {
    ObjectDesc cloth;
    cloth.name = name;
    cloth.cloth->columns = cloth.cloth->rows = 5;
    cloth.pose.position = {0.0, scene.objects.empty() ? 4.0 : 1.0, 0.0};
    scene.objects.push_back(cloth);
  }
  return scene;
}

TEST_F(Record, AMeshFilePerFrameReadsBackWithGroupsAndTextureCoordinates) {
  auto simulation = make_simulation(two_sheets(), {built_precisions().back(), Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes) << meshes.error().text();
  for (int i = 0; i < 3; ++i) {
    (*simulation)->step();
    const auto added = meshes->add(**simulation);
    ASSERT_TRUE(added) << added.error().text();
  }
  EXPECT_EQ(files("out"), 3u);
  const auto read = read_obj(path("out/frame_0003.obj"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->mesh.positions.size(), 50u);
  EXPECT_EQ(read->mesh.uvs.size(), 50u);
  EXPECT_EQ(read->mesh.triangles.size(), 64u);
  std::vector<glm::dvec3> now(50);
  (*simulation)->read(reading::Positions{std::span<glm::dvec3>(now)});
  ASSERT_EQ(read->mesh.positions.size(), now.size());
  for (std::size_t v = 0; v < now.size();
       ++v)  // 17 digits are written; the reader's parser is exact to a few ulp
    EXPECT_LT(glm::distance(read->mesh.positions[v], now[v]), 8 * 2.2e-16 * 5.0) << v;
  std::ifstream file(path("out/frame_0003.obj"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto upper = text.find("g upper\n"), lower = text.find("g lower\n"), face = text.find("\nf ");
  EXPECT_LT(upper, face);
  EXPECT_LT(face, lower);
  EXPECT_LT(lower, text.size());
}

/// A ring of particles is written as its mesh, where it has fallen to; grains as vertices.
TEST_F(Record, SolidsAndGrainsAreWritten) {
  SceneDesc scene;
  ObjectDesc ring, sand;
  ring.name = "ring";
  ring.type = ObjectType::solid;
  ring.mesh = test::source("assets/ring.obj");
  ring.size = 0.5;
  ring.pose.position = {0.0, 3.0, 0.0};
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = {2.0, 1.0, 2.0};
  scene.objects = {ring, sand};
  auto simulation = make_simulation(scene, {built_precisions().back(), Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes) << meshes.error().text();
  for (int i = 0; i < 10; ++i) (*simulation)->step();
  ASSERT_TRUE(meshes->add(**simulation));
  const auto read = read_obj(path("out/frame_0001.obj"));
  const auto mesh = read_obj(ring.mesh);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->mesh.triangles.size(), mesh->mesh.triangles.size());
  double lowest = 10.0;
  for (const auto& triangle : read->mesh.triangles)
    for (const Index v : triangle) lowest = std::min(lowest, read->mesh.positions[std::size_t(v)].y);
  std::vector<BodyPose> poses;
  (*simulation)->read(reading::Solids{poses});
  EXPECT_LT(poses[0].position.y, 2.9f);
  EXPECT_NEAR(lowest, double(poses[0].position.y), 0.26);
  EXPECT_LT(lowest, double(poses[0].position.y));
}

/// A tap above a drain: at no time are all 60 particles in the scene, before the first and after the last
/// none.
TEST_F(Record, ParticlesThatAreNotInTheSceneAreNotWritten) {
  SceneDesc scene = two_sheets();
  scene.solver.contact->particle_radius = 0.03;
  ObjectDesc tap, sand;
  tap.name = "tap";
  tap.type = ObjectType::fluid;
  tap.fluid->emit_count = 60;
  tap.fluid->emit_radius = 0.05;
  tap.velocity = {0.0, -3.0, 0.0};
  tap.pose.position = {5.0, 0.5, 0.0};
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = {2.0, 1.0, 2.0};
  sand.pose.position = {-5.0, 5.0, 0.0};
  scene.objects = {tap, scene.objects[0], sand};  // the fluid first: others keep their order behind it
  ColliderDesc sink;
  sink.name = "sink";
  sink.shape = ColliderShape::plane;
  sink.drains = true;
  scene.colliders = {sink};
  auto simulation = make_simulation(scene, {built_precisions().back(), Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes) << meshes.error().text();
  std::int64_t most = 0, drained = 0;
  for (int f = 1; f <= 20; ++f) {
    (*simulation)->step();
    ASSERT_TRUE(meshes->add(**simulation));
    const Measures now = (*simulation)->measure();
    most = std::max(most, now.fluid_particles), drained = now.drained;
    std::ifstream file(path("out/frame_00" + std::string(f < 10 ? "0" : "") + std::to_string(f) + ".obj"));
    std::map<std::string, std::int64_t> points;
    std::string line, group;
    std::int64_t vertices = 0, highest = 0;
    while (std::getline(file, line)) {
      vertices += line.starts_with("v ");
      if (line.starts_with("g ")) group = line.substr(2);
      if (line.starts_with("p "))
        ++points[group], highest = std::max<std::int64_t>(highest, std::stol(line.substr(2)));
    }
    EXPECT_EQ(vertices, 25 + 4 + now.fluid_particles) << f;
    EXPECT_EQ(points["tap"], now.fluid_particles) << f;
    EXPECT_EQ(points["sand"], 4) << f;
    if (now.fluid_particles > 0) {
      EXPECT_EQ(highest, vertices) << f;
    }
  }
  EXPECT_GT(most, 10);
  EXPECT_LT(most, 60);
  EXPECT_GT(drained, 10);
  const auto read = read_obj(path("out/frame_0020.obj"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->mesh.triangles.size(), 32u);
  for (const auto& triangle : read->mesh.triangles)
    for (const Index v : triangle) EXPECT_GT(read->mesh.positions[std::size_t(v)].y, 1.0);  // of the sheet
}

TEST_F(Record, RodsAreWrittenAsLines) {
  SceneDesc scene;
  for (const RodForm form : {RodForm::line, RodForm::ring}) {
    ObjectDesc rod;
    rod.name = form == RodForm::ring ? "ring" : "wire";
    rod.type = ObjectType::rod;
    rod.rod->form = form;
    rod.rod->segments = 4;
    scene.objects.push_back(rod);
  }
  auto simulation = make_simulation(scene, {built_precisions().back(), Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes) << meshes.error().text();
  ASSERT_TRUE(meshes->add(**simulation));
  std::ifstream file(path("out/frame_0001.obj"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("v ")) lines.push_back(line);
  EXPECT_EQ(lines, (std::vector<std::string>{"g wire", "l 1 2 3 4 5", "g ring", "l 6 7 8 9 6"}));
}

TEST_F(Record, BodiesAreWrittenWhereTheyAre) {
  SceneDesc scene = two_sheets();
  BodyDesc crate, jack;
  crate.name = "crate";
  crate.pose.position = {5.0, 20.0, 0.0};
  crate.copies = {2.0, 1.0, 1.0};
  jack.name = "jack";
  jack.shape = BodyShape::compound;
  jack.parts.resize(2);
  jack.parts[1].pose.position = {2.0, 0.0, 0.0};
  jack.pose.position = {0.0, 30.0, 0.0};
  scene.bodies = {crate, jack};
  auto simulation = make_simulation(scene, {built_precisions().back(), Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes) << meshes.error().text();
  for (int i = 0; i < 2; ++i) {
    (*simulation)->step();
    ASSERT_TRUE(meshes->add(**simulation));
  }
  const auto read = read_obj(path("out/frame_0002.obj"));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->mesh.positions.size(), 50u + 4 * 8);  // two crates, a jack of two boxes
  EXPECT_EQ(read->mesh.triangles.size(), 64u + 4 * 12);
  std::vector<BodyPose> poses(3);
  (*simulation)->read(reading::Bodies{poses});
  const auto middle = [&](std::size_t first, std::size_t count) {
    glm::dvec3 sum(0.0);
    for (std::size_t v = 0; v < count; ++v) sum += read->mesh.positions[first + v];
    return sum / double(count);
  };
  for (std::size_t i = 0; i < 2; ++i)  // poses are read in single precision
    EXPECT_LT(glm::distance(middle(50 + 8 * i, 8), glm::dvec3(poses[i].position)), 1e-5);
  EXPECT_LT(glm::distance(middle(66, 16), glm::dvec3(poses[2].position)), 1e-5);
  std::ifstream file(path("out/frame_0002.obj"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const char* group : {"g crate_0\n", "g crate_1\n", "g jack\n"})
    EXPECT_NE(text.find(group), std::string::npos) << group;
}

TEST_F(Record, AnUnwritableMeshFolderIsAnErrorAndLeavesNoPart) {
  auto simulation = make_simulation(two_sheets(), {Precision::f32, Simd::scalar, 1});
  auto meshes = SceneExport::create({path("out")});
  ASSERT_TRUE(meshes);
  fs::create_directory(folder_ / "out/frame_0001.obj");  // nothing can be renamed over it
  std::ofstream(path("out/frame_0001.obj/x")) << "x";
  EXPECT_FALSE(meshes->add(**simulation));
  EXPECT_EQ(files("out"), 1u);
}

/// Opening another scene saves the recording of the scene before, if there was any input.
TEST_F(Record, WhatWasDoneToASceneThatIsLeftIsKept) {
  const auto session = SessionInput::create(path("session.json"));
  ASSERT_TRUE(session) << session.error().text();
  RunObserver observer;
  observer.recorded = [&](const auto& recording) { (*session)->keep(recording); };
  observer.left = [&](const InputRecording& recording) { return (*session)->keep_beside(recording); };
  Session live({Precision::f32, Simd::scalar, 1}, observer);
  live.open(two_sheets());
  for (int i = 0; i < 2; ++i) {
    live.edit({"solver.substeps", 6L + i});
    live.step_once();
    live.take_messages();
    live.open(Error{"another one that is none"});
    live.open(two_sheets());
    const std::string kept = path("session_sheets_000" + std::to_string(i + 1) + ".json");
    const auto recording = read_input_recording(kept);
    ASSERT_TRUE(recording) << recording.error().text();
    EXPECT_EQ(recording->frames, 1);
    ASSERT_EQ(recording->inputs.size(), 1u);
    EXPECT_EQ(std::get<SetValue>(recording->inputs[0].command).value, Value(6L + i));
    const auto messages = live.take_messages();
    ASSERT_GE(messages.size(), 2u);
    EXPECT_EQ(messages[1].text, "Saved what you did to sheets: " + kept);
    EXPECT_FALSE(messages[1].scene) << "it would go with the scene it is about";
  }
  live.open(two_sheets());  // untouched
  live.close();
  ASSERT_TRUE((*session)->finish());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 3);
  EXPECT_TRUE(read_input_recording(path("session.json")));
}

}}  // namespace limber::record_test
