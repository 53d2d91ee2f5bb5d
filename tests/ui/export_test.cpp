// Exports for other programs: a small reader per format reads each file back and compares it with the
// engine's state.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/record/frame_gatherer.hpp"
#include "app/record/npz_writer.hpp"
#include "app/record/scene_export.hpp"
#include "app/record/spool.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "tests/ui/export_reader.hpp"

namespace limber::export_test { namespace {

using namespace test;

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
  beam.tets->resolution = 2;
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

/// Each copy of an object is a part of its own, as each copy of a body is.
TEST_F(Export, CopiesOfAnObjectAreNumbered) {
  SceneDesc scene = mixed();
  for (ObjectDesc& object : scene.objects)
    if (object.name == "cloth") object.copies = {2.0, 1.0, 1.0}, object.spacing = {3.0, 3.0, 3.0};
  record(scene, "out.npz", 2);
  const auto arrays = read_npz(bytes("out.npz"));
  for (const char* name : {"cloth_0/positions.npy", "cloth_1/positions.npy"}) {
    ASSERT_TRUE(arrays.contains(name)) << name;
    EXPECT_EQ(arrays.at(name).data.size(), 2u * 12 * 24);
  }
  EXPECT_NE(arrays.at("cloth_0/positions.npy").data, arrays.at("cloth_1/positions.npy").data);
  EXPECT_FALSE(arrays.contains("cloth/positions.npy"));
  record(scene, "out.usda", 2);
  const std::string text = bytes("out.usda");
  EXPECT_NE(text.find("def Mesh \"cloth_0\""), std::string::npos);
  EXPECT_NE(text.find("def Mesh \"cloth_1\""), std::string::npos);
}

/// Particles of a tap keep their rows; before they are there, they have no position.
TEST_F(Export, ParticlesOfATapKeepTheirRows) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.03;
  ObjectDesc tap;
  tap.name = "tap";
  tap.type = ObjectType::fluid;
  tap.fluid->emit_count = 60;
  tap.fluid->emit_radius = 0.05;
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

}}  // namespace limber::export_test
