// Films: the camera's path, valid and invalid scripts, and the division of time into pictures.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <string>

#include "app/film/bookmarks.hpp"
#include "app/film/camera_path.hpp"
#include "app/film/film_script.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "tests/source_folder.hpp"

namespace limber::film_test {
namespace {
namespace fs = std::filesystem;

CameraKey key(double time, glm::dvec3 position, bool ease = false) {
  CameraKey out;
  out.time = time;
  out.position = position;
  out.target = 0.5 * position;
  out.fov_degrees = 40.0 + position.x;
  out.ease = ease;
  return out;
}

TEST(CameraPath, GoesThroughItsKeysAndStandsStillBeyondThem) {
  const std::vector<CameraKey> keys{key(0.5, {1, 2, 3}), key(1.0, {4, 0, 1}), key(3.0, {-2, 5, 2}),
                                    key(3.5, {0, 1, 7})};
  const CameraPath path(keys);
  for (const CameraKey& k : keys) {
    EXPECT_LT(glm::distance(path.at(k.time).position, k.position), 1e-12);
    EXPECT_LT(glm::distance(path.at(k.time).target, k.target), 1e-12);
    EXPECT_NEAR(path.at(k.time).fov_degrees, k.fov_degrees, 1e-12);
  }
  EXPECT_EQ(path.at(0.0).position, keys.front().position);
  EXPECT_EQ(path.at(9.0).position, keys.back().position);
}

/// Keys on a parabola in time, unevenly spaced: the curve is that parabola, between the keys too.
TEST(CameraPath, IsExactForAParabola) {
  const auto place = [](double t) { return glm::dvec3(1.0 + 2.0 * t - 0.7 * t * t, 3.0 * t * t, -t); };
  std::vector<CameraKey> keys;
  for (const double t : {0.0, 0.3, 1.1, 1.5, 3.0}) keys.push_back(key(t, place(t)));
  const CameraPath path(keys);
  for (double t = 0.0; t <= 3.0; t += 0.05) {
    EXPECT_LT(glm::distance(path.at(t).position, place(t)), 1e-12) << t;
    EXPECT_LT(glm::distance(path.at(t).target, 0.5 * place(t)), 1e-12) << t;
  }
}

/// The velocity is the same on both sides of a key, and zero at one that eases.
TEST(CameraPath, HasNoKinksAndRestsWhereItEases) {
  const CameraPath path(
      {key(0.0, {0, 0, 0}, true), key(1.0, {4, 0, 1}), key(1.5, {5, 5, 2}, true), key(4.0, {0, 1, 7})});
  const double h = 1e-5;
  const auto velocity = [&](double from, double to) {
    return (path.at(to).position - path.at(from).position) / (to - from);
  };
  EXPECT_LT(glm::distance(velocity(1.0 - h, 1.0), velocity(1.0, 1.0 + h)), 1e-3);
  EXPECT_GT(glm::length(velocity(1.0, 1.0 + h)), 1.0);
  for (const double rest : {0.0, 1.5}) EXPECT_LT(glm::length(velocity(rest, rest + h)), 1e-3);
  EXPECT_LT(glm::length(velocity(1.5 - h, 1.5)), 1e-3);
  EXPECT_GT(glm::length(velocity(4.0 - h, 4.0)), 1.0);
}

TEST(CameraPath, TwoKeysAreALineAndAPauseIsOne) {
  const CameraPath line({key(0.0, {0, 0, 0}), key(2.0, {4, 2, 0})});
  EXPECT_LT(glm::distance(line.at(0.5).position, {1.0, 0.5, 0.0}), 1e-12);
  const CameraPath eased({key(0.0, {0, 0, 0}, true), key(2.0, {4, 2, 0}, true)});
  EXPECT_LT(glm::distance(eased.at(0.5).position, glm::dvec3(4, 2, 0) * (3.0 / 16.0 - 2.0 / 64.0)), 1e-12);
  const CameraPath start({key(0.0, {0, 0, 0}, true), key(2.0, {4, 2, 0})});  // a parabola: 1/16 of the way
  EXPECT_LT(glm::distance(start.at(0.5).position, {0.25, 0.125, 0.0}), 1e-12);
  const CameraPath pause(
      {key(0.0, {0, 0, 0}), key(1.0, {1, 0, 0}), key(2.0, {1, 0, 0}), key(3.0, {5, 0, 0})});
  for (double t = 1.0; t <= 2.0; t += 0.1) EXPECT_EQ(pause.at(t).position.x, 1.0) << t;
}

TEST(CameraPath, ATurnKeepsHeightAndDistance) {
  CameraStand stand;
  stand.position = {3.0, 2.0, 1.0}, stand.target = {1.0, 0.5, 1.0};
  EXPECT_LT(glm::distance(turned(stand, std::acos(-1.0) / 2).position, {1.0, 2.0, -1.0}), 1e-12);
  EXPECT_LT(glm::distance(turned(stand, 2 * std::acos(-1.0)).position, stand.position), 1e-12);
}

class Script : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  Expected<FilmScript> read(const std::string& text) const {
    std::ofstream(folder_ / "film.json") << text;
    return read_film_script((folder_ / "film.json").string());
  }
  std::string failure(const std::string& text) const {
    const auto script = read(text);
    return script ? "" : script.error().text();
  }
  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("limber_film_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Script, SaysAll) {
  const auto script =
      read(R"({ "format": 1, "scene": "stack", "video": "x.webm", "title": "A stack", "start": 2,
    "seconds": 4, "speed": 0.5, "rate": 25, "width": 640, "height": 360, "samples": 8, "lens": 0.1, "turns": 0.5,
    "heat_map": "force", "debug_view": "contacts", "stage": "night", "follow": "cubes",
    "set": { "solver.substeps": 7, "solver.gravity": [0, -1, 0] },
    "captions": [ { "text": "one", "from": 1, "to": 2 }, { "text": "two" } ],
    "camera": [ { "time": 0, "position": [1, 2, 3], "target": [0, 1, 0], "fov_degrees": 30, "ease": true },
                { "time": 3, "position": [4, 2, 3] } ] })");
  ASSERT_TRUE(script) << script.error().text();
  EXPECT_EQ(script->pictures(), 100);
  EXPECT_EQ(script->stage, Stage::night);
  EXPECT_EQ(heat_map_words[std::size_t(script->heat_map)], "force");
  EXPECT_EQ(debug_view_words[std::size_t(script->debug_view)], "contacts");
  ASSERT_EQ(script->set.size(), 2u);
  EXPECT_EQ(script->set[0], "solver.substeps=7");
  ASSERT_EQ(script->captions.size(), 2u);
  EXPECT_EQ(script->captions[0].to, 2.0);
  ASSERT_EQ(script->keys.size(), 2u);
  EXPECT_EQ(script->keys[1].target, glm::dvec3(0, 1, 0));  // as before
  EXPECT_EQ(script->keys[1].fov_degrees, 30.0);
  EXPECT_TRUE(script->keys[0].ease);
  EXPECT_FALSE(script->keys[1].ease);
  std::ofstream(folder_ / "own.json") << "{}";
  EXPECT_EQ(read(R"({ "scene": "own.json" })")->scene, (folder_ / "own.json").string());
}

TEST_F(Script, AMistakeIsOneMessageWithItsLine) {
  const std::string start = "{ \"scene\": \"stack\",\n\n";
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"\"secnds\": 3 }", {":3: ", "did you mean 'seconds'"}},
      {"\"seconds\": -3 }", {":3: ", "out of range"}},
      {"\"seconds\": \"long\" }", {":3: ", "'seconds'"}},
      {"\"stage\": \"nigt\" }", {":3: ", "did you mean 'night'"}},
      {"\"stage\": 3 }", {":3: ", "'stage' must be a name"}},
      {"\"heat_map\": \"strian\" }", {":3: ", "did you mean 'strain'"}},
      {"\"format\": 2 }", {":3: ", "'format' must be 1"}},
      {"\"camera\": {} }", {":3: ", "'camera' must be a list"}},
      {"\"camera\": [ { \"tme\": 1 } ] }", {":3: ", "did you mean 'time'"}},
      {"\"camera\": [ { \"position\": [1, 1, 1] },\n { \"time\": 0 } ] }", {":4: ", "must ascend"}},
      {"\"camera\": [ { \"position\": [1, 1, 1], \"target\": [1, 1, 1] } ] }", {":3: ", "its own target"}},
      {"\"captions\": [ { \"txt\": \"a\" } ] }", {":3: ", "did you mean 'text'"}},
      {"\"captions\": [ { \"from\": 3, \"to\": 1 } ] }", {":3: ", "is never shown"}},
      {"\"set\": [] }", {":3: ", "must be an object"}},
      {"\"seconds\": 3, }", {":3: "}},
  };
  for (const auto& [text, needles] : cases)
    for (const std::string& needle : needles)
      EXPECT_NE(failure(start + text).find(needle), std::string::npos) << failure(start + text);
  EXPECT_NE(failure("{ \"seconds\": 3 }").find("names no scene"), std::string::npos);
  EXPECT_NE(read_film_script((folder_ / "none.json").string()).error().text().find("no such file"),
            std::string::npos);
}

/// Every shipped script is valid, its scene too, and its camera and captions end with the film.
TEST(FilmsToBeginWith, AreValidToTheirEnds) {
  int films = 0;
  for (const auto& entry : fs::directory_iterator(test::source("assets/films"))) {
    const auto script = read_film_script(entry.path().string());
    ASSERT_TRUE(script) << script.error().text();
    const auto scene = read_scene(test::source("scenes/") + script->scene + ".json", test::source("assets"));
    EXPECT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(fs::path(script->video).stem(), entry.path().stem());
    ASSERT_FALSE(script->keys.empty()) << entry.path();
    EXPECT_EQ(script->keys.back().time, script->seconds) << entry.path();
    for (const FilmCaption& caption : script->captions)
      EXPECT_LT(caption.to, script->seconds) << entry.path();
    ++films;
  }
  EXPECT_GE(films, 3);
}

/// What the window copies is what a script takes.
TEST_F(Script, KeysThroughBookmarksAreKeysOfAScript) {
  EXPECT_EQ(film_keys({}), "");
  const std::vector<CameraStand> views{{{1.0, 2.0, 3.0}, {0.0, 0.5, 0.0}, 40.0},
                                       {{-1.0, 2.0, 3.0}, {0.0, 1.0, 0.0}, 35.0}};
  const Expected<FilmScript> script = read("{ \"scene\": \"cloth_hang\", " + film_keys(views) + " }");
  ASSERT_TRUE(script) << script.error().text();
  ASSERT_EQ(script->keys.size(), 2u);
  EXPECT_EQ(script->keys[1].position, views[1].position);
  EXPECT_EQ(script->keys[1].fov_degrees, 35.0);
  EXPECT_EQ(script->keys[1].time, 2.0);
  EXPECT_TRUE(script->keys[0].ease);
}

TEST(FilmPace, DividesTimeWithSubstepsThatAreNotLonger) {
  FilmScript script;
  const double dt = 1.0 / 60.0;
  for (const double rate : {24.0, 25.0, 30.0, 60.0, 120.0})
    for (const double speed : {0.01, 0.1, 0.25, 0.5, 1.0, 3.0}) {
      script.rate = rate, script.speed = speed;
      const FilmPace pace = film_pace(script, dt, 10);
      EXPECT_NEAR(pace.frames * pace.dt, speed / rate, 1e-12) << rate << " " << speed;
      EXPECT_LE(pace.dt, dt * (1 + 1e-5));
      EXPECT_LE(pace.dt / pace.substeps, dt / 10 * (1 + 1e-5));
      EXPECT_GT(pace.dt / std::max(pace.substeps - 1, 1),
                (pace.substeps > 1 ? 1.0 : 0.0) * dt / 10 * (1 - 1e-5));
    }
  script.rate = 30.0, script.speed = 1.0;
  EXPECT_EQ(film_pace(script, dt, 10).frames, 2);
  EXPECT_EQ(film_pace(script, dt, 10).dt, dt);  // the same simulation, bit for bit
  script.speed = 0.25;
  EXPECT_EQ(film_pace(script, dt, 10).substeps, 5);
  // Half a shutter wants eight moments in half of the time between two pictures, of 20 substeps.
  script.speed = 1.0, script.shutter = 0.5;
  EXPECT_EQ(film_pace(script, dt, 10).frames, 16);
  script.shutter = 0.1;
  EXPECT_EQ(film_pace(script, dt, 10).frames, 20) << "no more than there are substeps";
}

}  // namespace
}  // namespace limber::film_test
