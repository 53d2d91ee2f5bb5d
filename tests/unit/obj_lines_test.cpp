// Rods that are built from the lines of an OBJ.
#include <gtest/gtest.h>

#include <fstream>
#include <glm/geometric.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/geometry/files/obj_lines.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber { namespace {

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

/// What no rod can lie along is told by its line, each in words of its own.
TEST(ObjLines, ThatRunBackAreRefusedWithTheirLine) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 0\n";
  for (const auto& [line, words] :
       {std::pair("l 1 2 2 3\n", "vertex 2 twice in a row"),
        std::pair("l 1 2 1\n", "runs back on itself at vertex 2"),
        std::pair("l 1 2 3 1 2\n", "comes through vertex 1 twice"),
        std::pair("l 2 1 2\n", "runs back on itself at vertex 1"),
        std::pair("l 1 4 2\n", "vertex 1 and vertex 4 of the line lie in one place")}) {
    const auto lines = lines_of_obj(points + line, "wires.obj");
    ASSERT_FALSE(lines) << line;
    EXPECT_EQ(lines.error().line, 5) << line;
    EXPECT_NE(lines.error().text().find(words), std::string::npos) << lines.error().text();
  }
  const auto lines = lines_of_obj("v 0 0 0\nl 1 5\n", "wires.obj");
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().text().find("''"), std::string::npos) << lines.error().text();
}

/// Rods of 8 segments along the lines of an OBJ.
SceneDesc wires(const std::string& path, RodEnd first_end) {
  ObjectDesc rod;
  rod.name = "wires";
  rod.type = ObjectType::rod;
  rod.rod->form = RodForm::lines;
  rod.mesh = path;
  rod.rod->segments = 8;
  rod.rod->first_end = first_end;
  SceneDesc scene;
  scene.objects = {rod};
  return scene;
}

/// Each line is a rod of its own, of equal segments, as heavy as it is long.
TEST(ObjLines, BecomeRods) {
  const std::string path = testing::TempDir() + "limber_wires.obj";
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2\nl 1 2 3\n";
  const SceneDesc scene = wires(path, RodEnd::free);
  const Expected<ObjectGeometry> built = build_geometry(scene, scene.objects[0]);
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

/// A line that ends at its first vertex is a ring beside open rods: as many points as segments, a joint that
/// closes it, no end that could be held.
TEST(ObjLines, ThatEndWhereTheyBeginAreRings) {
  const std::string path = testing::TempDir() + "limber_rings.obj";
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nl 1 2\nl 1 2 3 4 1\nl 2 3\n";
  const SceneDesc scene = wires(path, RodEnd::clamped);
  const Expected<ObjectGeometry> built = build_geometry(scene, scene.objects[0]);
  ASSERT_TRUE(built) << built.error().text();
  EXPECT_EQ(built->positions.size(), 9u + 8u + 9u);
  EXPECT_EQ(built->rod.segments.size(), 24u);
  EXPECT_EQ(built->rod.segments[15].points, (std::array<Index, 2>{16, 9}));
  EXPECT_EQ(built->rod.holds.size(), 2u);
  EXPECT_EQ(built->rod.joints.size(), 7u + 8u + 7u + 2u);
  auto made = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(made) << made.error().text();
  const auto& pieces = (*made)->model()->objects[0].rod.pieces;
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_TRUE(pieces[1].closed);
  EXPECT_EQ(pieces[1].points.size(), 8u);
  EXPECT_EQ(pieces[2].points.front(), 17);
  for (int frame = 0; frame < 60; ++frame) ASSERT_FALSE((*made)->step().nonfinite);
  std::vector<glm::dvec3> x(std::size_t((*made)->model()->vertex_count));
  (*made)->read(reading::Positions{std::span(x)});
  const double closing = glm::distance(x[16], x[9]), side = glm::distance(x[9], x[10]);
  EXPECT_NEAR(closing / side, 1.0, 0.01);  // the segment that closes the ring is as long as the others
}

}}  // namespace limber
