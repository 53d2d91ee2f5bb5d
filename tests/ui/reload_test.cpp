// An edited scene file: detected changes, kept values, and errors that leave the running scene alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "app/commands/scene_source.hpp"
#include "app/lab/file_watch.hpp"
#include "app/lab/session.hpp"
#include "app/shell/dropped_file.hpp"
#include "app/shell/first_scene.hpp"
#include "app/shell/opened_file.hpp"
#include "app/shell/opened_scenes.hpp"
#include "app/shell/user_config.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/mesh_path.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::reload_test { namespace {
namespace fs = std::filesystem;

struct Folder {
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  fs::path path = fs::path(testing::TempDir()) /
                  ("limber_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

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

using Paths = std::vector<std::string>;

TEST(ChangedSettings, NamesSingleValuesOnly) {
  const char* before = R"({"solver": {"substeps": 5, "gravity": [0, -9.8, 0]}, "pins": [1]} // note)";
  EXPECT_EQ(changed_settings(before, R"({"solver": {"substeps": 6, "gravity": [0, -1, 0]}, "pins": [1]})"),
            (Paths{"solver.gravity", "solver.substeps"}));
  EXPECT_EQ(changed_settings(before, before), Paths{});
  EXPECT_EQ(changed_settings(before,
                             R"({"solver": {"substeps": 5, "gravity": [0, -9.8, 0]}, "pins": [1], "x": {}})"),
            std::nullopt);
  EXPECT_EQ(changed_settings(before, "{"), std::nullopt);
}

struct Reload : testing::Test {
  Reload() : live({Precision::f32, Simd::scalar, 1}, {}) {
    live.open(chain());
    live.edit({"solver.iterations", 9L});
    for (int i = 0; i < 3; ++i) live.step_once();
    live.take_messages();
  }
  const Publication& publication() {
    live.publish(shown);
    return shown;
  }
  Session live;
  Publication shown;
};

TEST_F(Reload, ALiveValueActsInTheRunningSceneAndTheUsersOwnStays) {
  SceneDesc edited = chain();
  edited.solver.step->substeps = 17;
  const auto loads = publication().status.loads;
  live.reload({edited, Paths{"solver.substeps"}});
  EXPECT_EQ(publication().frame.frame, 3);
  EXPECT_EQ(shown.status.scene->solver.step->substeps, 17);
  EXPECT_EQ(shown.status.scene->solver.step->iterations, 9);
  EXPECT_EQ(shown.status.original->solver.step->substeps, 17);
  EXPECT_EQ(shown.status.loads, loads);  // the camera stays
  EXPECT_EQ(live.take_messages().size(), 1u);
}

TEST_F(Reload, AnythingElseBuildsAgainAndTheUsersOwnStays) {
  SceneDesc edited = chain();
  edited.objects[0].chain->links = 8;
  live.reload({edited, std::nullopt});
  EXPECT_EQ(publication().frame.frame, 0);
  EXPECT_EQ(shown.frame.positions.size(), 9u);
  EXPECT_EQ(shown.status.scene->solver.step->iterations, 9);
}

TEST_F(Reload, AnErrorLeavesTheWorldAndNamesTheLine) {
  const auto before = publication().frame.positions;
  live.reload({Error{"unknown key 'subteps'", "chain.json", 4, ""}, std::nullopt});
  EXPECT_EQ(publication().frame.positions, before);
  EXPECT_EQ(shown.frame.frame, 3);
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].severity, Message::Severity::error);
  EXPECT_NE(messages[0].text.find("chain.json:4: unknown key"), std::string::npos);
}

TEST_F(Reload, AnErrorGoesWhenTheFileIsRightAgain) {
  live.reload({Error{"unknown key 'subteps'", "chain.json", 4, ""}, std::nullopt});
  const auto wrong = live.take_messages();
  ASSERT_EQ(wrong.size(), 1u);
  live.reload({chain(), Paths{"solver.substeps"}});
  const auto right = live.take_messages();
  ASSERT_EQ(right.size(), 2u);
  EXPECT_TRUE(is_about(wrong[0].about, right[0].about) && right[0].text.empty()) << "taken back";
}

TEST(Restart, SaysOnceThatTheFileIsGone) {
  const Folder folder;
  SceneDesc scene = chain();
  scene.file = folder.write("chain.json", "{}");
  Session live({Precision::f32, Simd::scalar, 1}, {});
  live.open(scene);
  live.restart();
  EXPECT_TRUE(live.take_messages().empty());
  fs::rename(scene.file, scene.file + ".old");
  live.step_once();
  live.restart();
  const auto messages = live.take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].severity, Message::Severity::warning);
  EXPECT_NE(messages[0].text.find(scene.file + " is gone"), std::string::npos) << messages[0].text;
  Publication shown;
  live.publish(shown);
  EXPECT_EQ(shown.frame.frame, 0) << "it starts again nevertheless";
  fs::rename(scene.file + ".old", scene.file);
  live.restart_as_opened();
  const auto back = live.take_messages();
  ASSERT_EQ(back.size(), 1u);
  EXPECT_TRUE(is_about(messages[0].about, back[0].about) && back[0].text.empty()) << "taken back";
}

constexpr const char* triangle_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A scene file that names a mesh beside it.
SceneDesc meshed(const Folder& folder) {
  SceneDesc scene;
  scene.name = "meshed";
  scene.file = folder.write("meshed.json", "{}");
  folder.write("sheet.obj", triangle_obj);
  for (const char* name : {"one", "two"}) {
    ObjectDesc cloth;
    cloth.name = name;
    cloth.mesh = "sheet.obj";
    scene.objects.push_back(cloth);
  }
  return scene;
}

TEST(Restart, SaysThatAMeshIsGone) {
  const Folder folder;
  Session live({Precision::f32, Simd::scalar, 1}, {});
  live.open(meshed(folder));
  live.take_messages();
  live.restart();
  EXPECT_TRUE(live.take_messages().empty());
  fs::remove(folder.path / "sheet.obj");
  live.step_once();
  live.restart();
  const auto gone = live.take_messages();
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].severity, Message::Severity::warning);
  EXPECT_TRUE(gone[0].text.starts_with("sheet.obj is gone")) << gone[0].text;
  Publication shown;
  live.publish(shown);
  EXPECT_EQ(shown.frame.frame, 0) << "it starts again nevertheless";
}

TEST(MissingFiles, AreNamedOnceHoweverManyUseThem) {
  const Folder folder;
  SceneDesc scene = meshed(folder);
  EXPECT_EQ(missing_files(scene), Paths{});
  scene.colliders.resize(1);
  scene.colliders[0].mesh = "sheet.obj";
  scene.colliders[0].frames = "walk_*.obj";
  scene.bodies.resize(1);
  scene.bodies[0].mesh = "hull.obj";
  scene.bodies[0].parts.resize(1);
  scene.bodies[0].parts[0].mesh = "part.obj";
  EXPECT_EQ(missing_files(scene), (Paths{"walk_*.obj", "hull.obj", "part.obj"}));
  folder.write("walk_1.obj", triangle_obj);
  fs::remove(folder.path / "sheet.obj");
  EXPECT_EQ(missing_files(scene), (Paths{"sheet.obj", "hull.obj", "part.obj"}));
  SceneDesc of_mesh;  // that was opened itself
  of_mesh.file = (folder.path / "sheet.obj").string();
  of_mesh.objects.resize(1);
  of_mesh.objects[0].mesh = of_mesh.file;
  EXPECT_EQ(missing_files(of_mesh), Paths{of_mesh.file});
}

/// Restarting with the scene's own values rebuilds the scene from the present mesh files.
TEST(Restart, OfABrokenMeshSaysWhatIsWrongNow) {
  const Folder folder;
  Session live({Precision::f32, Simd::scalar, 1}, {});
  live.open(meshed(folder));
  live.step_once();
  live.take_messages();
  std::string about;
  for (const char* face : {"f 1 2 x\n", "f 1 2 7\n"}) {
    folder.write("sheet.obj", std::string(triangle_obj) + face);
    live.restart_as_opened();
    const auto messages = live.take_messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_NE(messages[0].text.find("sheet.obj:5"), std::string::npos) << messages[0].text;
    EXPECT_NE(messages[0].text.find("the scene before goes on"), std::string::npos);
    EXPECT_FALSE(messages[0].about.empty()) << "what was wrong before would stay beside it";
    about = messages[0].about;
  }
  Publication shown;
  live.publish(shown);
  EXPECT_EQ(shown.frame.frame, 1);
  folder.write("sheet.obj", triangle_obj);
  live.restart_as_opened();
  const auto mended = live.take_messages();
  ASSERT_FALSE(mended.empty());
  EXPECT_TRUE(is_about(about, mended[0].about) && mended[0].text.empty()) << "taken back";
}

std::string sheet_scene(const std::string& substeps, const std::string& mesh = "sheet.obj") {
  return "{\n\"format\": 1,\n\"solver\": {\"substeps\": " + substeps +
         "},\n\"objects\": {\"cloth\": {\"type\": \"cloth\", \"mesh\": \"" + mesh + "\"}}}";
}

struct FileOpened : testing::Test {
  FileOpened()
      : file(folder.write("scene.json", sheet_scene("5"))), live({Precision::f32, Simd::scalar, 1}, {}) {
    folder.write("sheet.obj", triangle_obj);
    live.open(load_scene(file));
    opened.follow(file);
    live.take_messages();
  }
  /// The message about a reload with `reader`; "" if the reader reads nothing.
  std::string said_of(const OpenedFile::Reader& reader) {
    auto read = reader();
    if (!read) return {};
    live.reload(std::move(*read));
    const auto messages = live.take_messages();
    return messages.empty() ? "" : messages.back().text;
  }
  int substeps() {
    live.publish(shown);
    return shown.status.scene->solver.step->substeps;
  }
  const Folder folder;
  const std::string file;
  Session live;
  OpenedFile opened;
  Publication shown;
};

/// A restart as opened right after the file was written must not wait for the watch.
TEST_F(FileOpened, IsReadAtOnceIfItSaysSomethingElse) {
  EXPECT_EQ(said_of(opened.reader_of_other({})), "");
  folder.write("scene.json", sheet_scene("\"five\""));
  EXPECT_NE(said_of(opened.reader_of_other({})).find("scene.json:3: 'substeps'"), std::string::npos);
  folder.write("scene.json", sheet_scene("5,"));
  EXPECT_NE(said_of(opened.reader_of_other({})).find("scene.json:3: "), std::string::npos);
  EXPECT_NE(said_of(opened.reader_of_other({})), "") << "it is still wrong";
  folder.write("scene.json", sheet_scene("7"));
  EXPECT_NE(said_of(opened.reader_of_other({})).find("Reloaded"), std::string::npos);
  EXPECT_EQ(substeps(), 7);
  EXPECT_EQ(said_of(opened.reader_of_other({})), "");
  auto now = FileWatch::Clock::now();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(opened.changed(now += std::chrono::seconds(1))) << "read twice";
  fs::remove(file);
  EXPECT_EQ(said_of(opened.reader_of_other({})), "");
}

/// A text that could not be built does not run: the next text is compared with the running one.
TEST_F(FileOpened, WhatCouldNotBeBuiltIsStillToBeDone) {
  folder.write("two.obj", std::string(triangle_obj) + "f 1 2 7\n");
  folder.write("scene.json", sheet_scene("5", "two.obj"));
  EXPECT_NE(said_of(opened.reader({})).find("two.obj:5: "), std::string::npos);
  folder.write("scene.json", sheet_scene("6", "two.obj"));
  EXPECT_NE(said_of(opened.reader({})).find("two.obj:5: "), std::string::npos);
  EXPECT_EQ(substeps(), 5);
  folder.write("two.obj", std::string(triangle_obj) + "v 1 1 0\nf 2 4 3\n");
  EXPECT_NE(said_of(opened.reader_of_other({})).find("Reloaded"), std::string::npos);
  EXPECT_EQ(substeps(), 6);
  EXPECT_EQ(shown.frame.positions.size(), 4u);
}

TEST_F(FileOpened, AReaderOfTheSceneBeforeChangesNothing) {
  folder.write("scene.json", sheet_scene("7"));
  const auto late = opened.reader({});
  live.open(chain());
  live.take_messages();
  EXPECT_EQ(said_of(late), "");
  live.publish(shown);
  EXPECT_EQ(shown.status.name, "chain");
}

TEST(OpenedScenes, AFileOpenedByItsPathComesFirstAndOnce) {
  const Folder folder;
  SceneDesc scene = chain();
  scene.file = folder.write("chain.json", "{}");
  scene.title = "A chain";
  std::vector<SceneEntry> scenes(1);
  scenes[0].name = "chain";  // the same name is not the same file
  scenes[0].file = folder.write("other.json", "{}");
  EXPECT_EQ(list_opened(scene, scenes).file, scene.file);
  ASSERT_EQ(scenes.size(), 2u);
  EXPECT_EQ(scenes[0].group, "Opened");
  EXPECT_EQ(scenes[0].shown_title(), "A chain");
  const std::string spelled = (folder.path / "." / "chain.json").string();
  scene.file = spelled;
  EXPECT_NE(list_opened(scene, scenes).file, spelled) << "known under the other spelling";
  scene.file = scenes[1].file;
  EXPECT_EQ(list_opened(scene, scenes).group, "");
  EXPECT_EQ(scenes.size(), 2u);
}

TEST(FirstScene, IsWaitedForOnlySoLong) {
  const auto broken = []() -> Expected<SceneDesc> { return Error{"broken"}; };
  EXPECT_FALSE(read_first(broken, std::chrono::minutes(1))) << "known before there is a window";
  std::promise<void> gate;
  const auto first = read_first(
      [&, wait = gate.get_future().share()]() -> Expected<SceneDesc> {
        wait.wait();
        return Error{"broken"};
      },
      std::chrono::milliseconds(1));
  ASSERT_TRUE(first) << "the window can open";
  EXPECT_FALSE(has_failed(*first));
  gate.set_value();
  first->wait();
  EXPECT_TRUE(has_failed(*first)) << "it ends the program";
}

TEST_F(Reload, SlowMotionStepsLessOften) {
  live.set_speed(0.5);
  live.toggle_running();
  const double dt = chain().solver.step->dt;
  EXPECT_TRUE(live.advance(0.0));  // the first at once
  EXPECT_FALSE(live.advance(1.5 * dt));
  EXPECT_TRUE(live.advance(0.6 * dt));
}

TEST(FileWatch, ReportsAChangeOnceItHasSettled) {
  const Folder folder;
  const std::string file = folder.write("scene.json", "{}");
  FileWatch watch;
  watch.follow(file);
  auto now = FileWatch::Clock::now();
  const auto look = [&] { return watch.changed(now += std::chrono::seconds(1)); };
  EXPECT_FALSE(look());
  folder.write("scene.json", "{ }");
  EXPECT_FALSE(look());  // may still be being written
  EXPECT_TRUE(look());
  EXPECT_FALSE(look());
}

TEST(DroppedFile, OpensScenesAndMeshesAndSaysWhatElseItWas) {
  const Folder folder;
  const std::string scene = folder.write("a.json", "{}"), mesh = folder.write("b.OBJ", ""),
                    text = folder.write("c.txt", "");
  EXPECT_EQ(*file_to_open({scene}), scene);
  EXPECT_EQ(*file_to_open({text, mesh}), mesh);
  ASSERT_FALSE(file_to_open({text}));
  EXPECT_NE(file_to_open({text}).error().text().find("c.txt"), std::string::npos);
  EXPECT_FALSE(file_to_open({(folder.path / "gone.json").string()}));
}

TEST(UserConfig, ComesBackAsItWasWritten) {
  const Folder folder;
  const std::string place = (folder.path / "new/limber").string();
  EXPECT_FALSE(read_config(place)->has_value());
  UserConfig config{1000, 700, {}};
  config.view.panels = false;
  config.view.msaa = 2;
  config.view.heat_map = HeatMap::strain;
  config.view.wireframe = true;
  ASSERT_TRUE(write_config(place, config));
  const auto back = read_config(place);
  ASSERT_TRUE(back && *back);
  EXPECT_EQ((*back)->width, 1000);
  EXPECT_EQ((*back)->height, 700);
  EXPECT_FALSE((*back)->view.panels);
  EXPECT_EQ((*back)->view.msaa, 2);
  EXPECT_EQ((*back)->view.heat_map, HeatMap::none) << "it belongs to what was looked at";
  EXPECT_FALSE((*back)->view.wireframe) << "so does it";
}

TEST(UserConfig, ACorruptFileIsAnErrorThatNamesIt) {
  const Folder folder;
  for (
      const char* text :
      {"", "{", "[]", R"({"width": -5})",
       R"({"width":900,"height":700,"panels":true,"wireframe":false,"shadows":true,"msaa":3,"shadow_size":1024,"heat_map":"none"})"}) {
    const std::string file = folder.write("settings.json", text);
    const auto config = read_config(folder.path.string());
    ASSERT_FALSE(config) << text;
    EXPECT_EQ(config.error().file, file);
  }
}

}}  // namespace limber::reload_test
