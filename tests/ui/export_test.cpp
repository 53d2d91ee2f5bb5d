// Export for other programs: each format is read back by a small reader of its own and compared with the
// engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <glm/geometric.hpp>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/record/fluid_surface.hpp"
#include "app/record/frame_gatherer.hpp"
#include "app/record/npz_writer.hpp"
#include "app/record/scene_export.hpp"
#include "app/record/spool.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber::export_test {
namespace {
namespace fs = std::filesystem;

class Export : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
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
      (*simulation)->read_positions(std::span<glm::dvec3>(positions_.emplace_back(count)));
      (*simulation)->read_velocities(velocities_.emplace_back(count));
      (*simulation)->read_bodies(bodies_.emplace_back((*simulation)->body_count()));
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
  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("limber_export_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

/// A sheet of 4 x 3 vertices that falls, two crates that spin, four grains.
SceneDesc mixed() {
  SceneDesc scene;
  scene.name = "mixed";
  ObjectDesc cloth, sand;
  cloth.name = "cloth";
  cloth.cloth.columns = 4;
  cloth.cloth.rows = 3;
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

SceneDesc only_cloth() {
  SceneDesc scene = mixed();
  scene.objects.resize(1);
  scene.bodies.clear();
  return scene;
}

template <class T>
T value_at(const std::string& bytes, std::size_t offset) {
  T value{};
  EXPECT_LE(offset + sizeof value, bytes.size());
  std::memcpy(&value, bytes.data() + offset,
              std::min(sizeof value, bytes.size() - std::min(offset, bytes.size())));
  return value;
}

glm::dvec3 floats_at(const std::string& bytes, std::size_t offset) {
  return {value_at<float>(bytes, offset), value_at<float>(bytes, offset + 4),
          value_at<float>(bytes, offset + 8)};
}

/// All numbers of a text, ignoring the characters between them.
std::vector<double> numbers_in(std::string text) {
  for (char& c : text)
    if (std::strchr("()[],:{}", c) && c != '\0') c = ' ';
  std::istringstream in(text);
  return {std::istream_iterator<double>(in), {}};
}

/// The text of time sample `frame` of an attribute of a prim.
std::string usd_sample(const std::string& text, const std::string& prim, const std::string& attribute,
                       int frame) {
  const std::size_t begin = text.find("\"" + prim + "\"");
  const std::size_t samples = text.find(" " + attribute + ".timeSamples = {", begin);
  const std::size_t line = text.find("\n            " + std::to_string(frame) + ": ", samples);
  if (begin == std::string::npos || samples == std::string::npos || line == std::string::npos) return {};
  const std::size_t start = text.find(": ", line) + 2;
  return text.substr(start, text.find('\n', start) - start);
}

TEST_F(Export, UsdHasTheSamplesOfAllParts) {
  record(mixed(), "out.usda", 3);
  const std::string text = bytes("out.usda");
  EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
  for (const char* said : {"metersPerUnit = 1\n", "upAxis = \"Y\"\n", "startTimeCode = 1\n",
                           "endTimeCode = 3\n", "timeCodesPerSecond = 60\n", "def Mesh \"cloth\"",
                           "def Mesh \"crate_1\"", "def Points \"sand\"", "def Mesh \"crate_0\""})
    EXPECT_NE(text.find(said), std::string::npos) << said;
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  for (int frame = 1; frame <= 3; ++frame) {
    const auto points = numbers_in(usd_sample(text, "cloth", "point3f[] points", frame));
    const auto velocities = numbers_in(usd_sample(text, "cloth", "vector3f[] velocities", frame));
    ASSERT_EQ(points.size(), 36u);
    ASSERT_EQ(velocities.size(), 36u);
    for (std::size_t k = 0; k < 36; ++k) {
      EXPECT_EQ(float(points[k]), float(positions_[std::size_t(frame - 1)][k / 3][int(k % 3)]));
      EXPECT_EQ(float(velocities[k]), float(velocities_[std::size_t(frame - 1)][k / 3][int(k % 3)]));
    }
    const auto place = numbers_in(usd_sample(text, "crate_1", "double3 xformOp:translate", frame));
    const auto turn = numbers_in(usd_sample(text, "crate_1", "quatf xformOp:orient", frame));
    ASSERT_EQ(place.size(), 3u);
    ASSERT_EQ(turn.size(), 4u);
    const BodyPose& pose = bodies_[std::size_t(frame - 1)][1];
    EXPECT_EQ(float(place[1]), pose.position.y);
    const glm::quat read{float(turn[0]), float(turn[1]), float(turn[2]), float(turn[3])};
    EXPECT_LT(glm::distance(read * glm::vec3(1.0f, 2.0f, 3.0f), pose.rotation * glm::vec3(1.0f, 2.0f, 3.0f)),
              1e-5f);
    EXPECT_EQ(numbers_in(usd_sample(text, "cloth", "float[] primvars:strain", frame)).size(), 12u);
  }
  EXPECT_EQ(files(), std::vector<std::string>{"out.usda"});
}

/// JSON and binary half of a .glb file.
struct Glb {
  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(value_at<std::uint32_t>(bytes, 4), 2u);
    EXPECT_EQ(value_at<std::uint32_t>(bytes, 8), bytes.size());
    const std::uint32_t length = value_at<std::uint32_t>(bytes, 12);
    json = nlohmann::json::parse(bytes.substr(20, length));
    binary = bytes.substr(28 + length);
    EXPECT_EQ(value_at<std::uint32_t>(bytes, 20 + length), binary.size());
  }
  std::size_t start(std::size_t accessor) const {
    return json["bufferViews"][json["accessors"][accessor]["bufferView"].get<std::size_t>()]["byteOffset"];
  }
  glm::dvec3 vector(std::size_t accessor, std::size_t number) const {
    return floats_at(binary, start(accessor) + 12 * number);
  }
  nlohmann::json json;
  std::string binary;
};

TEST_F(Export, GlbMovesBodiesAsNodesAndClothByMorphTargets) {
  record(mixed(), "out.glb", 4);
  const Glb glb(bytes("out.glb"));
  std::map<std::string, std::size_t> nodes;
  for (std::size_t n = 0; n < glb.json["nodes"].size(); ++n) nodes[glb.json["nodes"][n]["name"]] = n;
  ASSERT_EQ(nodes.size(), 4u);
  const auto& cloth =
      glb.json["meshes"][glb.json["nodes"][nodes["cloth"]]["mesh"].get<std::size_t>()]["primitives"][0];
  ASSERT_EQ(cloth["targets"].size(), 3u);
  const std::size_t base = cloth["attributes"]["POSITION"];
  for (std::size_t frame = 0; frame < 4; ++frame)
    for (std::size_t v = 0; v < 12; ++v) {
      glm::dvec3 x = glb.vector(base, v);
      if (frame > 0) x += glb.vector(cloth["targets"][frame - 1]["POSITION"], v);
      EXPECT_LT(glm::distance(x, positions_[frame][v]), 1e-6) << frame;
    }
  std::size_t weights = 0, translations = 0;
  for (const auto& channel : glb.json["animations"][0]["channels"]) {
    const std::size_t output =
        glb.json["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()]["output"];
    if (channel["target"]["path"] == "weights") {
      ++weights;
      for (std::size_t frame = 0; frame < 4; ++frame)
        for (std::size_t target = 0; target < 3; ++target)
          EXPECT_EQ(value_at<float>(glb.binary, glb.start(output) + 4 * (3 * frame + target)),
                    frame == target + 1 ? 1.0f : 0.0f);
    }
    if (channel["target"]["path"] != "translation") continue;
    ++translations;
    const std::size_t body = channel["target"]["node"] == nodes["crate_0"] ? 0 : 1;
    for (std::size_t frame = 0; frame < 4; ++frame)
      EXPECT_EQ(glm::vec3(glb.vector(output, frame)), bodies_[frame][body].position);
  }
  EXPECT_EQ(weights, 2u);  // cloth and sand
  EXPECT_EQ(translations, 2u);
}

TEST_F(Export, GlbRefusesWhatItCannotHold) {
  const std::string many = failure(only_cloth(), "out.glb", 1, 122);
  EXPECT_NE(many.find("at most 121 frames"), std::string::npos) << many;
  EXPECT_NE(many.find(".usda"), std::string::npos) << many;
  EXPECT_NE(failure(only_cloth(), "out.glb", 122, 0).find("at most 121 frames"), std::string::npos);
  EXPECT_EQ(failure(only_cloth(), "ok.glb", 121, 121), "");
  SceneDesc crates = mixed();
  crates.objects.clear();
  EXPECT_EQ(failure(crates, "crates.glb", 130, 130), "");
  SceneDesc water;
  water.solver.contact->particle_radius = 0.05;
  ObjectDesc pool;
  pool.name = "pool";
  pool.type = ObjectType::fluid;
  water.objects = {pool};
  EXPECT_NE(failure(water, "water.glb", 1, 1).find("'pool'"), std::string::npos);
  EXPECT_EQ(files(), (std::vector<std::string>{"crates.glb", "ok.glb"}));
}

/// The text between the quotes behind `key="` in the element that has `mark`.
std::string attribute_of(const std::string& text, const std::string& mark, const std::string& key) {
  const std::size_t element = text.rfind('<', text.find(mark));
  const std::size_t value = text.find(key + "=\"", element) + key.size() + 2;
  return text.substr(value, text.find('"', value) - value);
}

TEST_F(Export, VtkHasPointsCellsAndFieldsInEachFile) {
  record(mixed(), "out.vtu", 2);
  EXPECT_EQ(files(), (std::vector<std::string>{"out.pvd", "out_0001.vtu", "out_0002.vtu"}));
  const std::string list = bytes("out.pvd"), text = bytes("out_0002.vtu");
  EXPECT_EQ(numbers_in(attribute_of(list, "out_0002.vtu", "timestep")), std::vector<double>{2.0 / 60.0});
  const std::size_t block = text.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const auto start = [&](const std::string& name) {
    return block + std::stoul(attribute_of(text, "Name=\"" + name + "\"", "offset"));
  };
  EXPECT_EQ(attribute_of(text, "<Piece", "NumberOfPoints"), "32");  // 12 + 2 * 8 + 4
  EXPECT_EQ(attribute_of(text, "<Piece", "NumberOfCells"), "40");   // 12 + 2 * 12 + 4
  const std::size_t points = start("position [m]"), velocities = start("velocity [m/s]");
  EXPECT_EQ(value_at<std::uint64_t>(text, points), 32u * 24);
  for (std::size_t v = 0; v < 12; ++v)
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(value_at<double>(text, points + 8 + 24 * v + 8 * std::size_t(k)), positions_[1][v][k]);
      EXPECT_EQ(value_at<double>(text, velocities + 8 + 24 * v + 8 * std::size_t(k)), velocities_[1][v][k]);
    }
  const std::size_t types = start("types"), ends = start("offsets"), corners = start("connectivity");
  for (std::size_t cell = 0; cell < 40; ++cell)
    EXPECT_EQ(int(value_at<std::uint8_t>(text, types + 8 + cell)), cell < 36 ? 5 : 1) << cell;
  EXPECT_EQ(value_at<std::int64_t>(text, ends + 8 + 8 * 39), 36 * 3 + 4);
  EXPECT_EQ(value_at<std::int64_t>(text, corners + 8 + 8 * (36 * 3 + 3)), 31);
  EXPECT_FALSE(std::isnan(value_at<float>(text, start("strain") + 8 + 4 * 11)));
  EXPECT_TRUE(std::isnan(value_at<float>(text, start("strain") + 8 + 4 * 12)));  // the crates have none
  EXPECT_TRUE(text.ends_with("</VTKFile>\n"));
}

TEST_F(Export, SolidsOfTetrahedraAreCellsInVtk) {
  SceneDesc scene;
  ObjectDesc beam;
  beam.name = "beam";
  beam.type = ObjectType::tets;
  beam.tets.resolution = 2;
  scene.objects = {beam};
  record(scene, "out.vtu", 1);
  const std::string text = bytes("out_0001.vtu");
  const std::size_t cells = std::stoul(attribute_of(text, "<Piece", "NumberOfCells"));
  EXPECT_GE(cells, 5u);
  const std::size_t types = text.find("<AppendedData encoding=\"raw\">\n_") + 31 + 8 +
                            std::stoul(attribute_of(text, "Name=\"types\"", "offset"));
  for (std::size_t cell = 0; cell < cells; ++cell) EXPECT_EQ(int(text[types + cell]), 10);
  EXPECT_NE(text.find("Name=\"stress [Pa]\""), std::string::npos);
}

TEST_F(Export, PlyHasVerticesWithAttributesAndFaces) {
  record(mixed(), "out.ply", 2);
  EXPECT_EQ(files(), (std::vector<std::string>{"out_0001.ply", "out_0002.ply"}));
  const std::string text = bytes("out_0002.ply");
  const std::size_t body = text.find("end_header\n") + 11;
  const std::string header = text.substr(0, body);
  EXPECT_NE(header.find("format binary_little_endian 1.0\n"), std::string::npos);
  EXPECT_NE(header.find("element vertex 32\n"), std::string::npos);
  EXPECT_NE(header.find("element face 36\n"), std::string::npos);
  std::size_t row = 0;
  for (std::size_t at = 0; (at = header.find("property ", at)) != std::string::npos; ++at)
    if (!header.substr(at).starts_with("property list")) row += 4;
  for (std::size_t v = 0; v < 12; ++v) {
    EXPECT_EQ(glm::vec3(floats_at(text, body + v * row)), glm::vec3(positions_[1][v]));
    EXPECT_EQ(glm::vec3(floats_at(text, body + v * row + 12)), glm::vec3(velocities_[1][v]));
  }
  EXPECT_EQ(text.size(), body + 32 * row + 36 * 13);
  EXPECT_EQ(text[body + 32 * row], 3);
}

/// Bit by bit, as the standard defines it.
std::uint32_t checksum(const std::string& bytes) {
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
std::map<std::string, Array> read_npz(const std::string& bytes) {
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

TEST_F(Export, NpzHasAnArrayPerQuantity) {
  record(mixed(), "out.npz", 3);
  const auto arrays = read_npz(bytes("out.npz"));
  ASSERT_TRUE(arrays.contains("cloth/positions.npy"));
  const Array& positions = arrays.at("cloth/positions.npy");
  EXPECT_TRUE(
      positions.header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 12, 3, ), }"));
  ASSERT_EQ(positions.data.size(), 3u * 12 * 24);
  for (std::size_t frame = 0; frame < 3; ++frame)
    for (std::size_t v = 0; v < 12; ++v)
      EXPECT_EQ(value_at<glm::dvec3>(positions.data, 24 * (12 * frame + v)), positions_[frame][v]);
  EXPECT_EQ(value_at<double>(arrays.at("time.npy").data, 16), 3.0 / 60.0);
  EXPECT_EQ(arrays.at("cloth/faces.npy").data.size(), 12u * 12);
  EXPECT_EQ(value_at<glm::vec3>(arrays.at("crate_1/position.npy").data, 12), bodies_[1][1].position);
  EXPECT_EQ(arrays.at("cloth/strain.npy").data.size(), 3u * 12 * 4);
  EXPECT_TRUE(arrays.contains("sand/radius.npy"));
}

/// Particles of a tap keep their rows; before they are there, they have no position.
TEST_F(Export, ParticlesOfATapKeepTheirRows) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.03;
  ObjectDesc tap;
  tap.name = "tap";
  tap.type = ObjectType::fluid;
  tap.fluid.emit_count = 60;
  tap.fluid.emit_radius = 0.05;
  tap.velocity = {0.0, -3.0, 0.0};
  scene.objects = {tap};
  record(scene, "out.npz", 6);
  const auto arrays = read_npz(bytes("out.npz"));
  const std::string& data = arrays.at("tap/positions.npy").data;
  const std::size_t rows = data.size() / 6 / 24;
  std::size_t before = 0;
  for (std::size_t frame = 0; frame < 6; ++frame) {
    std::size_t there = 0;
    for (std::size_t v = 0; v < rows; ++v) {
      const auto x = value_at<glm::dvec3>(data, 24 * (rows * frame + v));
      if (std::isnan(x.x)) continue;
      ++there;
      EXPECT_EQ(x, positions_[frame][v]);
    }
    EXPECT_GE(there, before);
    before = there;
  }
  EXPECT_EQ(before, rows);
  EXPECT_GT(before, 5u);
  record(scene, "out.usda", 6);
  const std::string text = bytes("out.usda");
  EXPECT_EQ(numbers_in(usd_sample(text, "tap", "point3f[] points", 6)).size(), 3 * before);
}

/// A ball that is thrown between the first and the second frame.
TEST_F(Export, ABodyThatIsThrownAppears) {
  for (const char* name : {"out.usda", "out.npz", "out.vtu", "out.glb"}) {
    auto simulation = make_simulation(only_cloth(), {Precision::f32, Simd::scalar, 1});
    auto out = SceneExport::create({path(name)});
    ASSERT_TRUE(out);
    Expected<void> added;
    for (int k = 0; k < 3 && added; ++k) {
      if (k == 1) {
        ASSERT_TRUE((*simulation)->submit(ThrowBall{{9, 9, 9}, {1, 0, 0}, 0.2}));
      }
      (*simulation)->step();
      added = out->add(**simulation);
    }
    ASSERT_EQ(bool(added), std::string(name) != "out.glb") << name;
    if (added) {
      ASSERT_TRUE(out->finish());
    }
  }
  const std::string text = bytes("out.usda");
  const std::size_t ball = text.rfind("def Mesh \"");
  const std::string prim = text.substr(ball + 10, text.find('"', ball + 10) - ball - 10);
  EXPECT_NE(prim, "cloth");
  EXPECT_EQ(usd_sample(text, prim, "token visibility", 1), "\"invisible\",");
  EXPECT_EQ(usd_sample(text, prim, "token visibility", 2), "\"inherited\",");
  EXPECT_EQ(usd_sample(text, prim, "double3 xformOp:translate", 1), "");
  EXPECT_GT(numbers_in(usd_sample(text, prim, "double3 xformOp:translate", 3)).at(0), 9.0);
  EXPECT_NE(text.find("int[] faceVertexCounts = [3, 3"),
            std::string::npos);  // the cloth's, as it stays the same
  for (const auto& [name, array] : read_npz(bytes("out.npz")))
    if (name.ends_with("/position.npy")) {
      EXPECT_TRUE(std::isnan(value_at<float>(array.data, 0)));
      EXPECT_GT(value_at<float>(array.data, 24), 9.0f);
    }
}

/// A mesh is closed: every edge has as many triangles on its left as on its right.
bool is_closed(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::ranges::all_of(edges, [](const auto& edge) { return edge.second == 0; });
}

/// A block, a sheet of one layer, drops that do not touch, and particles as a random number generator has
/// them.
TEST(FluidSurface, IsClosedAndHoldsTheVolumeOfItsParticles) {
  const double r = 0.02;
  std::uint64_t state = 1;
  const auto random = [&] {
    return double((state = state * 6364136223846793005u + 1442695040888963407u) >> 11) / 9007199254740992.0;
  };
  std::vector<std::vector<glm::dvec3>> clouds(4);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 12; ++k) {
        const glm::dvec3 x(i, j + 0.2 * random(), k + 0.2 * random());
        clouds[0].push_back(2.0 * r * x);
        if (j == 0) clouds[1].push_back(2.0 * r * x);
        if (i % 4 == 0 && j % 4 == 0 && k % 4 == 0) clouds[2].push_back(2.0 * r * x + 100.0);
        clouds[3].push_back(0.7 * glm::dvec3(random(), random(), random()));
      }
  for (const auto& cloud : clouds) {
    const TriMesh mesh = fluid_surface(cloud, r);
    EXPECT_GT(mesh.triangles.size(), 8u);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(enclosed_volume(mesh) / (8.0 * r * r * r * double(cloud.size())), 1.0, 0.01);
  }
  EXPECT_TRUE(fluid_surface({}, r).triangles.empty());
}

/// Nothing of a flat pool's surface is far from where the outermost particles end.
TEST(FluidSurface, OfABlockIsFlat) {
  std::vector<glm::dvec3> block;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 20; ++k) block.push_back(2.0 * glm::dvec3(i, j, k));
  double low = 1e9, high = -1e9;
  for (const glm::dvec3& x : fluid_surface(block, 1.0).positions)
    if (std::abs(x.x - 19.0) < 12.0 && std::abs(x.z - 19.0) < 12.0 && x.y > 19.0)
      low = std::min(low, x.y), high = std::max(high, x.y);
  EXPECT_GT(low, 38.8);
  EXPECT_LT(high, 39.4);
}

TEST_F(Export, FluidsAreClosedMeshesOnRequest) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.05;
  ObjectDesc pool;
  pool.name = "pool";
  pool.type = ObjectType::fluid;
  scene.objects = {pool};
  auto simulation = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  for (const char* name : {"out.usda", "out.npz", "out/"}) {
    auto out = SceneExport::create({.path = path(name), .surfaces = true});
    ASSERT_TRUE(out);
    for (int k = 0; k < 2; ++k) {
      (*simulation)->step();
      ASSERT_TRUE(out->add(**simulation));
    }
    ASSERT_TRUE(out->finish());
  }
  const std::string text = bytes("out.usda");
  EXPECT_FALSE(usd_sample(text, "pool_surface", "int[] faceVertexIndices", 2).empty());
  EXPECT_NE(text.find("def Points \"pool\""), std::string::npos);
  const auto arrays = read_npz(bytes("out.npz"));
  const std::string& faces = arrays.at("pool_surface/faces.npy").data;
  const std::string& points = arrays.at("pool_surface/positions.npy").data;
  TriMesh mesh;
  for (std::size_t k = 0; k < faces.size() / 12; ++k)
    mesh.triangles.push_back(value_at<Triangle>(faces, 12 * k));
  for (std::size_t k = 0; k < points.size() / 48; ++k)
    mesh.positions.push_back(value_at<glm::dvec3>(points, 24 * k));
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(
      enclosed_volume(mesh) / (8.0 * 0.05 * 0.05 * 0.05 * double((*simulation)->model()->vertex_count)), 1.0,
      0.01);
  EXPECT_NE(bytes("out/frame_0002.obj").find("g pool_surface\nf "), std::string::npos);
}

TEST_F(Export, AnUnknownEndingNamesTheOthers) {
  const auto message = [&](const std::string& name) {
    const auto made = SceneExport::create({path(name)});
    return made ? std::string() : made.error().text();
  };
  for (const char* ending : {".usda", ".glb", ".vtu", ".pvd", ".ply", ".npz", "folder"})
    EXPECT_NE(message("out.abc").find(ending), std::string::npos) << message("out.abc");
  EXPECT_NE(message("out.usd").find("did you mean .usda"), std::string::npos);
  EXPECT_NE(message("out.gltf").find(".glb"), std::string::npos);
  EXPECT_NE(message("out.obj").find("out/"), std::string::npos);
  EXPECT_EQ(message("OUT.NPZ"), "");
  for (const ExportFormat& format : export_formats)
    EXPECT_NE(message("none/out" + std::string(format.ending)).find("there is no folder"), std::string::npos);
  EXPECT_TRUE(files().empty());
}

TEST_F(Export, FilesOfAnEarlierSeriesAreNotMixedWithNewOnes) {
  EXPECT_EQ(failure(only_cloth(), "out.ply", 2, 2), "");
  EXPECT_NE(failure(only_cloth(), "out.ply", 1, 1).find("earlier series"), std::string::npos);
  EXPECT_EQ(failure(only_cloth(), "out.vtu", 2, 2), "");
  EXPECT_NE(failure(only_cloth(), "out.pvd", 1, 1).find("earlier series"), std::string::npos);
  EXPECT_EQ(failure(only_cloth(), "ou.ply", 1, 1), "");
}

TEST_F(Export, WithoutAnEndNothingLooksComplete) {
  for (const char* name : {"out.usda", "out.glb", "out.npz", "out.vtu"}) {
    auto simulation = make_simulation(only_cloth(), {Precision::f32, Simd::scalar, 1});
    auto out = SceneExport::create({path(name)});
    ASSERT_TRUE(out);
    ASSERT_TRUE(out->add(**simulation));
  }
  EXPECT_EQ(files(), std::vector<std::string>{"out_0001.vtu"});
  ASSERT_TRUE(SceneExport::create({path("none.npz")})->finish());  // no frame, no file
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(Export, ASpoolGivesBackWhatItTookInAnyOrder) {
  auto spool = Spool::create(path("x"), "--export");
  ASSERT_TRUE(spool);
  std::vector<Spool::Piece> pieces;
  for (int k = 0; k < 5; ++k) pieces.push_back(spool->add(std::string(3'000'000, char('a' + k))));
  for (int k = 4; k >= 0; --k) {
    std::string read;
    ASSERT_TRUE(spool->read(pieces[std::size_t(k)], [&](std::string_view bytes) { read += bytes; }));
    EXPECT_EQ(read, std::string(3'000'000, char('a' + k)));
  }
  EXPECT_TRUE(spool->check());
  EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace limber::export_test
