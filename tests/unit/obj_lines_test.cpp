// Rods from the lines of an OBJ.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "engine/geometry/files/obj_lines.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber {
namespace {

TEST(ObjLines, AreReadWithWhateverIsBesideThem) {
  const auto lines = lines_of_obj(
      "# two of them\nv 0 0 0\nv 1 0 0\nvn 0 1 0\nl 1/1 2\nv 1 1 0\nf 1 2 3\nl -3 -2 -1\n", "wires.obj");
  ASSERT_TRUE(lines) << lines.error().text();
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ((*lines)[0], (std::vector<glm::dvec3>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ((*lines)[1], (std::vector<glm::dvec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}));
}

TEST(ObjLines, AreRefusedWithTheirLine) {
  for (const char* const text : {"v 0 0 0\nl 1 2\n", "v 0 0 x\n", "v 0 0 0\nl 1\n", "v 0 0 0\nl 0 1\n",
                                 "v 0 2e6 0\n", "v 0 0 0\nl 1 1.5\n"}) {
    const auto lines = lines_of_obj(text, "wires.obj");
    ASSERT_FALSE(lines) << text;
    EXPECT_GT(lines.error().line, 0) << text;
  }
  EXPECT_FALSE(lines_of_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "wires.obj"));
}

/// Each line is a rod of its own, of equal segments, as heavy as it is long.
TEST(ObjLines, BecomeRods) {
  const std::string path = testing::TempDir() + "limber_wires.obj";
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2\nl 1 2 3\n";
  ObjectDesc rod;
  rod.name = "wires";
  rod.type = ObjectType::rod;
  rod.rod.form = RodForm::lines;
  rod.mesh = path;
  rod.rod.segments = 8;
  rod.rod.first_end = RodEnd::free;
  SceneDesc scene;
  scene.objects = {rod};
  const Expected<ObjectGeometry> built = build_geometry(scene, rod);
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(built->positions.size(), 18u);
  EXPECT_EQ(built->rod.segments.size(), 16u);
  EXPECT_EQ(built->rod.joints.size(), 14u);
  EXPECT_EQ(built->rod.strand, 8);
  double mass[2] = {};
  for (std::size_t i = 0; i < 18; ++i) mass[i / 9] += built->masses[i];
  EXPECT_NEAR(mass[1], 2.0 * mass[0], 1e-12 * mass[0]);
  EXPECT_NEAR(built->positions[17].y, 1.0, 1e-12);
}

}  // namespace
}  // namespace limber
