#include "engine/geometry/queries/triangle_intersection.hpp"

#include <gtest/gtest.h>

#include <random>

namespace limber::triangle_intersection_test {
namespace {

const TrianglePoints flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};

TEST(TriangleIntersection, AnEdgeThroughTheInside) {
  EXPECT_TRUE(pierces({0.2, 0.2, -1}, {0.3, 0.3, 1}, flat));
  EXPECT_TRUE(pierces({0.3, 0.3, 1}, {0.2, 0.2, -1}, flat));
  EXPECT_FALSE(pierces({0.2, 0.2, 0.1}, {0.3, 0.3, 1}, flat)) << "ends before it";
  EXPECT_FALSE(pierces({0.8, 0.8, -1}, {0.8, 0.8, 1}, flat)) << "passes beside it";
  EXPECT_FALSE(pierces({0.2, 0.2, 0}, {0.3, 0.3, 1}, flat)) << "starts on it";
}

TEST(TriangleIntersection, TouchingAndCoplanarDoNotCount) {
  EXPECT_FALSE(intersect(flat, {{{0.1, 0.1, 0}, {0.9, 0.1, 0}, {0.1, 0.9, 0}}}));
  EXPECT_FALSE(intersect(flat, {{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}}));
  EXPECT_TRUE(intersect(flat, {{{0.1, 0.1, -0.5}, {0.2, 0.2, 0.5}, {3, 3, 0.4}}}));
}

/// The grid finds exactly the pairs found by testing all pairs, also for very different sizes.
TEST(TriangleIntersection, GridAgreesWithAllPairs) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-1.0, 1.0);
  for (double size : {0.05, 0.3, 2.0}) {
    std::vector<std::array<std::int32_t, 3>> triangles;
    std::vector<glm::dvec3> x;
    for (int t = 0; t < 150; ++t) {
      const glm::dvec3 center(place(random), place(random), place(random));
      const double scale = t == 0 ? 100.0 : size;  // one among them over very many cells
      for (int j = 0; j < 3; ++j)
        x.push_back(center + scale * glm::dvec3(place(random), place(random), place(random)));
      triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    x[5].x = std::nan("");  // triangle 1 is passed over
    std::vector<TrianglePair> all;
    for (std::int32_t a = 0; a < 150; ++a)
      for (std::int32_t b = a + 1; b < 150; ++b) {
        const auto at = [&](std::int32_t t) {
          return TrianglePoints{x[std::size_t(3 * t)], x[std::size_t(3 * t + 1)], x[std::size_t(3 * t + 2)]};
        };
        if (a != 1 && b != 1 && intersect(at(a), at(b))) all.push_back({a, b});
      }
    EXPECT_EQ(find_intersections(triangles, x), all);
    EXPECT_FALSE(all.empty());
  }
}

TEST(TriangleIntersection, NeighboursInTheMeshDoNotCount) {
  const std::vector<glm::dvec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.3, 0.3, 1}, {3, 3, 1}};
  const std::vector<std::array<std::int32_t, 3>> apart{{0, 1, 2}, {3, 4, 5}}, sharing{{0, 1, 2}, {3, 4, 0}};
  EXPECT_EQ(find_intersections(apart, x).size(), 1u);
  EXPECT_TRUE(find_intersections(sharing, x).empty());
}

}  // namespace
}  // namespace limber::triangle_intersection_test
