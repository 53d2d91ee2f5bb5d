// Mesh files that are not OBJ are refused with the name of their format.
#include "engine/geometry/files/mesh_format.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/geometry/files/obj_reader.hpp"
#include "engine/scene/file/scene_reader.hpp"

namespace limber::mesh_format_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

/// 80 bytes of anything, the number of triangles, 50 bytes each.
std::string binary_stl(int triangles) {
  std::string bytes(80, 'x');
  bytes += std::string{char(triangles), 0, 0, 0};
  return bytes + std::string(std::size_t(50 * triangles), '\1');
}

class MeshFormat : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

 private:
  /// A folder per test, because tests run side by side.
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("limber_mesh_format_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(MeshFormat, IsNamedWhereverASceneOrAnObjWasExpected) {
  struct Case {
    std::string name, text, format;
  };
  for (const Case& c : {
           Case{"text.stl", "solid cube\nfacet normal 0 0 1\n", "an STL"},
           Case{"binary.stl", binary_stl(2), "an STL"},
           Case{"renamed_stl.json", binary_stl(200), "an STL"},
           Case{"renamed_stl.obj", "solid cube\n", "an STL"},
           Case{"cow.ply", "ply\nformat ascii 1.0\n", "a PLY"},
           Case{"windows.dat", "ply\r\nformat ascii 1.0\r\n", "a PLY"},
           Case{"scan.GLTF", R"({"asset": {"version": "2.0"}})", "a glTF"},
           Case{"scan", "glTF\2\0\0\0"s, "a glTF"},
           Case{"figure.fbx", "Kaydara FBX Binary  \0"s, "an FBX"},
       }) {
    const std::string path = write(c.name, c.text);
    const std::string says =
        path + ": this is " + c.format + " file, and of meshes only OBJ is read (convert it";
    for (const std::string& text : {read_obj(path).error().text(), read_scene(path).error().text(),
                                    check_obj_text(path).error().text()})
      EXPECT_EQ(text.substr(0, says.size()), says);
  }
}

TEST_F(MeshFormat, WhatIsReadOrNotThereIsNone) {
  EXPECT_TRUE(check_no_foreign_mesh(write("a.obj", "v 0 0 0\n")));
  EXPECT_TRUE(check_no_foreign_mesh(write("plyers.obj", "plyers\n")));
  EXPECT_TRUE(check_no_foreign_mesh(write("a.json", "{}")));
  EXPECT_TRUE(check_no_foreign_mesh(write("nearly.dat", binary_stl(2) + "x")));
  EXPECT_TRUE(check_no_foreign_mesh("no/such.stl"));
}

TEST_F(MeshFormat, AnObjIsKnownByItsFirstStatement) {
  for (const char* const text : {"v 0 0 0\n", "# one\n# two\n\n  mtllib a.mtl\n", "o cube\r\n"})
    EXPECT_TRUE(begins_like_obj(text)) << text;
  for (const char* const text : {"", "# only a comment", "{ \"v\": 1 }", "vertices\n", "\"v\""})
    EXPECT_FALSE(begins_like_obj(text)) << text;
}

}  // namespace
}  // namespace limber::mesh_format_test
