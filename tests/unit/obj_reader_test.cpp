#include "engine/geometry/files/obj_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <random>

#include "engine/geometry/files/obj_scan.hpp"
#include "engine/geometry/files/obj_writer.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "tests/source_folder.hpp"

namespace limber::obj_reader_test {
namespace {

const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";  // lines 1 to 4

ObjMesh accept(std::string_view text) {
  auto obj = parse_obj(text, "test.obj");
  EXPECT_TRUE(obj) << obj.error().text();
  return obj ? *obj : ObjMesh{};
}

TriMesh mesh_of(std::string_view text) { return accept(text).mesh; }

void expect_same(const TriMesh& a, const TriMesh& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.uvs, b.uvs);
  EXPECT_EQ(a.triangles, b.triangles);
}

struct BadObj {
  const char* what;
  std::string text;
  int line;  ///< 0: the message is about the whole file
  const char* says;
};

/// Nobody reads a vertex colour, so one that is not a number refuses no file; a position that is none does.
TEST(ObjReader, TakesAFileWhoseColoursAreNotNumbers) {
  for (const char* nothing : {"nan nan nan", "-nan(ind) 0 1", "0.5 inf 0.5", "NaN -NaN 0", "-1.#IND 0 0"}) {
    std::string text;
    for (const char* corner : {"0 0 0 ", "1 0 0 ", "0 1 0 "})
      text += "v " + std::string(corner) + nothing + "\n";
    const auto obj = parse_obj(text + "f 1 2 3\n", "colours.obj");
    ASSERT_TRUE(obj) << nothing << ": " << obj.error().text();
    EXPECT_EQ(obj->mesh.triangles.size(), 1u);
  }
  EXPECT_FALSE(parse_obj("v 0 0 nan 1 1 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "colours.obj"));
  EXPECT_FALSE(parse_obj("v 0 0 0 red\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "colours.obj"));
}

TEST(ObjReader, RefusesBadFilesWithTheLine) {
  const std::string c = corners;
  const BadObj table[] = {
      {"garbled number", "v 0 0 0\nv 1 0x 0\n", 2, "'0x' is not a number"},
      {"a comma", "v 0,5 0 0\n", 1, "'0,5' is not a number"},
      {"not a number", "v 0 0 0\n\n# c\nv 0 nan 0\n", 4, "'nan' is not a number"},
      {"infinite", "v 0 0 inf\n", 1, "'inf' is not a number"},
      {"too large for a double", "v 0 0 1e999\n", 1, "'1e999' is not a number"},
      {"garbage after the position", "v 0 0 0 1 green\n", 1, "'green' is not a number"},
      {"two coordinates", c + "v 1 2\n", 5, "expected 3 numbers, found 2"},
      {"absurd coordinate", c + "v 1 2 1.1e6\n", 5, "out of bounds"},
      {"garbled texture coordinate", c + "vt 0.5 up\n", 5, "'up' is not a number"},
      {"no texture coordinate", c + "vt\n", 5, "expected 1 numbers, found 0"},
      {"index out of range", c + "f 1 2 3\nf 1 2 5\n", 6, "vertex 5, the file has 4"},
      {"first index out of range", c + "f 1 2 3\nf 1 2 6\nf 1 2 5\n", 6, "vertex 6, the file has 4"},
      {"relative index out of range", c + "f -1 -2 -5\nv 0 0 0\n", 5, "vertex -5, the file has 4 so far"},
      {"index zero", c + "f 0 1 2\n", 5, "index 0"},
      {"garbled index", c + "f 1 2 3x\n", 5, "'3x' is not an index"},
      {"fraction as index", c + "f 1 2 3.5\n", 5, "'3.5' is not an index"},
      {"enormous index", c + "f 1 2 99999999999999999999\n", 5, "is not an index"},
      {"enormous index of none", c + "f 1/1 2/2 3/300000000\n", 5, "'300000000' is not an index"},
      {"texture index out of range", c + "vt 0 0\nf 1/1 2/1 3/2\n", 6,
       "texture coordinate 2, the file has 1"},
      {"normal index out of range", c + "vn 0 0 1\nf 1//1 2//1 3//2\n", 6, "normal 2, the file has 1"},
      {"normal back out of range", c + "vn 0 0 1\nf 1//-1 2//-1 3//-2\n", 6,
       "normal -2, the file has 1 so far"},
      {"normal before the first", c + "f 1//-1 2//-1 3//-1\nvn 0 0 1\n", 5,
       "normal -1, the file has 0 so far"},
      {"normal of too few", c + "f 1//1 2//1 3//2\nvn 0 0 1\n", 5, "normal 2, the file has 1"},
      {"vertex of none", "f -1 -2 -3\n", 1, "vertex -1, the file has 0 so far"},
      {"too many slashes", c + "vt 0 0\nvn 0 0 1\nf 1/1/1/1 2 3\n", 7, "not a face corner"},
      {"two corners", c + "f 1 2\n", 5, "at least 3 vertices, this one has 2"},
      {"empty face", c + "f\n", 5, "at least 3 vertices, this one has 0"},
      {"line after CRLF lines", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 9\r\n", 4, "vertex 9"},
      {"line after CR lines", "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 9\r", 4, "vertex 9"},
      {"line after a continued one", "v 0 \\\n 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n 3\nf 1 2 9\n", 7,
       "vertex 9"},
      {"no faces", c, 0, "no faces"},
      {"empty", "", 0, "no faces"},
      {"something else", "{\"scene\": 1}\n", 0, "no faces"},
      {"one place", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", 0, "one place"},
      {"no area", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", 4, "no triangle of the mesh has an area"},
  };
  for (const BadObj& bad : table) {
    const auto obj = parse_obj(bad.text, "bad.obj");
    ASSERT_FALSE(obj) << bad.what;
    EXPECT_EQ(obj.error().file, "bad.obj") << bad.what;
    EXPECT_EQ(obj.error().line, bad.line) << bad.what << ": " << obj.error().text();
    EXPECT_NE(obj.error().message.find(bad.says), std::string::npos)
        << bad.what << ": " << obj.error().text();
    EXPECT_FALSE(obj.error().hint.empty()) << bad.what << ": " << obj.error().text();
  }
}

/// Comments, a quad, a continued line and a welded vertex between them.
TEST(ObjReader, KnowsTheLineOfEveryTriangle) {
  const std::string text = "# four corners\n" + corners + "v 0 1 0.0000001\nv 2 0 0\nv 2 1 0\n\n# faces\n\n" +
                           "f 1 2 3 4\n\nf 2 7 \\\n 3\nf 2 3 6\nf 1 3 5\n";
  const ObjMesh obj = accept(text);
  EXPECT_EQ(obj.triangle_lines, (std::vector<int>{12, 12, 14, 16, 17}));
  const auto topology = build_topology(obj.mesh.triangles, Index(obj.mesh.positions.size()), obj.names());
  ASSERT_FALSE(topology);
  const std::string said = topology.error().text();
  EXPECT_EQ(topology.error().line, 16) << said;
  EXPECT_NE(said.find("edge 2-3 is shared by 3"), std::string::npos) << said;
}

TEST(ObjReader, MessagesArePrintableWhateverTheBytes) {
  const auto obj = parse_obj("v 0 0 \xff\x01\n", "bad.obj");
  ASSERT_FALSE(obj);
  EXPECT_NE(obj.error().message.find("'?\?' is not a number"), std::string::npos) << obj.error().text();
}

TEST(ObjReader, EveryWayToWriteASquareGivesTheSameMesh) {
  const TriMesh plain = mesh_of(corners + "f 1 2 3\nf 1 3 4\n");
  ASSERT_EQ(plain.positions.size(), 4u);
  const std::string vt = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n", vn = "vn 0 0 1\n";
  const std::string texts[] = {
      corners + "f 1 2 3 4\n",                                   // quad
      corners + "f -4 -3 -2\nf -4 -2 -1\n",                      // relative
      "f 1 2 3\nf 1 3 4\n" + corners,                            // faces first
      corners + vt + "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",           // v/vt
      corners + vn + "f 1//1 2//1 3//1\nf 1//-1 3//-1 4//-1\n",  // v//vn
      corners + vt + vn + "f 1/1/1 2/2/1 3/3/1 4/4/1\n",         // v/vt/vn
      corners + "vt 5 5\nf 1/1 2/1 3/1 4\n",                     // a corner without vt
      corners + "f 1 2 \\\n  3 \\\r\n4\n",                       // continued
      "\xEF\xBB\xBF# c\no a\n  v\t0 0 0 1\nv +1. .0 0e5 1 1 1\nv 1e0 10E-1 -0 # c\nv 0 1 0\ng b\ns 1\nf 1 2 "
      "3 4",
      "mtllib none.mtl\n" + corners + "usemtl x\nf 1 2 3\no second\nusemtl y\nf 1 3 4\nl 1 2\np 1\n",
      corners +
          "t 2147483647/2147483647/2147483647\nvw 0 -5\nvn x y z\nf 1 2 3 4\n",  // what tinyobj chokes on
  };
  int number = 0;
  for (const std::string& text : texts) {
    SCOPED_TRACE(++number);
    expect_same(mesh_of(text), plain);
    std::string crlf, cr;
    for (char ch : text)
      crlf += ch == '\n' && (crlf.empty() || crlf.back() != '\r') ? "\r\n" : std::string(1, ch);
    expect_same(mesh_of(crlf), plain);
    for (std::size_t i = 0; i < crlf.size(); ++i) {
      if (crlf[i] != '\n') cr += crlf[i];
    }
    expect_same(mesh_of(cr), plain);
  }
}

TEST(ObjReader, ReadsNumbersToTheLastDigits) {
  const TriMesh mesh = mesh_of("v 0.1 -123456.789012345 3.0517578125e-05\nv 1e-300 0 0\nv 0 1 0\nf 1 2 3\n");
  // tinyobjloader adds digit by digit: a few roundings of each number.
  const double error = 8.0 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(mesh.positions[0].x, 0.1, 0.1 * error);
  EXPECT_NEAR(mesh.positions[0].y, -123456.789012345, 123456.8 * error);
  EXPECT_NEAR(mesh.positions[0].z, 3.0517578125e-05, 3.1e-5 * error);
  EXPECT_NEAR(mesh.positions[1].x, 1e-300, 1e-300 * 100 * error);
}

TEST(ObjReader, ShuffledFileIsTheSameSurface) {
  const TriMesh grid = make_grid(9, 7, 1.0, 1.0, true);
  std::vector<Index> new_number(grid.positions.size());
  for (std::size_t v = 0; v < new_number.size(); ++v) new_number[v] = static_cast<Index>(v);
  std::mt19937 random(2);
  std::shuffle(new_number.begin(), new_number.end(), random);
  TriMesh shuffled = grid;
  for (std::size_t v = 0; v < new_number.size(); ++v) {
    shuffled.positions[new_number[v]] = grid.positions[v];
    shuffled.uvs[new_number[v]] = grid.uvs[v];
  }
  for (Triangle& t : shuffled.triangles) {
    for (Index& v : t) v = new_number[v];
  }
  const auto path = std::filesystem::path(::testing::TempDir()) / "limber_shuffled.obj";
  ASSERT_TRUE(write_obj(shuffled, path.string()));
  const auto read = read_obj(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->notes.empty());
  EXPECT_EQ(read->mesh.triangles, shuffled.triangles);
  for (std::size_t v = 0; v < grid.positions.size(); ++v) {
    EXPECT_LT(glm::distance(read->mesh.positions[new_number[v]], grid.positions[v]), 1e-15);
    EXPECT_LT(glm::distance(read->mesh.uvs[new_number[v]], grid.uvs[v]), 1e-15);
  }
}

TEST(ObjReader, WeldsPatchesAndSaysSo) {
  // Two squares side by side with their own corners, 5e-7 of the diagonal apart, an unused vertex between.
  const ObjMesh obj = accept(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nv 1.000001 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0.000001\n"
      "f 1 2 3 4\nf 6 7 8 9\nf 2 3 9\n");
  EXPECT_EQ(obj.mesh.positions.size(), 6u);
  EXPECT_EQ(obj.welded, 2);
  EXPECT_EQ(obj.unused, 1);
  EXPECT_EQ(obj.degenerate, 1);
  EXPECT_EQ(obj.file_vertices, (std::vector<Index>{0, 1, 2, 3, 6, 7}));
  EXPECT_EQ(obj.notes, (std::vector<std::string>{"2 duplicate vertices welded", "1 unused vertex dropped",
                                                 "1 triangle without area dropped, of line 12"}));
  const auto topology = build_topology(obj.mesh.triangles, 6);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->hinges.size(), 3u);
  EXPECT_EQ(topology->boundary_edges, 6);
}

TEST(ObjReader, IndicesOfNormalsAndTextureCoordinatesThatTheFileLeavesOutAreToldOnce) {
  const TriMesh plain = mesh_of(corners + "f 1 2 3\nf 1 3 4\n");
  struct Case {
    const char *faces, *told;
  };
  for (const auto& [faces, told] : {
           Case{"f 1//1 2//1 3//1\nf 1//2 3//2 4//2\n", "normals that the file does not have (test.obj:5)"},
           Case{"f 1 2 3\nf 1//-1 3//-1 4//-1\n", "normals that the file does not have (test.obj:6)"},
           Case{"f 1/1 2/7 3/3\nf 1/-1 3/-3 4/-4\n",
                "texture coordinates that the file does not have (test.obj:5)"},
           Case{"f 1//1 2//1 3//1\nf 1/1/1 3/3/1 4/4/1\n",
                "texture coordinates and normals that the file does not have (test.obj:5)"},
       }) {
    const ObjMesh obj = accept(corners + faces);
    expect_same(obj.mesh, plain);
    ASSERT_EQ(obj.notes.size(), 1u) << faces;
    EXPECT_NE(obj.notes[0].find(std::string("the faces name ") + told), std::string::npos) << obj.notes[0];
  }
  EXPECT_TRUE(accept(corners + "vn 0 0 1\nf 1//1 2//1 3//1 4//-1\n").notes.empty());
}

TEST(ObjReader, KeepsWhatIsApart) {
  const ObjMesh obj =
      accept("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.00001 0 0\nv 0 -1 0\nv 1 -1 0\nf 1 2 3\nf 4 5 6\n");
  EXPECT_EQ(obj.welded, 0);
  EXPECT_EQ(obj.mesh.positions.size(), 6u);
}

TEST(ObjReader, TextureCoordinates) {
  const std::string vt = "vt 0.25 0.5\nvt 0.5 0.5\nvt 0.5 1\nvt 0.25 1\nvt 0.75 0.75\n";
  const TriMesh own = mesh_of(corners + vt + "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n");
  EXPECT_EQ(own.uvs, (std::vector<glm::dvec2>{{0.25, 0.5}, {0.5, 0.5}, {0.5, 1.0}, {0.25, 1.0}}));
  const TriMesh seam = mesh_of(corners + vt + "f 1/1 2/2 3/3\nf 1/5 3/3 4/4\n");  // vertex 1 has two
  EXPECT_EQ(seam.uvs, (std::vector<glm::dvec2>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  const TriMesh lying = mesh_of("v 0 0 0\nv 4 0 0\nv 4 1 2\nf 1 2 3\n");  // x and z are longest
  EXPECT_EQ(lying.uvs, (std::vector<glm::dvec2>{{0, 0}, {1, 0}, {1, 1}}));
}

/// Checks the guarantees of every accepted mesh, however broken its file.
void expect_sound(const ObjMesh& obj) {
  const auto n = static_cast<Index>(obj.mesh.positions.size());
  ASSERT_EQ(obj.mesh.uvs.size(), obj.mesh.positions.size());
  ASSERT_EQ(obj.file_vertices.size(), obj.mesh.positions.size());
  ASSERT_FALSE(obj.mesh.triangles.empty());
  for (const auto& p : obj.mesh.positions) {
    for (int k = 0; k < 3; ++k) ASSERT_LE(std::abs(p[k]), obj_max_coordinate);
  }
  for (const Triangle& t : obj.mesh.triangles) {
    for (Index v : t) ASSERT_TRUE(v >= 0 && v < n);
    ASSERT_TRUE(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
  }
  ASSERT_EQ(obj.triangle_lines.size(), obj.mesh.triangles.size());
  (void)build_topology(obj.mesh.triangles, n, obj.names());
}

std::string valid_text() {
  std::string text = "# a grid\no cloth\n";
  for (int v = 0; v < 16; ++v)
    text += "v " + std::to_string(v % 4) + ".25 " + std::to_string(v / 4) + " -1e-1\n";
  for (int v = 0; v < 16; ++v) text += "vt 0." + std::to_string(v) + " 0.5\n";
  text +=
      "vn 0 0 1\nf 1/1/1 2/2/1 6/6/1 5/5/1\nf 2 3 7 \\\n 6\r\nf -5//1 -1//1 -2//1 -6//1\nf 9/9 10/10 14/14 "
      "13/13\n";
  return text + "f 1 2 3 4 8 12 16 15 14 13 9 5\n";
}

TEST(ObjReader, MutatedFilesNeverBreakAnything) {
  const std::string original = valid_text();
  expect_sound(accept(original));
  const std::string_view pieces[] = {"f ", "v ", "vt ",   "-",   "/",  "//",        "\\\n",     "\n",
                                     "\r", "#",  "1e308", "nan", "0",  "-1",        "99",       "2147483648",
                                     ".",  "e",  "+",     " ",   "\t", "f 1 1 1\n", "v 1 2 3\n"};
  std::mt19937 random(20'000);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = original;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 5) {
        case 0:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        case 1:
          text.erase(at, random() % 12);
          break;
        case 2:
          text.resize(at);
          break;
        case 3:
          text.insert(at, text.substr(random() % (text.size() + 1), random() % 40));
          break;
        default:
          text.insert(at, 1, static_cast<char>(random() % 256));
          break;
      }
    }
    const auto obj = parse_obj(text, "mutated.obj");
    if (obj) {
      ASSERT_NO_FATAL_FAILURE(expect_sound(*obj)) << text;
    } else {
      ASSERT_LE(obj.error().line,
                1 + std::count_if(text.begin(), text.end(), [](char c) { return c < ' '; }));
    }
    ++(obj ? accepted : refused);
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(ObjReader, RandomBytesNeverBreakAnything) {
  std::mt19937 random(77);
  const std::string_view alphabet = "vfnt 0123456789-+.e/#\\\n\r";
  for (int round = 0; round < 5000; ++round) {
    std::string text(random() % 400, ' ');
    for (char& c : text)
      c = round % 2 ? alphabet[random() % alphabet.size()] : static_cast<char>(random() % 256);
    const auto obj = parse_obj(text, "random.obj");
    if (obj) expect_sound(*obj);
  }
}

TEST(ObjReader, MissingFilesAndFolders) {
  const auto missing = read_obj("no/such/file.obj");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), "no/such/file.obj: no such file (give the path of an .obj file)");
  EXPECT_FALSE(read_obj(::testing::TempDir()));
  EXPECT_FALSE(read_obj("/dev/zero"));
  EXPECT_FALSE(read_obj(""));
}

TEST(ObjReader, ReadsTheShippedStar) {
  const auto star = read_obj(test::source("assets/star.obj"));
  ASSERT_TRUE(star) << star.error().text();
  EXPECT_TRUE(star->notes.empty());
  const auto topology = build_topology(star->mesh.triangles, static_cast<Index>(star->mesh.positions.size()));
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->boundary_edges, 10 * 28);
  // The pins that assets/README.md names are the tips: no vertex is farther from the centre.
  for (Index tip : {812, 1624, 2436, 3248, 4060}) {
    EXPECT_NEAR(glm::length(star->mesh.positions[tip]), 1.0 / std::sin(std::acos(-1.0) * 0.4), 1e-8);
  }
}

TEST(ObjWriter, WritesTheWholeFileOrNothing) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "limber_obj_writer";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "grid.obj").string();
  TriMesh mesh = make_grid(3, 3, 1.0, 1.0, true);
  ASSERT_TRUE(write_obj(mesh, path));
  mesh.positions[4].y = std::numeric_limits<double>::quiet_NaN();
  const auto refused = write_obj(mesh, path);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("vertex 4"), std::string::npos);
  ASSERT_TRUE(read_obj(path));  // the good file is still there
  EXPECT_EQ(read_obj(path)->mesh.positions.size(), 9u);
  EXPECT_FALSE(write_obj(make_grid(3, 3, 1.0, 1.0, true), (folder / "none" / "grid.obj").string()));
  EXPECT_FALSE(write_obj(make_grid(3, 3, 1.0, 1.0, true), folder.string()));
  EXPECT_FALSE(std::filesystem::exists(folder.string() + ".part"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
  std::filesystem::remove_all(folder);
}

TEST(ObjReader, BinaryBytesAreNamedAsSuch) {
  using namespace std::string_view_literals;
  const auto mesh = parse_obj("v 0 0 0\0\0PNG"sv, "picture.obj");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().text().find("no text file"), std::string::npos) << mesh.error().text();
}

}  // namespace
}  // namespace limber::obj_reader_test
