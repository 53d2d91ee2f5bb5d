#include "engine/geometry/queries/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/geometric.hpp>
#include <limits>
#include <random>

#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "tests/torus.hpp"

namespace limber::primitives_test {
namespace {

template <class Real>
struct Primitives : ::testing::Test {
  using vec3 = glm::vec<3, Real>;
  using Solid = std::function<SurfaceDistance<Real>(const vec3&)>;

  // An operation on numbers of size 1 errs by one epsilon; a distance takes fewer than 16 operations.
  static constexpr Real tolerance = 16 * std::numeric_limits<Real>::epsilon();

  const vec3 extents{Real(0.5), Real(0.75), Real(1)};
  const Solid plane = [](const vec3& p) { return plane_distance(p); };
  const Solid sphere = [](const vec3& p) { return sphere_distance(p, Real(0.8)); };
  const Solid box = [this](const vec3& p) { return box_distance(p, extents); };
  const Solid capsule = [](const vec3& p) { return capsule_distance(p, Real(0.4), Real(0.5)); };

  void expect(const Solid& solid, const vec3& p, Real d, const vec3& n) {
    const SurfaceDistance<Real> got = solid(p);
    EXPECT_NEAR(got.d, d, tolerance) << p.x << ' ' << p.y << ' ' << p.z;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(got.n[k], n[k], tolerance) << p.x << ' ' << p.y << ' ' << p.z;
  }
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Primitives, Precisions);

TYPED_TEST(Primitives, KnownPoints) {
  using R = TypeParam;
  this->expect(this->plane, {3, R(0.5), -2}, R(0.5), {0, 1, 0});
  this->expect(this->plane, {3, R(-0.5), -2}, R(-0.5), {0, 1, 0});
  this->expect(this->sphere, {0, 0, R(-1.3)}, R(0.5), {0, 0, -1});
  this->expect(this->sphere, {R(0.3), 0, R(0.4)}, R(-0.3), {R(0.6), 0, R(0.8)});
  this->expect(this->sphere, {0, R(0.8), 0}, 0, {0, 1, 0});
  this->expect(this->capsule, {R(0.6), R(0.2), 0}, R(0.2), {1, 0, 0});
  this->expect(this->capsule, {0, R(-1.5), 0}, R(0.6), {0, -1, 0});
  this->expect(this->capsule, {R(0.3), R(0.9), 0}, R(0.1), {R(0.6), R(0.8), 0});
  this->expect(this->capsule, {0, R(-0.1), R(-0.1)}, R(-0.3), {0, 0, -1});
  this->expect(this->box, {2, R(0.1), R(0.2)}, R(1.5), {1, 0, 0});                     // face
  this->expect(this->box, {R(0.8), R(-1.15), 0}, R(0.5), {R(0.6), R(-0.8), 0});        // edge
  this->expect(this->box, {R(-1.5), R(2.75), 3}, 3, {-R(1) / 3, R(2) / 3, R(2) / 3});  // corner
  this->expect(this->box, {R(0.1), R(0.6), R(0.7)}, R(-0.15), {0, 1, 0});              // inside
  this->expect(this->box, {R(0.1), R(-0.75), R(0.2)}, 0, {0, -1, 0});                  // on a face
}

TYPED_TEST(Primitives, DegenerateSpotsHaveAUnitNormal) {
  using R = TypeParam;
  const R tiny = std::numeric_limits<R>::denorm_min();
  this->expect(this->sphere, {0, 0, 0}, R(-0.8), {0, 1, 0});
  this->expect(this->sphere, {0, 0, -tiny}, R(-0.8), {0, 0, -1});
  this->expect(this->capsule, {0, 0, 0}, R(-0.4), {1, 0, 0});
  this->expect(this->capsule, {0, R(0.5), 0}, R(-0.4), {1, 0, 0});
  this->expect(this->capsule, {0, R(0.3), tiny}, R(-0.4), {0, 0, 1});
  this->expect(this->box, {0, 0, 0}, R(-0.5), {1, 0, 0});
  this->expect(this->box, {R(0.5), R(0.75), 1}, 0, {1, 0, 0});
  this->expect(this->box, {R(0.5), R(0.75), R(1) + std::numeric_limits<R>::epsilon()},
               std::numeric_limits<R>::epsilon(), {0, 0, 1});
  EXPECT_EQ(box_distance(glm::vec<3, R>(0), glm::vec<3, R>(0)).d, R(0));
  EXPECT_EQ(capsule_distance(glm::vec<3, R>(0), R(0.4), R(0)).n.x, R(1));
}

/// Checks the definition of a signed distance: the normal is a unit vector, -d n leads to the surface, the
/// distance never changes faster than the point moves (so it is never too large), and it is negative inside.
TYPED_TEST(Primitives, DistancesOfRandomPoints) {
  using R = TypeParam;
  using vec3 = glm::vec<3, R>;
  std::mt19937 random(1);
  std::uniform_real_distribution<R> uniform(R(-1.5), R(1.5));
  const auto point = [&] { return vec3(uniform(random), uniform(random), uniform(random)); };
  for (const auto& solid : {this->plane, this->sphere, this->box, this->capsule}) {
    for (int i = 0; i < 5000; ++i) {
      const vec3 p = point(), q = point();
      const SurfaceDistance<R> at_p = solid(p), at_q = solid(q);
      ASSERT_NEAR(glm::length(at_p.n), R(1), this->tolerance);
      ASSERT_NEAR(solid(p - at_p.d * at_p.n).d, R(0), this->tolerance);
      ASSERT_LE(std::abs(at_p.d - at_q.d), glm::distance(p, q) + this->tolerance);
    }
  }
}

TYPED_TEST(Primitives, FarAndTinyPointsStayFinite) {
  using R = TypeParam;
  using vec3 = glm::vec<3, R>;
  for (R size :
       {std::numeric_limits<R>::denorm_min(), std::numeric_limits<R>::min(), R(1e-20), R(1e20), R(1e38)}) {
    for (const vec3& direction : {vec3(1, 0, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(1, 1, -1)}) {
      for (const auto& solid : {this->plane, this->sphere, this->box, this->capsule}) {
        const SurfaceDistance<R> got = solid(size * direction);
        EXPECT_TRUE(std::isfinite(got.d));
        EXPECT_NEAR(glm::length(got.n), R(1), this->tolerance);
      }
    }
  }
}

double volume(const TriMesh& mesh) {
  double sum = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    sum += glm::dot(mesh.positions[a], glm::cross(mesh.positions[b], mesh.positions[c])) / 6.0;
  }
  return sum;
}

/// Closed, outward, of the expected volume (inscribed polyhedra fall short by the given share), and with
/// every vertex on the surface that `distance` describes.
void expect_closed(const TriMesh& mesh, double exact_volume, double shortfall,
                   const std::function<double(const glm::dvec3&)>& distance) {
  const auto topology = build_topology(mesh.triangles, static_cast<Index>(mesh.positions.size()));
  ASSERT_TRUE(topology) << topology.error().text();
  EXPECT_EQ(topology->boundary_edges, 0);
  EXPECT_LE(volume(mesh), exact_volume * (1.0 + 1e-12));
  EXPECT_GE(volume(mesh), exact_volume * (1.0 - shortfall));
  for (const glm::dvec3& p : mesh.positions) EXPECT_NEAR(distance(p), 0.0, 1e-14);
  std::vector<bool> used(mesh.positions.size(), false);
  for (const Triangle& t : mesh.triangles) {
    for (Index v : t) used[v] = true;
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
}

TEST(Shapes, Icosphere) {
  const TriMesh mesh = make_icosphere(4, 0.5);
  EXPECT_EQ(mesh.triangles.size(), 20u * 256);
  EXPECT_EQ(mesh.positions.size(), 10u * 256 + 2);
  // A flat triangle of edge e lies e^2/(8 r^2) of the radius too deep on average, which takes three times
  // that share of the volume; e = 0.075 r here: 0.2 %, with room for the longer edges.
  expect_closed(mesh, std::acos(-1.0) / 6.0, 0.005, [](const auto& p) { return sphere_distance(p, 0.5).d; });
}

TEST(Shapes, Box) {
  const glm::dvec3 extents(0.5, 1.0, 0.25);
  const TriMesh mesh = make_box(extents, 3);
  EXPECT_EQ(mesh.positions.size(), 56u);
  expect_closed(mesh, 1.0, 1e-12, [&](const auto& p) { return box_distance(p, extents).d; });
}

TEST(Shapes, Capsule) {
  const double pi = std::acos(-1.0);
  // Flat cells of s = 15 degrees both ways lie s^2/12 + s^2/12 of the radius too deep on average, which takes
  // three times that share of a sphere's volume (3.4 %) and less of a cylinder's.
  for (double half_length : {0.0, 0.01, 0.7}) {
    const double exact = 4.0 / 3.0 * pi * 0.027 + pi * 0.09 * 2.0 * half_length;
    expect_closed(make_capsule(0.3, half_length, 24, 6), exact, 0.035,
                  [&](const auto& p) { return capsule_distance(p, 0.3, half_length).d; });
  }
}

TEST(Shapes, Torus) {
  const double pi = std::acos(-1.0);
  expect_closed(make_torus(1.0, 0.3, 48, 24), 2.0 * pi * pi * 0.09, 0.02,
                [](const glm::dvec3& p) { return std::hypot(std::hypot(p.x, p.z) - 1.0, p.y) - 0.3; });
}

}  // namespace
}  // namespace limber::primitives_test
