// Contact points of cloth features with a sphere, and which features need one.
#include "engine/contact/coupling/feature_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <random>

namespace limber { inline namespace LIMBER_PRECISION { namespace feature_points_test { namespace {

class Random {
 public:
  double in(double low, double high) { return std::uniform_real_distribution(low, high)(engine_); }
  vec3 direction() {
    glm::dvec3 d;
    do d = {in(-1.0, 1.0), in(-1.0, 1.0), in(-1.0, 1.0)};
    while (glm::length(d) < 0.1 || glm::length(d) > 1.0);
    return vec3(glm::normalize(d));
  }

 private:
  std::mt19937 engine_{7};
};

/// A capsule of no length is a sphere, but its edges are searched like those of any shape.
TEST(FeaturePoints, AnEdgeMeetsASphereWhereItMeetsACapsuleOfNoLength) {
  Random random;
  const ConvexShape sphere{ConvexKind::sphere, vec3(0.3, 0, 0), nullptr};
  const ConvexShape capsule{ConvexKind::capsule, vec3(0.3, 0, 0), nullptr};
  const Placed at{vec3(0.1, -0.2, 0.3), mat3(1)};
  int met = 0, unlike = 0;
  for (int i = 0; i < 500; ++i) {
    const vec3 n = random.direction(), along = glm::normalize(glm::cross(n, random.direction()));
    const vec3 middle = at.position + real(random.in(0.29, 0.33)) * n;
    const vec3 x[2] = {middle - real(random.in(0.0, 0.3)) * along,
                       middle + real(random.in(0.0, 0.3)) * along};
    const vec3 step[2] = {real(random.in(-0.04, 0.0)) * n, real(random.in(-0.04, 0.0)) * n};
    FeaturePoint a[2], b[2];
    const int count = edge_points(sphere, at, x, step, {real(0.01), real(0)}, a);
    if (count != edge_points(capsule, at, x, step, {real(0.01), real(0)}, b)) {
      ++unlike;  // one or two points for a flat part of nearly the length that divides the cases
      continue;
    }
    for (int k = 0; k < count; ++k, ++met) {
      EXPECT_NEAR(double(a[k].weight[0]), double(b[k].weight[0]), 0.05);  // where it is flat
      EXPECT_NEAR(double(a[k].start), double(b[k].start), 1e-4);
      EXPECT_GT(glm::dot(a[k].normal, b[k].normal), real(0.999));
    }
  }
  EXPECT_GT(met, 100);
  EXPECT_LT(unlike, 15);
}

/// An edge of 40 cm that slides along itself over a capsule touches it at one and the same place: the point
/// does not jump between values of a grid on the edge.
TEST(FeaturePoints, AnEdgeThatSlidesAlongItselfTouchesAtOnePlace) {
  const ConvexShape capsule{ConvexKind::capsule, vec3(0.1, 0.5, 0), nullptr};
  const vec3 along = glm::normalize(vec3(1, real(0.3), 0)), over(0, 0, real(0.105));
  double least = 1.0, most = -1.0;
  for (int k = 0; k < 400; ++k) {
    const vec3 middle = over + real(1e-4 * k - 0.02) * along;
    FeaturePoint found[2];
    const int count = edge_points(capsule, {}, {middle - real(0.2) * along, middle + real(0.2) * along},
                                  {vec3(0), vec3(0)}, {real(0.01), real(0)}, found);
    ASSERT_EQ(count, 1) << k;
    const vec3 touched = middle + real(0.4) * (found[0].weight[1] - real(0.5)) * along;
    least = std::min(least, double(glm::dot(touched, along))),
    most = std::max(most, double(glm::dot(touched, along)));
  }
  EXPECT_LT(most - least, 7e-7);
}

/// Triangles whose corners lie as deep as contacts let them, t above the sphere: where corners_suffice(), no
/// point of theirs is nearer than 2/3 t, and somewhat larger ones come nearer.
TEST(FeaturePoints, CornersKeepSmallTrianglesOutOfASphere) {
  Random random;
  const real radius = real(0.3), thickness = real(0.01);
  const ConvexShape sphere{ConvexKind::sphere, vec3(radius, 0, 0), nullptr};
  real least = thickness, least_of_larger = thickness;
  for (int i = 0; i < 3000; ++i) {
    const vec3 n = random.direction();
    const real size = real(random.in(0.01, 0.06));
    vec3 x[3];
    for (vec3& corner : x)
      corner = (radius + thickness) * glm::normalize(n + size / radius * random.direction());
    const real longest =
        std::max({glm::length(x[1] - x[0]), glm::length(x[2] - x[1]), glm::length(x[0] - x[2])});
    for (int k = 0; k < 200; ++k) {
      const double u = std::sqrt(random.in(0.0, 1.0)), v = random.in(0.0, 1.0);
      const vec3 inside = real(1.0 - u) * x[0] + real(u * (1.0 - v)) * x[1] + real(u * v) * x[2];
      const real distance = glm::length(inside) - radius;
      if (corners_suffice(sphere, longest, thickness))
        least = std::min(least, distance);
      else if (corners_suffice(sphere, longest / 2, thickness))
        least_of_larger = std::min(least_of_larger, distance);
    }
  }
  EXPECT_GE(least, real(2.0 / 3.0 - 1e-3) * thickness);
  EXPECT_LT(least_of_larger, real(2.0 / 3.0) * thickness);
  const ConvexShape box{ConvexKind::box, vec3(radius), nullptr};
  EXPECT_FALSE(corners_suffice(box, real(1e-3), thickness)) << "a corner pokes through any triangle";
}

}}}}  // namespace limber::LIMBER_PRECISION::feature_points_test
