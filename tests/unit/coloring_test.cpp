#include "engine/coloring/coloring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "engine/coloring/patches.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "tests/vectors.hpp"

namespace limber::coloring_test {
namespace {

using Pairs = std::vector<std::array<Index, 2>>;

template <std::size_t N>
std::vector<Index> flat(const std::vector<std::array<Index, N>>& constraints) {
  std::vector<Index> vertices;
  for (const auto& constraint : constraints)
    vertices.insert(vertices.end(), constraint.begin(), constraint.end());
  return vertices;
}

int color_count(const Pairs& springs, Index vertex_count) {
  return greedy_coloring(flat(springs), 2, vertex_count).count;
}

std::vector<int> sizes(const Coloring& coloring) {
  std::vector<int> of_color(coloring.count, 0);
  for (auto color : coloring.color) ++of_color.at(color);
  return of_color;
}

/// No two constraints of one colour share a vertex, and every colour is used.
void expect_valid(const Coloring& coloring, const std::vector<Index>& vertices, int arity) {
  ASSERT_EQ(coloring.color.size() * arity, vertices.size());
  std::set<std::pair<std::int32_t, Index>> taken;
  for (std::size_t c = 0; c < coloring.color.size(); ++c) {
    const std::set<Index> stencil(vertices.begin() + c * arity, vertices.begin() + (c + 1) * arity);
    for (Index v : stencil) EXPECT_TRUE(taken.insert({coloring.color[c], v}).second) << "constraint " << c;
  }
  for (int size : sizes(coloring)) EXPECT_GT(size, 0);
}

std::vector<Index> random_constraints(std::mt19937& random, int count, int arity, Index vertex_count) {
  std::vector<Index> vertices(static_cast<std::size_t>(count) * arity);
  for (Index& v : vertices) v = static_cast<Index>(random() % vertex_count);
  return vertices;
}

TEST(Coloring, CountsOfTheVectors) {
  const auto reference = test::vector_case("graph_colouring_counts");
  Pairs chain, odd_ring, even_ring, star, grid;
  for (Index i = 0; i < 50; ++i) chain.push_back({i, i + 1});
  for (Index i = 0; i < 5; ++i) odd_ring.push_back({i, (i + 1) % 5});
  for (Index i = 0; i < 6; ++i) even_ring.push_back({i, (i + 1) % 6});
  for (Index i = 1; i <= 10; ++i) star.push_back({0, i});
  for (Index r = 0; r < 8; ++r) {
    for (Index c = 0; c + 1 < 8; ++c) grid.push_back({8 * r + c, 8 * r + c + 1});
  }
  for (Index r = 0; r + 1 < 8; ++r) {
    for (Index c = 0; c < 8; ++c) grid.push_back({8 * r + c, 8 * r + c + 8});
  }
  EXPECT_TRUE(test::matches<double>(reference, "chain_50", color_count(chain, 51)));
  EXPECT_TRUE(test::matches<double>(reference, "closed_odd_ring_5", color_count(odd_ring, 5)));
  EXPECT_TRUE(test::matches<double>(reference, "closed_even_ring_6", color_count(even_ring, 6)));
  EXPECT_TRUE(test::matches<double>(reference, "grid_structural_8x8", color_count(grid, 64)));
  EXPECT_TRUE(test::matches<double>(reference, "star_10_colours", color_count(star, 11)));
}

/// The numbers of colours that the performance plan counts on: 6-10 for edges, 14-21 for hinges.
TEST(Coloring, CountsOfAClothGrid) {
  const Index side = 100, count = side * side;
  const TriMesh mesh = make_grid(side, side, 1.0, 1.0, true);
  const auto topology = build_topology(mesh.triangles, count);
  const auto edges = flat(topology->edges), hinges = flat(topology->hinges);
  const Coloring of_edges = greedy_coloring(edges, 2, count), of_hinges = greedy_coloring(hinges, 4, count);
  expect_valid(of_edges, edges, 2);
  expect_valid(of_hinges, hinges, 4);
  EXPECT_GE(of_edges.count, 6);
  EXPECT_LE(of_edges.count, 10);
  EXPECT_GE(of_hinges.count, 14);
  EXPECT_LE(of_hinges.count, 21);
  RecordProperty("edge_colors", of_edges.count);
  RecordProperty("hinge_colors", of_hinges.count);
}

/// First fit: a constraint has every smaller colour among the earlier constraints on its vertices. Balancing
/// the colours instead makes the sweep directional, and a hanging cloth then never comes to rest.
TEST(Coloring, TakesTheSmallestFreeColor) {
  std::mt19937 random(21);
  const Index vertex_count = 50;
  const auto vertices = random_constraints(random, 400, 3, vertex_count);
  const Coloring coloring = greedy_coloring(vertices, 3, vertex_count);
  std::vector<std::set<std::int32_t>> used(vertex_count);
  for (std::size_t c = 0; c < coloring.color.size(); ++c) {
    std::set<std::int32_t> taken;
    for (int k = 0; k < 3; ++k)
      taken.insert(used[vertices[3 * c + k]].begin(), used[vertices[3 * c + k]].end());
    std::int32_t smallest = 0;
    while (taken.count(smallest)) ++smallest;
    ASSERT_EQ(coloring.color[c], smallest);
    for (int k = 0; k < 3; ++k) used[vertices[3 * c + k]].insert(smallest);
  }
}

TEST(Coloring, RandomConstraintsOfEveryArity) {
  std::mt19937 random(11);
  for (int arity = 1; arity <= 5; ++arity) {
    const Index vertex_count = 40;
    const auto vertices = random_constraints(random, 300, arity, vertex_count);
    expect_valid(greedy_coloring(vertices, arity, vertex_count), vertices, arity);
  }
}

/// A hub with more constraints than one mask has bits.
TEST(Coloring, StarWithManyColors) {
  Pairs star;
  for (Index i = 1; i <= 1000; ++i) star.push_back({0, i});
  for (Index i = 1; i < 1000; ++i) star.push_back({i, i + 1});
  const Coloring coloring = greedy_coloring(flat(star), 2, 1001);
  expect_valid(coloring, flat(star), 2);
  EXPECT_EQ(coloring.count, 1000);
}

TEST(Coloring, NothingToColor) {
  EXPECT_EQ(greedy_coloring({}, 2, 0).count, 0);
  EXPECT_EQ(sequential_levels({}, 4, 3).count, 0);
  EXPECT_TRUE(bisection_order({}, 512).empty());
}

/// In levels, every vertex sees the same constraints in the same order as one by one, so the sweep gives the
/// same bits. No two constraints of a level share a vertex, so a level may run in parallel.
TEST(SequentialLevels, EveryVertexSeesTheOriginalOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    const int arity = 1 + static_cast<int>(random() % 4);
    const Index vertex_count = 1 + static_cast<Index>(random() % 60);
    const auto vertices = random_constraints(random, static_cast<int>(random() % 400), arity, vertex_count);
    const Coloring levels = sequential_levels(vertices, arity, vertex_count);
    expect_valid(levels, vertices, arity);
    std::vector<int> by_level(levels.color.size());
    std::iota(by_level.begin(), by_level.end(), 0);
    // Within a level any order must do; the reverse is the one farthest from the original.
    std::sort(by_level.begin(), by_level.end(),
              [&](int a, int b) { return std::pair(levels.color[a], -a) < std::pair(levels.color[b], -b); });
    std::vector<std::vector<int>> original(vertex_count), leveled(vertex_count);
    const auto visit = [&](int constraint, std::vector<std::vector<int>>& seen) {
      const auto begin = vertices.begin() + constraint * arity;
      for (Index v : std::set<Index>(begin, begin + arity)) seen[v].push_back(constraint);
    };
    for (int c = 0; c < static_cast<int>(by_level.size()); ++c) visit(c, original);
    for (int c : by_level) visit(c, leveled);
    ASSERT_EQ(original, leveled);
  }
}

TEST(SequentialLevels, LevelsAreAsLowAsPossible) {
  // A chain in order depends on itself all the way; in even-odd order it needs two levels.
  EXPECT_EQ(sequential_levels(flat(Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}}), 2, 5).color,
            (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(sequential_levels(flat(Pairs{{0, 1}, {2, 3}, {1, 2}, {3, 4}}), 2, 5).color,
            (std::vector<std::int32_t>{0, 0, 1, 1}));
}

/// A shuffled grid: few edges cross the borders of the patches, whatever the order of the vertices was.
TEST(BisectionOrder, PatchesOfAShuffledGridAreCompact) {
  const int columns = 120, rows = 90, patch = 512;
  TriMesh mesh = make_grid(columns, rows, 12.0, 9.0, true);
  std::vector<Index> shuffled(mesh.positions.size());
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  std::mt19937 random(3);
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  std::vector<glm::dvec3> positions(mesh.positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) positions[std::size_t(shuffled[v])] = mesh.positions[v];
  const auto order = bisection_order(positions, patch);
  std::vector<Index> patch_of(order.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i) patch_of[std::size_t(order[i])] = Index(i) / patch;
  EXPECT_EQ(std::count(patch_of.begin(), patch_of.end(), -1), 0) << "every vertex has a number";
  std::size_t across = 0;
  const auto edges = build_topology(mesh.triangles, columns * rows)->edges;
  for (const Edge& e : edges)
    across += patch_of[std::size_t(shuffled[std::size_t(e[0])])] !=
              patch_of[std::size_t(shuffled[std::size_t(e[1])])];
  // A square patch of n vertices has 4 sqrt(n) on its border; half of their 3 edges a vertex leave it, each
  // shared with a neighbour: 4 sqrt(n) * 2 / 2 of 3 n, 6 %; patches twice as long as wide 6 % more of that.
  EXPECT_LT(double(across) / double(edges.size()), 0.08);
  EXPECT_EQ(order, bisection_order(positions, patch));
}

TEST(BisectionOrder, CoincidentVerticesKeepTheirOrder) {
  const std::vector<glm::dvec3> same(1000, glm::dvec3(1.0, 2.0, 3.0));
  std::vector<Index> expected(same.size());
  std::iota(expected.begin(), expected.end(), Index{0});
  EXPECT_EQ(bisection_order(same, 64), expected);
}

}  // namespace
}  // namespace limber::coloring_test
