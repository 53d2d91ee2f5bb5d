#include "engine/geometry/mesh/grid.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

namespace limber::grid_test {
namespace {

glm::dvec3 normal(const TriMesh& mesh, const Triangle& t) {
  const glm::dvec3& a = mesh.positions[t[0]];
  return glm::cross(mesh.positions[t[1]] - a, mesh.positions[t[2]] - a);
}

TEST(Grid, UprightCornersAndFacing) {
  const TriMesh mesh = make_grid(5, 3, 2.0, 1.0, true);
  ASSERT_EQ(mesh.positions.size(), 15u);
  ASSERT_EQ(mesh.triangles.size(), 16u);
  EXPECT_EQ(mesh.positions[0], glm::dvec3(-1.0, 0.5, 0.0));
  EXPECT_EQ(mesh.positions[4], glm::dvec3(1.0, 0.5, 0.0));
  EXPECT_EQ(mesh.positions[14], glm::dvec3(1.0, -0.5, 0.0));
  EXPECT_EQ(mesh.uvs[0], glm::dvec2(0.0, 1.0));
  EXPECT_EQ(mesh.uvs[14], glm::dvec2(1.0, 0.0));
  for (const Triangle& t : mesh.triangles) EXPECT_EQ(normal(mesh, t), glm::dvec3(0.0, 0.0, 0.25));
}

TEST(Grid, LyingCornersAndFacing) {
  const TriMesh mesh = make_grid(3, 3, 2.0, 4.0, false);
  EXPECT_EQ(mesh.positions[0], glm::dvec3(-1.0, 0.0, -2.0));
  EXPECT_EQ(mesh.positions[8], glm::dvec3(1.0, 0.0, 2.0));
  for (const Triangle& t : mesh.triangles) EXPECT_EQ(normal(mesh, t), glm::dvec3(0.0, 2.0, 0.0));
}

/// Alternating diagonals give the inner vertices 8 and 4 neighbours in turn, and so 8 and 4 triangles.
TEST(Grid, DiagonalsAlternate) {
  const int columns = 6, rows = 5;
  const TriMesh mesh = make_grid(columns, rows, 1.0, 1.0, true);
  std::vector<int> triangles_of(mesh.positions.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (Index v : t) ++triangles_of[v];
  }
  for (int r = 1; r + 1 < rows; ++r) {
    for (int c = 1; c + 1 < columns; ++c) EXPECT_EQ(triangles_of[r * columns + c], (r + c) % 2 == 0 ? 8 : 4);
  }
}

TEST(Grid, NamedVertices) {
  using List = std::vector<Index>;
  EXPECT_EQ(*grid_vertices("top_left", 4, 3), (List{0}));
  EXPECT_EQ(*grid_vertices("top_right", 4, 3), (List{3}));
  EXPECT_EQ(*grid_vertices("bottom_left", 4, 3), (List{8}));
  EXPECT_EQ(*grid_vertices("bottom_right", 4, 3), (List{11}));
  EXPECT_EQ(*grid_vertices("top", 4, 3), (List{0, 1, 2, 3}));
  EXPECT_EQ(*grid_vertices("bottom", 4, 3), (List{8, 9, 10, 11}));
  EXPECT_EQ(*grid_vertices("left", 4, 3), (List{0, 4, 8}));
  EXPECT_EQ(*grid_vertices("right", 4, 3), (List{3, 7, 11}));
  EXPECT_EQ(grid_vertices("all", 4, 3)->size(), 12u);
}

TEST(Grid, UnknownNameIsAnErrorWithTheNearest) {
  const auto vertices = grid_vertices("top_lef", 4, 3);
  ASSERT_FALSE(vertices);
  EXPECT_NE(vertices.error().text().find("top_left"), std::string::npos) << vertices.error().text();
}

}  // namespace
}  // namespace limber::grid_test
