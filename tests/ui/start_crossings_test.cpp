// Meshes that cross or touch themselves at the start are reported once, with name and number of pairs.
#include "app/watch/start_crossings.hpp"
#include "engine/core/measures.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/watch/warnings.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_library.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber::start_crossings_test { namespace {

namespace fs = std::filesystem;

/// Corner k of a box as OBJ, and its twelve triangles; `flip` cuts its right and left side along the other
/// diagonal.
std::string box(glm::dvec3 low, glm::dvec3 high, int first, bool flip) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const glm::dvec3 p(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  }
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int q = 0; q < 6; ++q) {
    const int turn = flip && q >= 4 ? 1 : 0;
    const auto corner = [&](int k) { return std::to_string(first + quads[q][(k + turn) % 4]); };
    text += "f " + corner(0) + " " + corner(1) + " " + corner(2) + "\nf " + corner(0) + " " + corner(2) +
            " " + corner(3) + "\n";
  }
  return text;
}

class StartCrossings : public testing::Test {
 protected:
  StartCrossings() : folder_(fs::temp_directory_path() / ("limber_crossings_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~StartCrossings() override { fs::remove_all(folder_); }

  /// Notes on a cloth of that mesh when it starts.
  std::string told(const std::string& obj) {
    std::ofstream(folder_ / "part.obj") << obj;
    SceneDesc scene;
    ObjectDesc& object = scene.objects.emplace_back();
    object.name = "bracket";
    object.mesh = (folder_ / "part.obj").string();
    object.pose.position = {0.0, 3.0, 0.0};
    scene.solver.contact->cloth_collision = true;
    const auto simulation = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
    EXPECT_TRUE(simulation) << simulation.error().text();
    if (!simulation) return {};
    const Measures measures = (*simulation)->measure();
    std::string all;
    for (const Warning& warning : find_warnings(Moment::start, {**simulation, measures}))
      if (warning.text.find("at the start") != std::string::npos) all += warning.text;
    EXPECT_EQ(all, crossing_note(**simulation));
    return all;
  }

  fs::path folder_;
};

TEST_F(StartCrossings, AMeshThatMeetsItselfNowhereIsNotTold) {
  EXPECT_EQ(told(box({0, 0, 0}, {1, 1, 1}, 1, false)), "");
  EXPECT_EQ(told(box({0, 0, 0}, {1, 1, 1}, 1, false) + box({1.5, 0, 0}, {2.5, 1, 1}, 9, true)), "");
}

/// Two parts of a CAD model, the smaller one with a side on a side of the larger one.
TEST_F(StartCrossings, CoincidentFacesAreToldByNameAndNumber) {
  const std::string text =
      told(box({0, 0, 0}, {1, 1, 1}, 1, false) + box({1, 0.3, 0.2}, {2, 0.8, 0.7}, 9, true));
  EXPECT_EQ(text.find("bracket: 4 pairs of its triangles lie on each other"), 0u) << text;
  EXPECT_EQ(text.find("bracket: ", 1), std::string::npos) << text;  // once
}

TEST_F(StartCrossings, PartsThroughEachOtherAreTold) {
  const std::string text =
      told(box({0, 0, 0}, {1, 1, 1}, 1, false) + box({0.4, 0.3, 0.2}, {1.7, 0.8, 0.9}, 9, false));
  EXPECT_EQ(text.find("bracket: "), 0u) << text;
  EXPECT_NE(text.find("pairs of its triangles cross at the start"), std::string::npos) << text;
  EXPECT_EQ(text.find("lie on"), std::string::npos) << text;
}

}}  // namespace limber::start_crossings_test
