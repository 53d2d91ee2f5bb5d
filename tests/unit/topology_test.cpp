#include "engine/geometry/mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "tests/vectors.hpp"

namespace limber::topology_test {
namespace {

std::string refusal(const std::vector<Triangle>& triangles, Index vertex_count) {
  const auto topology = build_topology(triangles, vertex_count);
  return topology ? "accepted" : topology.error().text();
}

/// The four-point stencil of the vectors: theta = atan2((na x nb).e, na.nb).
double signed_theta(const glm::dvec3& p1, const glm::dvec3& p2, const glm::dvec3& p3, const glm::dvec3& p4) {
  const glm::dvec3 na = glm::cross(p3 - p1, p2 - p1), nb = glm::cross(p2 - p1, p4 - p1);
  return std::atan2(glm::dot(glm::cross(na, nb), glm::normalize(p2 - p1)), glm::dot(na, nb));
}

TEST(Topology, TwoTrianglesMakeOneHinge) {
  const auto topology = build_topology(std::vector<Triangle>{{0, 1, 2}, {1, 0, 3}}, 4);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->edges, (std::vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}}));
  EXPECT_EQ(topology->hinges, (std::vector<Hinge>{{0, 1, 2, 3}}));
  EXPECT_EQ(topology->boundary_edges, 4);
}

TEST(Topology, FlippedWindingStillMakesAHinge) {
  const auto topology = build_topology(std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}, 4);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->hinges, (std::vector<Hinge>{{0, 1, 2, 3}}));
}

/// Every hinge must be p0 -> p1 as the triangle of p2 runs, and p1 -> p0 as the triangle of p3 runs.
TEST(Topology, HingesFollowTheWinding) {
  const TriMesh mesh = make_icosphere(2, 1.0);
  const auto topology = build_topology(mesh.triangles, static_cast<Index>(mesh.positions.size()));
  ASSERT_TRUE(topology);
  std::set<Triangle> rotations;
  for (const auto& [a, b, c] : mesh.triangles) rotations.insert({{a, b, c}, {b, c, a}, {c, a, b}});
  EXPECT_EQ(topology->hinges.size(), topology->edges.size());
  for (const auto& [p0, p1, p2, p3] : topology->hinges) {
    EXPECT_TRUE(rotations.count({p0, p1, p2}));
    EXPECT_TRUE(rotations.count({p1, p0, p3}));
  }
}

/// The hinge found from triangles is the stencil of the vectors: same angle, same sign, zero when flat.
TEST(Topology, HingeIsTheStencilOfTheVectors) {
  const auto reference = test::vector_case("bend_signed_theta");
  const auto hinges = build_topology(std::vector<Triangle>{{0, 1, 2}, {1, 0, 3}}, 4)->hinges;
  ASSERT_EQ(hinges.size(), 1u);
  for (const auto& [points, angle] : std::map<const char*, const char*>{
           {"p", "theta"}, {"p_mirrored", "theta_mirrored"}, {"p_flat", "theta_flat"}}) {
    const auto p = test::to_vec3s<double>(reference.inputs.at(points));
    const auto& h = hinges[0];
    EXPECT_TRUE(test::matches<double>(reference, angle, signed_theta(p[h[0]], p[h[1]], p[h[2]], p[h[3]])));
  }
}

/// A closed outward surface is convex: with the stencil's sign all its hinges bend the same way.
TEST(Topology, ConvexSurfaceHasHingesOfOneSign) {
  const TriMesh mesh = make_icosphere(1, 1.0);
  const auto topology = build_topology(mesh.triangles, static_cast<Index>(mesh.positions.size()));
  ASSERT_TRUE(topology);
  for (const auto& [a, b, c, d] : topology->hinges) {
    const auto& p = mesh.positions;
    EXPECT_GT(signed_theta(p[a], p[b], p[c], p[d]), 0.1);
  }
}

TEST(Topology, CountsOfAGrid) {
  const int columns = 7, rows = 5;
  const TriMesh mesh = make_grid(columns, rows, 1.0, 1.0, true);
  const auto topology = build_topology(mesh.triangles, columns * rows);
  ASSERT_TRUE(topology);
  const std::size_t cells = (columns - 1) * (rows - 1);
  const std::size_t edges = (columns - 1) * rows + columns * (rows - 1) + cells;
  EXPECT_EQ(topology->edges.size(), edges);
  EXPECT_EQ(topology->boundary_edges, 2 * (columns - 1 + rows - 1));
  EXPECT_EQ(topology->hinges.size(), edges - topology->boundary_edges);
}

TEST(Topology, EdgesComeInOrderOfFirstAppearance) {
  TriMesh mesh = make_grid(20, 20, 1.0, 1.0, true);
  std::mt19937 random(7);
  std::shuffle(mesh.triangles.begin(), mesh.triangles.end(), random);
  std::vector<Edge> expected;
  std::set<Edge> seen;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const Edge edge{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])};
      if (seen.insert(edge).second) expected.push_back(edge);
    }
  }
  EXPECT_EQ(build_topology(mesh.triangles, 400)->edges, expected);
}

TEST(Topology, RefusesAnEdgeWithManyTriangles) {
  const std::string message = refusal({{4, 1, 0}, {1, 4, 2}, {1, 4, 3}, {4, 1, 5}}, 6);
  EXPECT_NE(message.find("edge 1-4 is shared by 4 triangles"), std::string::npos) << message;
  EXPECT_NE(message.find("counted from 0"), std::string::npos) << message;
}

TEST(Topology, NamesVerticesAsTheFileDoes) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const std::vector<Index> vertices{69, 137, 8, 9, 10};
  const std::vector<int> lines{20, 21, 30};
  const auto topology = build_topology(triangles, 5, {vertices, lines});
  ASSERT_FALSE(topology);
  EXPECT_NE(topology.error().message.find("edge 70-138 is shared by 3"), std::string::npos);
  EXPECT_NE(topology.error().message.find("counted from 1"), std::string::npos);
  EXPECT_EQ(topology.error().line, 30);
}

TEST(Topology, RefusesBadTriangles) {
  EXPECT_NE(refusal({{0, 1, 2}, {0, 1, 3}}, 3).find("triangle 1 refers to vertex 3"), std::string::npos);
  EXPECT_NE(refusal({{0, -1, 2}}, 3).find("refers to vertex -1"), std::string::npos);
  EXPECT_NE(refusal({{0, 2, 2}}, 3).find("uses a vertex twice"), std::string::npos);
  EXPECT_NE(refusal({{0, 1, 2}, {2, 1, 0}}, 3).find("the same vertices 0-1-2"), std::string::npos);
  EXPECT_EQ(refusal({}, 0), "accepted");
}

TEST(Topology, MassesOfTheVectors) {
  const auto reference = test::vector_case("cloth_vertex_mass");
  TriMesh mesh;
  mesh.positions = test::to_vec3s<double>(reference.inputs.at("p"));
  mesh.triangles = reference.inputs.at("triangles").get<std::vector<Triangle>>();
  const std::vector<double> masses = vertex_masses(mesh, reference.inputs.at("rho_area"));
  EXPECT_TRUE(test::matches<double>(reference, "m", masses));
  EXPECT_TRUE(test::matches<double>(reference, "total", std::accumulate(masses.begin(), masses.end(), 0.0)));
}

/// A hub with very many spokes must not turn the edge search quadratic: at 200,000 that would take minutes.
TEST(Topology, FanWithManyTriangles) {
  std::vector<Triangle> triangles;
  const Index spokes = 200'000;
  for (Index i = 1; i < spokes; ++i) triangles.push_back({0, i, i + 1});
  const auto topology = build_topology(triangles, spokes + 1);
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->hinges.size(), static_cast<std::size_t>(spokes) - 2);
}

}  // namespace
}  // namespace limber::topology_test
