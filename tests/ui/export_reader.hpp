// Exports a scene, and reads what was written: the formats that more than one test looks into.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "app/record/scene_export.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber::test {

/// A folder for the files of a test, which steps a scene and exports it.
class Export : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Steps `frames` times, exports each frame, and keeps where the vertices were.
  void record(const SceneDesc& scene, const std::string& name, int frames) {
    auto simulation = make_simulation(scene, {built_precisions().back(), Simd::scalar, 1});
    ASSERT_TRUE(simulation) << simulation.error().text();
    auto out = SceneExport::create({path(name), frames, scene.solver.step->dt});
    ASSERT_TRUE(out) << out.error().text();
    positions_.clear(), velocities_.clear(), bodies_.clear();
    for (int k = 0; k < frames; ++k) {
      (*simulation)->step();
      const Expected<void> added = out->add(**simulation);
      ASSERT_TRUE(added) << added.error().text();
      const std::size_t count = std::size_t((*simulation)->model()->vertex_count);
      (*simulation)->read(reading::Positions{std::span<glm::dvec3>(positions_.emplace_back(count))});
      (*simulation)->read(reading::Velocities{velocities_.emplace_back(count)});
      (*simulation)->read(reading::Bodies{bodies_.emplace_back((*simulation)->body_count())});
    }
    const Expected<void> done = out->finish();
    ASSERT_TRUE(done) << done.error().text();
  }

  /// The error of a run, or "".
  std::string failure(const SceneDesc& scene, const std::string& name, int frames, int planned) {
    auto simulation = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
    auto out = SceneExport::create({path(name), planned});
    if (!out) return out.error().text();
    for (int k = 0; k < frames; ++k) {
      (*simulation)->step();
      if (const auto added = out->add(**simulation); !added) return added.error().text();
    }
    const auto done = out->finish();
    return done ? "" : done.error().text();
  }

  std::vector<std::vector<glm::dvec3>> positions_, velocities_;  ///< per frame, by external id
  std::vector<std::vector<BodyPose>> bodies_;
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("limber_export_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

/// A sheet of 4 x 3 vertices that falls, two crates that spin, four grains.
inline SceneDesc mixed() {
  SceneDesc scene;
  scene.name = "mixed";
  ObjectDesc cloth, sand;
  cloth.name = "cloth";
  cloth.cloth->columns = 4;
  cloth.cloth->rows = 3;
  cloth.pins = {"top_left"};
  cloth.pose.position = {0.0, 4.0, 0.0};
  sand.name = "sand";
  sand.type = ObjectType::grains;
  sand.copies = {2.0, 1.0, 2.0};
  sand.pose.position = {-5.0, 5.0, 0.0};
  scene.objects = {cloth, sand};
  BodyDesc crate;
  crate.name = "crate";
  crate.pose.position = {5.0, 20.0, 0.0};
  crate.angular_velocity = {0.0, 0.0, 300.0};
  crate.copies = {2.0, 1.0, 1.0};
  scene.bodies = {crate};
  return scene;
}

inline SceneDesc only_cloth() {
  SceneDesc scene = mixed();
  scene.objects.resize(1);
  scene.bodies.clear();
  return scene;
}

template <class T>
inline T value_at(const std::string& bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + offset,
              std::min(sizeof value, bytes.size() - std::min(offset, bytes.size())));
  return value;
}

inline glm::dvec3 floats_at(const std::string& bytes, std::size_t offset) {
  return {value_at<float>(bytes, offset), value_at<float>(bytes, offset + 4),
          value_at<float>(bytes, offset + 8)};
}

/// All numbers of a text, ignoring the characters between them.
inline std::vector<double> numbers_in(std::string text) {
  for (char& c : text)
    if (std::strchr("()[],:{}", c) && c != '\0') c = ' ';
  std::istringstream in(text);
  return {std::istream_iterator<double>(in), {}};
}

/// The text of time sample `frame` of an attribute of a prim.
inline std::string usd_sample(const std::string& text, const std::string& prim, const std::string& attribute,
                              int frame) {
  const std::size_t begin = text.find("\"" + prim + "\"");
  const std::size_t samples = text.find(" " + attribute + ".timeSamples = {", begin);
  const std::size_t line = text.find("\n            " + std::to_string(frame) + ": ", samples);
  if (begin == std::string::npos || samples == std::string::npos || line == std::string::npos) return {};
  const std::size_t start = text.find(": ", line) + 2;
  return text.substr(start, text.find('\n', start) - start);
}

/// Bit by bit, as the standard defines it.
inline std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t sum = 0xffffffffu;
  for (const unsigned char c : bytes) {
    sum ^= c;
    for (int k = 0; k < 8; ++k) sum = (sum >> 1) ^ (sum & 1 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

struct Array {
  std::string header, data;
};

/// Reads an archive by its directory, as readers of ZIP files do.
inline std::map<std::string, Array> read_npz(const std::string& bytes) {
  std::map<std::string, Array> arrays;
  const std::size_t tail = bytes.size() - 22;
  EXPECT_EQ(value_at<std::uint32_t>(bytes, tail), 0x06054b50u);
  const std::uint64_t directory = value_at<std::uint64_t>(bytes, tail - 20 + 8);
  EXPECT_EQ(value_at<std::uint32_t>(bytes, directory), 0x06064b50u);
  std::size_t at = value_at<std::uint64_t>(bytes, directory + 48);
  for (std::uint64_t n = value_at<std::uint64_t>(bytes, directory + 32); n > 0; --n) {
    EXPECT_EQ(value_at<std::uint32_t>(bytes, at), 0x02014b50u);
    const std::uint16_t name = value_at<std::uint16_t>(bytes, at + 28),
                        extra = value_at<std::uint16_t>(bytes, at + 30);
    const std::uint64_t size = value_at<std::uint64_t>(bytes, at + 46 + name + 4);
    const std::uint64_t local = value_at<std::uint64_t>(bytes, at + 46 + name + 20);
    const std::string file = bytes.substr(
        local + 30 + value_at<std::uint16_t>(bytes, local + 26) + value_at<std::uint16_t>(bytes, local + 28),
        size);
    EXPECT_EQ(checksum(file), value_at<std::uint32_t>(bytes, at + 16));
    const std::size_t length = value_at<std::uint16_t>(file, 8);
    EXPECT_EQ((10 + length) % 64, 0u);
    arrays[bytes.substr(at + 46, name)] = {file.substr(10, length), file.substr(10 + length)};
    at += 46u + name + extra;
  }
  return arrays;
}

}  // namespace limber::test
