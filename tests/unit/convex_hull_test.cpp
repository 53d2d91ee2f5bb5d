#include "engine/geometry/convex/convex_hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "engine/geometry/convex/convex_solid.hpp"
#include "engine/geometry/mesh/mass_properties.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/parallel/random.hpp"
#include "tests/vectors.hpp"

namespace limber::convex_hull_test {
namespace {

using Points = std::vector<glm::dvec3>;

glm::dvec3 random_point(std::uint64_t seed, std::uint64_t i) {
  return {random_signed(seed, 3 * i), random_signed(seed, 3 * i + 1), random_signed(seed, 3 * i + 2)};
}

constexpr double tolerance = 8.0 * 0x1p-24;  // of the extent, as convex_hull() promises

/// Closed, every point inside, every vertex a given point, every edge convex.
void expect_hull_of(const ConvexPolyhedron& hull, const Points& points, double extent, double slack) {
  EXPECT_EQ(hull.vertices.size() + hull.faces(), hull.edges.size() + 2);
  for (const HalfSpace& plane : hull.planes) {
    EXPECT_NEAR(glm::length(plane.normal), 1.0, 1e-12);
    for (const glm::dvec3& p : points)
      ASSERT_LE(glm::dot(plane.normal, p) - plane.offset, slack * tolerance * extent);
  }
  for (const glm::dvec3& v : hull.vertices)
    EXPECT_TRUE(std::any_of(points.begin(), points.end(),
                            [&](const glm::dvec3& p) { return glm::length(p - v) <= 1e-12 * extent; }));
  for (const HullEdge& edge : hull.edges) {
    const glm::dvec3 along =
        hull.vertices[std::size_t(edge.vertices[1])] - hull.vertices[std::size_t(edge.vertices[0])];
    const glm::dvec3 turn = glm::cross(hull.planes[std::size_t(edge.faces[0])].normal,
                                       hull.planes[std::size_t(edge.faces[1])].normal);
    EXPECT_GT(glm::dot(turn, along), 0.0) << "the loop of the first face has the solid on its left";
  }
}

TEST(ConvexHull, OfACubeWithPointsEverywhereOnIt) {
  Points points = make_box({1.0, 2.0, 3.0}, 4).positions;
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count; ++i) points.push_back(points[i]);  // duplicates
  for (std::uint64_t i = 0; i < 50; ++i) points.push_back(random_point(1, i));
  const auto hull = convex_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 8u);
  EXPECT_EQ(hull->faces(), 6u);
  EXPECT_EQ(hull->edges.size(), 12u);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(hull->loop(Index(f)).size(), 4u);
  expect_hull_of(*hull, points, 6.0, 1.0);
  EXPECT_NEAR(hull->inradius, 1.0, 1e-12);
}

TEST(ConvexHull, OfCloudsOfEverySizeAndPlace) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const double extent = std::pow(10.0, 3.0 * random_signed(seed, 1000));
    const glm::dvec3 place = 10.0 * extent * random_point(seed, 999);
    const glm::dvec3 thin(1.0, std::pow(10.0, -2.0 - 2.0 * random_signed(seed, 1001)), 1.0);
    Points points;
    for (std::uint64_t i = 0; i < 4 + 3 * seed; ++i) {
      glm::dvec3 p = random_point(seed, i);
      if (seed % 3 == 1) p = glm::normalize(p);
      if (seed % 3 == 2) p = glm::round(3.0 * p) / 3.0;  // many coplanar, many equal
      points.push_back(place + extent * (seed % 2 ? p * thin : p));
    }
    const auto hull = convex_hull(points);
    ASSERT_TRUE(hull) << "seed " << seed << ": " << hull.error().text();
    expect_hull_of(*hull, points, 2.0 * extent * std::max(1.0, thin.y * double(seed % 2)), 8.0);
  }
}

TEST(ConvexHull, RoundedToFloatStillHasFlatFaces) {
  const double turn = 0.7;
  const glm::dmat3 R(std::cos(turn), std::sin(turn), 0, -std::sin(turn), std::cos(turn), 0, 0, 0, 1);
  Points points;
  for (const glm::dvec3& p : make_box({1.0, 1.0, 1.0}, 6).positions)
    points.push_back(glm::dvec3(glm::vec3(R * p + glm::dvec3(3.0, 4.0, 5.0))));
  const auto hull = convex_hull(points);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->faces(), 6u);
  EXPECT_EQ(hull->vertices.size(), 8u);
}

TEST(ConvexHull, SphereAtTheLimitOfVertices) {
  const Points points = make_icosphere(4, 1.0).positions;
  const auto hull = convex_hull(points, 100);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 100u);
  // Even triangles of 100 corners have circumradius 0.22; farthest-first covers within twice the best.
  EXPECT_GT(hull->inradius, std::sqrt(1.0 - 4.0 * 0.22 * 0.22));
}

TEST(ConvexHull, SaysWhatIsWrong) {
  const auto message = [](const Points& points) {
    const auto hull = convex_hull(points);
    return hull ? std::string("fine") : hull.error().message;
  };
  Points flat, line, point(10, glm::dvec3(2.0));
  for (int i = 0; i < 10; ++i) {
    line.emplace_back(i, 2.0 * i, 1.0);
    for (int j = 0; j < 10; ++j) flat.emplace_back(i, j, 0.25 * i);
  }
  EXPECT_EQ(message({}), "a hull needs at least 4 points, there are 0");
  EXPECT_EQ(message(point), "a hull needs points in space: all 10 lie in one point");
  EXPECT_EQ(message(line), "a hull needs points in space: all 10 lie in one line");
  EXPECT_EQ(message(flat), "a hull needs points in space: all 100 lie in one plane");
  flat[5].z = NAN;
  EXPECT_EQ(message(flat), "a point of the hull is not finite");
}

TEST(ConvexHull, BoxHasTheOrderItNames) {
  const ConvexPolyhedron box = box_polyhedron({1.0, 2.0, 3.0});
  const glm::dvec3 half(1.0, 2.0, 3.0);
  for (std::size_t f = 0; f < 6; ++f) {
    const int axis = int(f) / 2;
    glm::dvec3 normal(0.0);
    normal[axis] = f % 2 ? -1.0 : 1.0;
    EXPECT_EQ(box.planes[f].normal, normal);
    EXPECT_EQ(box.planes[f].offset, half[axis]);
    for (const Index v : box.loop(Index(f)))
      EXPECT_EQ(box.vertices[std::size_t(v)][axis], normal[axis] * half[axis]);
  }
}

}  // namespace
}  // namespace limber::convex_hull_test
