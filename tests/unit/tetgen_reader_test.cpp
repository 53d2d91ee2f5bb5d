// TetGen files: valid variants, and one clear error for each fault.
#include "engine/geometry/files/tetgen_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "engine/geometry/tets/tet_shapes.hpp"

namespace limber::tetgen_reader_test {
namespace {

const std::string from_0 = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";

Expected<TetGenMesh> parse(const std::string& nodes, const std::string& elements) {
  return parse_tetgen(nodes, "a.node", elements, "a.ele");
}

std::string fault(const std::string& nodes, const std::string& elements) {
  const auto mesh = parse(nodes, elements);
  return mesh ? "none" : mesh.error().text();
}

void expect_fault(const std::string& nodes, const std::string& elements, const std::string& start) {
  EXPECT_TRUE(fault(nodes, elements).starts_with(start)) << fault(nodes, elements);
}

TEST(TetGenReader, ReadsFilesNumberedFrom0And1) {
  const auto zero = parse(from_0, "1 4 0\n0 0 1 2 3\n");
  ASSERT_TRUE(zero) << zero.error().text();
  EXPECT_EQ(zero->mesh.positions.size(), 4u);
  EXPECT_DOUBLE_EQ(total_volume(zero->mesh), 1.0 / 6.0);
  EXPECT_TRUE(zero->notes.empty());
  const auto one = parse("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n");
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ(one->first, 1);
  EXPECT_EQ(one->mesh.tets, zero->mesh.tets);
}

TEST(TetGenReader, CommentsBlankLinesAttributesAndMarkersAreAllowed) {
  const auto mesh = parse(
      "# a solid\r\n\r\n 5  3  2  1 # points\r\n\t1 0 0 0 0.5 1e3 1\r\n\r\n2 1 0 0 0.5 nan 0\r\n3 0 +1 0 0 0 "
      "-1\r\n"
      "# between\r\n4 0 0 1 1 1 1\r\n5 9 9 9 0 0 0",
      "1 10 1\n\n7 1 2 3 4 5 5 5 5 5 5 -42.5 # region\n# end\n");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->mesh.positions.size(), 4u);
  EXPECT_EQ(mesh->unused, 1);
  EXPECT_EQ(mesh->tet_lines, std::vector<int>{3});
  EXPECT_EQ(mesh->notes.size(), 2u);  // straight edges, an unused point
}

TEST(TetGenReader, InvertedTetrahedraAreTurnedAndTold) {
  const auto mesh = parse("5 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0 0 -1\n", "2\n0 0 1 2 3\n1 0 1 2 4\n");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->turned, 1);
  EXPECT_EQ(mesh->notes, std::vector<std::string>{"1 tetrahedron was inside out and is turned"});
  EXPECT_NEAR(total_volume(mesh->mesh), 2.0 / 6.0, 1e-15);
}

TEST(TetGenReader, OneClearErrorWithFileAndLine) {
  const std::string good = "1 4 0\n0 0 1 2 3\n";
  expect_fault("", good, "a.node:1: the file has no points");
  expect_fault("# nothing\n", good, "a.node:2: the file has no points");
  expect_fault("0 3 0 0\n", good, "a.node:1: the file has no points");
  expect_fault("many\n", good, "a.node:1: 'many' is not a count");
  expect_fault("-4 3\n", good, "a.node:1: '-4' is not a count");
  expect_fault("99999999999 3\n", good, "a.node:1: the file has 99999999999 points");
  expect_fault("4 2 0 0\n0 0 0\n", good, "a.node:1: the points have 2 coordinates");
  expect_fault("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n", good, "a.node:5: the file ends after 3 of 4 points");
  expect_fault("3 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", good, "a.node:5: there are more than the 3");
  expect_fault("4 3 0 0\n0 0 0 0\n2 1 0 0\n", good, "a.node:3: expected point 1, found 2");
  expect_fault("4 3 0 0\n7 0 0 0\n", good, "a.node:2: the first point has number 7");
  expect_fault("4 3 0 0\n0 0 nan 0\n", good, "a.node:2: 'nan' is not a number");
  expect_fault("4 3 0 0\n0 0 1e999 0\n", good, "a.node:2: '1e999' is not a number");
  expect_fault("4 3 0 0\n0 0 1e7 0\n", good, "a.node:2: coordinate '1e7' is out of bounds");
  expect_fault("4 3 0 0\n0 0 0\n", good, "a.node:2: a point needs three coordinates");
  expect_fault(from_0, "", "a.ele:1: the file has no tetrahedra");
  expect_fault(from_0, "1 3 0\n0 0 1 2\n", "a.ele:1: the elements have 3 points");
  expect_fault(from_0, "600000 4 0\n", "a.ele:1: the file has 600000 tetrahedra");
  expect_fault(from_0, "2 4 0\n0 0 1 2 3\n", "a.ele:3: the file ends after 1 of 2 tetrahedra");
  expect_fault(from_0, "1 4 0\n0 0 1 2\n", "a.ele:2: the line ends before the number of a corner");
  expect_fault(from_0, "1 4 0\n0 0 1 2 x\n", "a.ele:2: 'x' is not the number of a corner");
  expect_fault(from_0, "1 4 0\n\n0 0 1 2 4\n",
               "a.ele:3: the tetrahedron refers to point 4, which does not exist");
  expect_fault(from_0, "1 4 0\n0 0 1 2 -1\n", "a.ele:2: the tetrahedron refers to point -1");
  expect_fault(from_0, "1 4 0\n0 0 1 2 99999999999999999999\n", "a.ele:2: '99999999999999999999' is not");
  expect_fault(from_0, "1 4 0\n0 0 1 2 2\n", "a.ele:2: tetrahedron 0 has vertex 2 twice");
  expect_fault("4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 1 1 0\n", good, "a.ele:2: tetrahedron 0 is flat");
  expect_fault(from_0, "2 4 0\n0 0 1 2 3\n1 0 1 2 3\n", "a.ele:3: tetrahedra 0 and 1 overlap");
  expect_fault(std::string("4 3\0 0", 6), good, "a.node: this is no text file");
}

class TetGenFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("limber_tetgen_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TetGenFiles, WhatIsWrittenIsReadAgain) {
  TetMesh ball = make_tet_ball(1.0 / 3.0, 3);
  ASSERT_TRUE(write_tetgen(ball, path("ball.1")));
  for (const char* name : {"ball.1.node", "ball.1.ele"}) {
    const auto read = read_tetgen(path(name));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->mesh.positions, ball.positions);
    EXPECT_EQ(read->mesh.tets, ball.tets);
    EXPECT_TRUE(read->notes.empty());
  }
  ball.positions[5].y = std::numeric_limits<double>::quiet_NaN();
  const auto refused = write_tetgen(ball, path("ball.1"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("vertex 5"), std::string::npos);
  EXPECT_TRUE(read_tetgen(path("ball.1.ele")));  // the good files are still there
}

TEST_F(TetGenFiles, AMissingPartnerIsNamed) {
  std::ofstream(path("only.node")) << from_0;
  const auto read = read_tetgen(path("only.node"));
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().file.ends_with("only.ele"));
  EXPECT_NE(read.error().text().find("a pair, 'only.node' and 'only.ele'"), std::string::npos)
      << read.error().text();
  EXPECT_FALSE(read_tetgen(path("none.ele")));
  EXPECT_TRUE(is_tetgen("a/b.1.node") && is_tetgen("b.ele") && !is_tetgen("b.obj"));
}

}  // namespace
}  // namespace limber::tetgen_reader_test
