// Faces of OBJ files become triangles: polygons, diagonals of quads, doubles, welded vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/polygon.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/geometry/mesh/weld.hpp"

namespace limber::obj_faces_test {
namespace {

TriMesh mesh_of(std::string_view text) {
  auto obj = parse_obj(text, "test.obj");
  EXPECT_TRUE(obj) << obj.error().text();
  return obj ? obj->mesh : TriMesh{};
}

double area(const TriMesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto& p = mesh.positions;
    sum += 0.5 * glm::length(glm::cross(p[b] - p[a], p[c] - p[a]));
  }
  return sum;
}

TEST(ObjReader, ConcavePolygons) {
  struct {
    const char* text;
    double area;
  } const polygons[] = {
      {"v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 1 0\nv 0 2 0\nf 1 2 3 4 5\n", 3.0},  // notch
      {"v 0 0 0\nv 1 0.2 0\nv 2 0 0\nv 1 2 0\nf 1 2 3 4\n", 1.8},           // dart
      {"v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 2 0\nv 2 2 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4 5 6 7 8\n",
       7.0},                                                                // C
      {"v 0 0 0\nv 0 0 2\nv 0 1 1\nv 0 2 2\nv 0 2 0\nf 5 4 3 2 1\n", 3.0},  // in yz
      {"v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nf 1 2 3 4\n", 2.0},             // straight corner
  };
  for (const auto& polygon : polygons) {
    const TriMesh mesh = mesh_of(polygon.text);
    EXPECT_NEAR(area(mesh), polygon.area, 1e-12) << polygon.text;  // overlaps or gaps would change it
    const auto topology = build_topology(mesh.triangles, static_cast<Index>(mesh.positions.size()));
    EXPECT_TRUE(topology);
  }
}

TEST(ObjReader, QuadsSplitAlongTheShorterDiagonal) {
  const TriMesh mesh = mesh_of("v -3 0 0\nv 0 -1 0\nv 3 0 0\nv 0 1 0\nf 1 2 3 4\n");
  for (const Triangle& t : mesh.triangles) {
    EXPECT_TRUE(std::count(t.begin(), t.end(), 1) && std::count(t.begin(), t.end(), 3));
  }
}

int most_triangles_at_an_edge(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> count;
  int most = 0;
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) most = std::max(most, ++count[std::minmax(t[k], t[(k + 1) % 3])]);
  return most;
}

/// Two quads around vertex 1 with three common vertices, whose shorter diagonal is the same one.
TEST(ObjReader, DiagonalsOfTwoQuadsDiffer) {
  const TriMesh mesh = mesh_of("v 0 0 0\nv 4 1 0\nv 2.7 2.7 0\nv 1 4 0\nv 4 1 2\nf 1 2 3 4\nf 1 4 3 5\n");
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_EQ(most_triangles_at_an_edge(mesh), 2);
  EXPECT_TRUE(build_topology(mesh.triangles, Index(mesh.positions.size())));
}

/// The shorter diagonal of the first face is an edge of a triangle, so the second face must use its other
/// diagonal.
TEST(ObjReader, DiagonalsAreNoEdgesOfOtherFaces) {
  const std::string quads = "v 0 0 0\nv 4 1 0\nv 2.7 2.7 0\nv 1 4 0\nv 4 1 2\nf 1 2 3 4\n";
  const TriMesh edge = mesh_of(quads + "f 1 3 5\n");
  EXPECT_EQ(edge.triangles.size(), 3u);
  EXPECT_EQ(most_triangles_at_an_edge(edge), 2);
  // the second quad has no other diagonal, for 4-5 is an edge: the first one makes way
  const TriMesh way = mesh_of(quads + "v 9 9 9\nf 1 4 3 5\nf 4 5 6\n");
  EXPECT_EQ(way.triangles.size(), 5u);
  EXPECT_EQ(most_triangles_at_an_edge(way), 2);
}

const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

TEST(ObjReader, DropsTrianglesWithTheSameVertices) {
  const auto count = [](const std::string& text) { return mesh_of(text).triangles.size(); };
  EXPECT_EQ(count(tetrahedron + "v 3 0 0\nv 4 0 0\nv 3 1 0\nf 5 6 7\nf 5 7 6\n"), 4u);  // a pair apart
  EXPECT_EQ(count(tetrahedron + "v 3 0 0\nf 1 2 5\nf 2 1 5\n"), 4u);                    // a fin
  EXPECT_EQ(count(tetrahedron + "f 1 3 2\n"), 4u);                                      // listed twice
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  EXPECT_EQ(count(square + "f 1 2 3\nf 1 3 4\nf 1 3 2\nf 1 4 3\n"), 2u);  // two sides
  EXPECT_EQ(count(square + "f 1 2 3\nf 1 3 2\n"), 1u);                    // something is left
  const auto obj = parse_obj(tetrahedron + "v 3 0 0\nv 4 0 0\nv 3 1 0\nf 5 6 7\nf 5 7 6\n", "pair.obj");
  EXPECT_EQ(obj->coincident, 2);
  EXPECT_EQ(obj->notes.back(),
            "2 triangles with the same three vertices as another dropped, the first of line 12");
}

/// A random star-shaped outline has its whole area covered exactly once, in the outline's winding.
TEST(Polygon, RandomOutlines) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> radius(0.2, 1.0);
  for (int round = 0; round < 300; ++round) {
    const int n = 3 + static_cast<int>(random() % 40);
    std::vector<glm::dvec3> outline;
    double exact = 0.0;
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * std::acos(-1.0) * i / n, r = radius(random);
      outline.push_back({r * std::cos(angle), 0.0, -r * std::sin(angle)});
    }
    for (int i = 0; i < n; ++i) exact += 0.5 * glm::cross(outline[i], outline[(i + 1) % n]).y;
    std::vector<std::array<int, 3>> triangles;
    triangulate_polygon(outline, triangles);
    ASSERT_EQ(static_cast<int>(triangles.size()), n - 2);
    double sum = 0.0;
    for (const auto& [a, b, c] : triangles) {
      const double part = 0.5 * glm::cross(outline[b] - outline[a], outline[c] - outline[a]).y;
      EXPECT_GT(part, 0.0);
      sum += part;
    }
    EXPECT_NEAR(sum, exact, 1e-12);
  }
}

/// Compared with all pairs: joined vertices do not depend on cells.
TEST(Weld, IsTheSameAsComparingAllPairs) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  for (double tolerance : {0.01, 0.1, 0.7}) {
    std::vector<glm::dvec3> points(400);
    for (auto& p : points) p = {place(random), place(random), place(random)};
    std::vector<Index> expected(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      expected[i] = static_cast<Index>(i);
      for (std::size_t k = 0; k < i; ++k) {
        if (expected[k] != static_cast<Index>(k) || glm::distance(points[k], points[i]) > tolerance) continue;
        expected[i] = static_cast<Index>(k);
        break;
      }
    }
    EXPECT_EQ(weld(points, tolerance), expected);
  }
}

}  // namespace
}  // namespace limber::obj_faces_test
