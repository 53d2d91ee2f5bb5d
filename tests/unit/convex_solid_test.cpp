#include "engine/geometry/convex/convex_solid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/geometry/queries/sweeps.hpp"
#include "engine/parallel/random.hpp"

namespace limber::convex_solid_test {
namespace {

glm::dvec3 random_point(std::uint64_t seed, std::uint64_t i) {
  return {random_signed(seed, 3 * i), random_signed(seed, 3 * i + 1), random_signed(seed, 3 * i + 2)};
}

template <class Real>
struct ConvexSolids : ::testing::Test {
  using Vector = glm::vec<3, Real>;
  static constexpr Real eps = std::numeric_limits<Real>::epsilon();

  std::vector<glm::dvec3> cloud;
  ConvexPolyhedron polyhedron;
  std::vector<ConvexSolid<Real>> solids;

  ConvexSolids() {
    for (std::uint64_t i = 0; i < 30; ++i) cloud.push_back(glm::dvec3(0.8, 0.5, 0.7) * random_point(7, i));
    polyhedron = *convex_hull(cloud);
    solids = {{ConvexKind::sphere, Vector(0.6)},
              {ConvexKind::capsule, Vector(Real(0.3), Real(0.5), 0)},
              {ConvexKind::box, Vector(Real(0.4), Real(0.7), Real(0.3))},
              {ConvexKind::cylinder, Vector(Real(0.5), Real(0.4), 0)},
              {ConvexKind::hull, Vector(0), &polyhedron}};
  }
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ConvexSolids, Precisions);

/// Checks the signed distance of convex solids. For points outside, the point p - d n belongs to the solid,
/// and the plane there has the whole solid on one side. For points inside, p - d n is on the surface and no
/// plane is nearer.
TYPED_TEST(ConvexSolids, DistanceIsProvenByAPlaneAndAPoint) {
  using Vector = typename TestFixture::Vector;
  const TypeParam tolerance = 32 * this->eps;
  for (const auto& solid : this->solids)
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Vector p(1.2 * random_point(3, i));
      const auto out = surface_distance(solid, p);
      ASSERT_NEAR(glm::length(out.n), 1, tolerance);
      const TypeParam farthest = glm::dot(out.n, support(solid, out.n));
      EXPECT_NEAR(glm::dot(out.n, p) - farthest, out.d, tolerance) << int(solid.kind);
      EXPECT_NEAR(surface_distance(solid, p - out.d * out.n).d, 0, tolerance);
      if (out.d > 0) continue;
      for (std::uint64_t k = 0; k < 20; ++k) {
        const Vector n = glm::normalize(Vector(random_point(5, 20 * i + k)));
        EXPECT_LE(glm::dot(n, p - support(solid, n)), out.d + tolerance);
      }
    }
}

/// At the entry the distance is zero and falling; before it, it is positive.
TYPED_TEST(ConvexSolids, PathsEnterWhereTheDistanceIsZero) {
  using Vector = typename TestFixture::Vector;
  int entries = 0;
  for (const auto& solid : this->solids)
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Vector a(2.0 * random_point(11, i)), step = Vector(1.5 * random_point(12, i)) - a;
      const TypeParam t = path_entry(solid, a, step);
      if (surface_distance(solid, a).d < 0) {
        EXPECT_GT(t, 1) << "starts inside";
        continue;
      }
      const int samples = 50;
      for (int k = 0; k <= samples; ++k) {
        const TypeParam s = TypeParam(k) / samples;
        if (!(s < t)) break;
        EXPECT_GT(surface_distance(solid, a + s * step).d, -64 * this->eps) << int(solid.kind);
      }
      if (t > 1) continue;
      ++entries;
      EXPECT_NEAR(surface_distance(solid, a + t * step).d, 0, 64 * this->eps) << int(solid.kind);
    }
  EXPECT_GT(entries, 200);
}

TYPED_TEST(ConvexSolids, BoundingRadiusHoldsEverySupport) {
  for (const auto& solid : this->solids) {
    TypeParam farthest = 0;
    for (std::uint64_t i = 0; i < 2000; ++i)
      farthest =
          std::max(farthest, glm::length(support(solid, typename TestFixture::Vector(random_point(2, i)))));
    EXPECT_LE(farthest, bounding_radius(solid) * (1 + 4 * this->eps));
    EXPECT_GE(farthest, bounding_radius(solid) * TypeParam(0.99));
  }
}

}  // namespace
}  // namespace limber::convex_solid_test
