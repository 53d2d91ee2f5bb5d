// Removal of triangles too thin to simulate, and the effect of remaining ones on a cloth.
#include "engine/geometry/mesh/slivers.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <tuple>

#include "engine/geometry/files/obj_writer.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/even_masses.hpp"
#include "engine/geometry/mesh/grid.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber::slivers_test { namespace {

constexpr double thinnest = 0.02;

/// Cuts every triangle that crosses the plane in three: vertices near the plane get slivers of any thinness.
void slice(TriMesh& mesh, const glm::dvec3& normal, double distance) {
  std::map<std::pair<Index, Index>, Index> cuts;
  const auto side = [&](Index v) { return glm::dot(mesh.positions[std::size_t(v)], normal) - distance; };
  const auto cut = [&](Index a, Index b) {
    const auto [low, high] = std::minmax(a, b);
    const auto [at, added] = cuts.try_emplace({low, high}, Index(mesh.positions.size()));
    const glm::dvec3 p = mesh.positions[std::size_t(low)], q = mesh.positions[std::size_t(high)];
    if (added) mesh.positions.push_back(glm::mix(p, q, side(low) / (side(low) - side(high))));
    return at->second;
  };
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles) {
    const int above = int(side(t[0]) >= 0.0) + int(side(t[1]) >= 0.0) + int(side(t[2]) >= 0.0);
    if (above == 0 || above == 3) {
      triangles.push_back(t);
      continue;
    }
    std::size_t k = 0;
    while ((side(t[k]) >= 0.0) != (above == 1)) ++k;
    const Index a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], ab = cut(a, b), ac = cut(a, c);
    triangles.insert(triangles.end(), {{a, ab, ac}, {ab, b, c}, {ab, c, ac}});
  }
  mesh.triangles = std::move(triangles);
}

/// A ball of 1 m with some hundred slivers, the thinnest a millionth of their length.
TriMesh sliced_ball() {
  TriMesh ball = make_icosphere(4, 0.5);
  for (int i = 0; i < 24; ++i) {
    const glm::dvec3 n(std::cos(2.4 * i), std::sin(1.7 * i), std::cos(0.9 * i + 1.0));
    slice(ball, glm::normalize(n), 0.45 * std::sin(3.1 * i));
  }
  return ball;
}

double thinness(const TriMesh& mesh, const Triangle& t) {
  double longest = 0.0;
  const auto at = [&](int k) { return mesh.positions[std::size_t(t[std::size_t(k % 3)])]; };
  for (int k = 0; k < 3; ++k) longest = std::max(longest, glm::distance(at(k), at(k + 1)));
  return glm::length(glm::cross(at(1) - at(0), at(2) - at(0))) / (longest * longest);
}

int slivers_of(const TriMesh& mesh) {
  int count = 0;
  for (const Triangle& t : mesh.triangles) count += thinness(mesh, t) < thinnest;
  return count;
}

SliverReport clean(TriMesh& mesh) {
  std::vector<int> lines;
  std::vector<Index> names;
  return remove_slivers(mesh, lines, names, thinnest);
}

TEST(Slivers, ASlicedBallKeepsItsShape) {
  TriMesh ball = sliced_ball();
  const TriMesh before = ball;
  ASSERT_GT(slivers_of(before), 300);
  const SliverReport report = clean(ball);
  EXPECT_LE(slivers_of(ball), 20);
  EXPECT_EQ(report.left, slivers_of(ball));
  EXPECT_LT(report.collapsed + report.short_edges, int(before.positions.size()) / 2);
  const auto inside = enclose(ball);  // closed, wound one way
  ASSERT_TRUE(inside) << inside.error().text();
  EXPECT_NEAR(inside->volume, enclosed(before.triangles, before.positions).volume, 1e-3 * inside->volume);
  const auto topology = build_topology(ball.triangles, Index(ball.positions.size()));
  ASSERT_TRUE(topology) << topology.error().text();
  EXPECT_EQ(int(ball.positions.size()) - int(topology->edges.size()) + int(ball.triangles.size()), 2);
  for (std::size_t v = 0; v < before.positions.size(); ++v) {
    const glm::dvec3 now = ball.positions[std::size_t(report.becomes[v])];
    EXPECT_LT(glm::distance(before.positions[v], now), 0.02);
  }
}

TEST(Slivers, ARegularMeshStaysAsItIs) {
  TriMesh grid = make_grid(20, 30, 1.0, 1.0, true);
  const TriMesh before = grid;
  EXPECT_FALSE(clean(grid).changed());
  EXPECT_EQ(grid.triangles, before.triangles);
  EXPECT_EQ(grid.positions, before.positions);
}

/// Around y, closed by a fan at either end.
TriMesh tube(int sides, double radius, double length) {
  TriMesh mesh;
  for (const double y : {0.0, length})
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * 3.14159265358979323846 * k / sides;
      mesh.positions.emplace_back(radius * std::cos(angle), y, radius * std::sin(angle));
    }
  for (Index k = 0; k < sides; ++k) {
    const Index next = (k + 1) % sides;
    mesh.triangles.insert(mesh.triangles.end(), {{k, k + sides, next}, {next, k + sides, next + sides}});
    if (k > 0 && k + 1 < sides)
      mesh.triangles.insert(mesh.triangles.end(), {{0, k, k + 1}, {sides, sides + k + 1, sides + k}});
  }
  return mesh;
}

TEST(Slivers, LongTubesAreClean) {
  for (const auto& [sides, radius, length] : {std::tuple(24, 0.05, 2.0), {48, 0.25, 1.0}, {64, 0.01, 5.0}}) {
    TriMesh mesh = tube(sides, radius, length);
    const double volume = enclosed(mesh.triangles, mesh.positions).volume;
    clean(mesh);
    EXPECT_NEAR(enclosed(mesh.triangles, mesh.positions).volume, volume, 0.005 * volume) << sides;
    EXPECT_EQ(mesh.positions.size(), std::size_t(2 * sides));
  }
}

/// However much of the mesh is called a sliver.
TEST(Slivers, RemovalIsBoundedByItsError) {
  TriMesh ball = sliced_ball();
  const TriMesh before = ball;
  const auto area = [](const TriMesh& mesh) {
    double sum = 0.0;
    for (const Triangle& t : mesh.triangles) {
      const auto at = [&](int k) { return mesh.positions[std::size_t(t[std::size_t(k)])]; };
      sum += 0.5 * glm::length(glm::cross(at(1) - at(0), at(2) - at(0)));
    }
    return sum;
  };
  std::vector<int> lines;
  std::vector<Index> names;
  const SliverReport report = remove_slivers(ball, lines, names, 0.5);
  EXPECT_TRUE(report.changed());
  const double volume = enclosed(before.triangles, before.positions).volume;
  EXPECT_NEAR(enclosed(ball.triangles, ball.positions).volume, volume, 0.005 * volume);
  EXPECT_NEAR(area(ball), area(before), 0.005 * area(before));
  for (std::size_t v = 0; v < before.positions.size(); ++v)
    EXPECT_LT(glm::distance(before.positions[v], ball.positions[std::size_t(report.becomes[v])]),
              0.01 * std::sqrt(3.0));
}

/// Vertex 4 lies a thousandth above the edge 0-1, which the triangle below shares.
TEST(Slivers, ACapHasItsLongSideFlipped) {
  TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}, {0.5, 1e-3, 0}},
               {},
               {{0, 1, 4}, {1, 2, 4}, {2, 0, 4}, {1, 0, 3}}};
  const SliverReport report = clean(mesh);
  EXPECT_EQ(report.flipped, 1);
  EXPECT_EQ(report.collapsed + report.short_edges + report.left, 0);
  EXPECT_EQ(mesh.positions.size(), 5u);
  EXPECT_EQ(slivers_of(mesh), 0);
}

/// A corner of a border is not pulled off the border, and a strip no wider than a sliver does not vanish.
TEST(Slivers, TheBorderStays) {
  TriMesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e-3, 1e-3, 0}}, {}, {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  const SliverReport report = clean(corner);
  EXPECT_EQ(corner.triangles.size(), 1u);
  EXPECT_EQ(report.becomes[3], report.becomes[0]);
  EXPECT_EQ(corner.positions[0], glm::dvec3(0.0));
  TriMesh ribbon{{{0, 0, 0}, {1, 0, 0}, {1, 1e-3, 0}, {0, 1e-3, 0}}, {}, {{0, 1, 2}, {0, 2, 3}}};
  clean(ribbon);
  EXPECT_GE(ribbon.triangles.size(), 1u);
  TriMesh needle{
      {{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1}}, {}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  clean(needle);
  EXPECT_EQ(needle.triangles.size(), 4u);  // a tetrahedron has no edge to spare
}

TEST(EvenMasses, NoVertexIsFarLighterThanItsNeighbours) {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}};
  std::vector<double> masses{1.0, 1e-6, 1.0, 0.5};
  EXPECT_EQ(even_masses(masses, edges), 1);
  EXPECT_NEAR(masses[1], least_mass_share * 0.5 * (masses[0] + masses[2]), 1e-9);
  EXPECT_NEAR(masses[0] + masses[1] + masses[2] + masses[3], 2.500001, 1e-12);
  const std::vector<double> before = masses;
  EXPECT_EQ(even_masses(masses, edges), 0);
  EXPECT_EQ(masses, before);
}

/// Dropped from 1 m, at defaults: 4.4 m/s at the impact.
struct Fall {
  double fastest = 0.0, strain = 0.0, volume_error = 0.0;
};
Fall fall_of(const std::string& mesh, double weld, double pressure) {
  SceneDesc scene;
  ObjectDesc& cloth = scene.objects.emplace_back();
  cloth.name = "cloth";
  cloth.mesh = mesh;
  cloth.cloth->weld = weld;
  cloth.pressure = pressure;
  cloth.material->bend_compliance = 3.8e3;
  cloth.pose.position = {0.0, 1.5, 0.0};
  ColliderDesc& ground = scene.colliders.emplace_back();
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  const auto simulation = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
  EXPECT_TRUE(simulation) << simulation.error().text();
  Fall fall;
  for (int frame = 0; frame < 60; ++frame) {
    (*simulation)->step();
    const Measures now = (*simulation)->measure();
    fall.fastest = std::max(fall.fastest, now.max_speed);
    fall.strain = now.strain.mean;
    fall.volume_error = now.volume_error_max;
  }
  return fall;
}

TEST(Slivers, ASlicedBallFallsLikeABall) {
  const std::string file = testing::TempDir() + "limber_sliced_ball.obj";
  ASSERT_TRUE(write_obj(sliced_ball(), file));
  for (const double pressure : {0.0, 1.5}) {
    const Fall fall = fall_of(file, thinnest, pressure);
    EXPECT_LT(fall.fastest, 1.5 * 4.43 * std::sqrt(2.0)) << pressure;  // the top of it falls from 2 m
    EXPECT_LT(fall.strain, 0.5) << pressure;
    EXPECT_LT(fall.volume_error, 0.05) << pressure;
  }
  std::filesystem::remove(file);
}

}}  // namespace limber::slivers_test
