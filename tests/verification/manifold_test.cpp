#include "engine/contact/bodies/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>
#include <vector>

#include "engine/contact/bodies/box_manifold.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "tests/torus.hpp"
#include "tests/verification/random_solids.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace manifold_test {
namespace {

constexpr real eps = std::numeric_limits<real>::epsilon();

constexpr double reach = 0.1;  // m

Manifold collided(const Pair& pair) {
  Manifold m;
  collide(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, real(reach), m);
  return m;
}

/// Rounding error of poses and sums at the size of a pair, m.
double rounding(const Pair& pair) { return 32.0 * double(eps) * (pair.a.extent() + pair.b.extent()); }

/// A face is preferred to a direction better by less than two thousandths of the thinner half extent.
double preference(const Pair& pair) { return 2.001e-3 * std::min(pair.a.thin(), pair.b.thin()); }

double deepest(const Manifold& m) {
  double least = INFINITY;
  for (int k = 0; k < m.count; ++k) least = std::min(least, double(m.points[k].separation));
  return least;
}

/// The normal is a unit vector along which the solids are as far apart as the points say.
void expect_valid(const Pair& pair, const Manifold& m) {
  const glm::dvec3 n(m.normal);
  ASSERT_NEAR(glm::length(n), 1.0, 8.0 * double(eps));
  const double along = separation(pair.a, pair.b, n);
  if (m.count == 0) {
    EXPECT_GE(along, reach - rounding(pair)) << "no contact, and no proof of it";
    return;
  }
  ASSERT_LE(m.count, 4);
  EXPECT_GE(deepest(m), along - rounding(pair));
  EXPECT_LE(deepest(m), along + preference(pair) + rounding(pair));
  for (int k = 0; k < m.count; ++k) {
    EXPECT_LE(double(m.points[k].separation), reach);
    for (int l = 0; l < k; ++l) EXPECT_NE(m.points[k].feature, m.points[l].feature);
  }
}

/// The two ends of every contact lie on their solids, within a slack, m. The slack allows for a rim or corner
/// that is through an edge, and for a capsule tilted against a face (its tip sinks by 1 - cos 30 degrees of
/// its radius).
void expect_on_surfaces(const Pair& pair, const Manifold& m) {
  double slack = 0.02 * std::max(pair.a.thin(), pair.b.thin()) + rounding(pair);
  for (const Solid* s : {&pair.a, &pair.b})
    if (s->shape.kind == ConvexKind::capsule) slack = std::max(slack, 0.134 * double(s->shape.size.x));
  for (int k = 0; k < m.count; ++k) {
    const glm::dvec3 p(m.points[k].point), half = 0.5 * double(m.points[k].separation) * glm::dvec3(m.normal);
    EXPECT_NEAR(signed_distance(pair.a, p + half), 0.0, slack);
    EXPECT_NEAR(signed_distance(pair.b, p - half), 0.0, slack);
  }
}

struct PairOfKinds : ::testing::TestWithParam<std::tuple<ConvexKind, ConvexKind>> {
  std::vector<ConvexPolyhedron> hulls;
  PairOfKinds() { hulls.reserve(200); }
  Pair pose(std::uint64_t i, double deep) {
    const auto [a, b] = GetParam();
    Random random{1000 * std::uint64_t(a) + 100 * std::uint64_t(b) + 10000 * i};
    return random_pair(a, b, deep, random, hulls);
  }
};

TEST_P(PairOfKinds, HoldsWhereTheSolidsAreNearest) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const Pair pair = pose(i, i % 3 == 0 ? 0.2 : 0.02);
    const Manifold m = collided(pair);
    expect_valid(pair, m);
    if (m.count == 0) continue;
    if (deepest(m) > -0.02) expect_on_surfaces(pair, m);
    Random random{i};
    const double best = greatest_separation(pair.a, pair.b, glm::dvec3(m.normal), random);
    // a shallow overlap is not refined; the direction out of a deeper one is searched near the contact
    const double shallow = 4.0 * preference(pair);
    if (deepest(m) < 0.0 && deepest(m) > -shallow) continue;
    EXPECT_GE(deepest(m), best - preference(pair) - 0.05 * std::max(-best, 0.0) - rounding(pair));
  }
}

TEST_P(PairOfKinds, IsTheSameWithItsSidesExchanged) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const Pair pair = pose(i, 0.02), swapped{pair.b, pair.a};
    const Manifold m = collided(pair), other = collided(swapped);
    expect_valid(swapped, other);
    if (m.count == 0 || other.count == 0) continue;
    EXPECT_NEAR(deepest(m), deepest(other), 2.0 * preference(pair) + rounding(pair));
  }
}

TEST_P(PairOfKinds, FindsAgainWhatItFound) {
  for (std::uint64_t i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const Pair pair = pose(i, 0.01);
    Manifold m = collided(pair);
    for (int frame = 0; frame < 3; ++frame) {
      const Manifold last = m;
      collide(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, real(reach), m);
      expect_valid(pair, m);
      ASSERT_EQ(m.count > 0, last.count > 0);
      // the first candidate may be replaced by the first refinement; the tangent of a rim follows the
      // direction, which improves each time
      const bool rim = m.axis == ContactAxis::edges && (pair.a.shape.kind == ConvexKind::cylinder ||
                                                        pair.b.shape.kind == ConvexKind::cylinder);
      if (frame == 0 || rim) continue;
      ASSERT_EQ(m.count, last.count);
      for (int k = 0; k < m.count; ++k) EXPECT_EQ(m.points[k].feature, last.points[k].feature);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Manifold, PairOfKinds,
                         ::testing::Combine(::testing::ValuesIn(kinds), ::testing::ValuesIn(kinds)));

/// Solids between a thousandth of a metre and a kilometre, needles and plates, centres together.
TEST(Manifold, HasAUnitNormalForAnySizeAndPlace) {
  std::vector<ConvexPolyhedron> hulls;
  hulls.reserve(2000);
  for (std::uint64_t i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    Random random{i};
    Pair pair;
    for (Solid* s : {&pair.a, &pair.b}) {
      const ConvexKind kind = kinds[std::size_t(2.4999 * (1.0 + random.next()))];
      *s = random_solid(kind, random, hulls);
      for (int k = 0; k < 3; ++k) s->shape.size[k] = real(std::pow(10.0, 3.0 * random.next()));
      if (i % 7 == 1) s->shape.size[int(i) % 3] = 0;
      const glm::dvec3 place =
          i % 4 == 0 ? glm::dvec3(0.0) : random.in_cube() * std::pow(10.0, 3.0 * random.next());
      s->place(place, i % 3 == 0 ? glm::dmat3(1.0) : random.rotation());
    }
    Manifold m;
    for (const real far : {real(0.01), real(100)}) {
      collide(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, far, m);
      ASSERT_NEAR(double(glm::length(m.normal)), 1.0, 16.0 * double(eps));
      ASSERT_LE(m.count, 4);
      for (int k = 0; k < m.count; ++k) {
        ASSERT_TRUE(std::isfinite(double(m.points[k].separation + m.points[k].point.x + m.points[k].point.y +
                                         m.points[k].point.z)));
        ASSERT_LE(m.points[k].separation, far);
      }
      const auto has_center = [](const Solid& solid) { return surface_distance(solid.shape, vec3(0)).d < 0; };
      if (i % 4 == 0 && has_center(pair.a) && has_center(pair.b)) {
        EXPECT_GT(m.count, 0) << "the same centre";
      }
    }
  }
}

ConvexShape box(double x, double y, double z) { return {ConvexKind::box, vec3(x, y, z), nullptr}; }

mat3 turned(const glm::dvec3& axis, double turns) { return mat3(turn_about(glm::normalize(axis), turns)); }

TEST(Manifold, BoxOnBoxTouchesWithItsWholeFace) {
  const ConvexShape upper = box(0.5, 0.25, 0.4), lower = box(2, 1, 2);
  Manifold m;
  collide(upper, {vec3(0.3, 1.251, -0.2), mat3(1)}, lower, {}, real(0.02), m);
  ASSERT_EQ(m.count, 4);
  EXPECT_NEAR(double(m.normal.y), 1.0, 4.0 * double(eps));
  glm::dvec3 low(10.0), high(-10.0);
  for (const ContactPoint& p : m.points) {
    EXPECT_NEAR(double(p.separation), 0.001, 4.0 * double(eps));
    EXPECT_NEAR(double(p.point.y), 1.0005, 4.0 * double(eps));
    low = glm::min(low, glm::dvec3(p.point)), high = glm::max(high, glm::dvec3(p.point));
  }
  EXPECT_NEAR(high.x - low.x, 1.0, 8.0 * double(eps));
  EXPECT_NEAR(high.z - low.z, 0.8, 8.0 * double(eps));
}

TEST(Manifold, BoxAcrossBoxKeepsFourOfEightPoints) {
  const ConvexShape cube = box(0.5, 0.5, 0.5);
  Manifold m;
  collide(cube, {vec3(0, 0.999, 0), turned({0, 1, 0}, 0.125)}, cube, {}, real(0.02), m);
  ASSERT_EQ(m.count, 4);
  // an octagon of side sqrt(2) - 1 across flats 1; four of its corners span at least a rectangle of its sides
  const auto& p = m.points;
  const double area = 0.5 * double(glm::length(glm::cross(p[1].point - p[0].point, p[3].point - p[2].point)));
  EXPECT_GT(area, (std::sqrt(2.0) - 1.0));
}

/// The quick way for boxes agrees with the general one, and takes it upon itself where boxes touch.
TEST(Manifold, BoxesAreTheirOwnHulls) {
  std::vector<ConvexPolyhedron> hulls;
  int touching = 0, own = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    Random random{i};
    Pair pair = random_pair(ConvexKind::box, ConvexKind::box, 0.03, random, hulls);
    Manifold quick;
    const bool handled =
        collide_boxes(pair.a.shape.size, pair.a.at, pair.b.shape.size, pair.b.at, real(reach), quick);
    const ConvexPolyhedron hull_a = *convex_hull(pair.a.cloud), hull_b = *convex_hull(pair.b.cloud);
    const ConvexShape a{ConvexKind::hull, vec3(0), &hull_a}, b{ConvexKind::hull, vec3(0), &hull_b};
    Manifold general;
    collide(a, pair.a.at, b, pair.b.at, real(reach), general);
    if (general.count > 0 && deepest(general) < 0.0) ++touching, own += handled;
    if (!handled) continue;
    expect_valid(pair, quick);
    if (quick.count == 0 || general.count == 0) continue;
    EXPECT_NEAR(deepest(quick), deepest(general), 2.0 * preference(pair) + rounding(pair));
  }
  EXPECT_GT(touching, 20);
  EXPECT_GT(own, 9 * touching / 10);
}

TEST(Manifold, TheDeepestOfManyPointsIsKept) {
  for (int deep = 0; deep < 8; ++deep) {
    ContactPoint points[8];
    for (int k = 0; k < 8; ++k) {
      const glm::dvec3 p = turn_about({0.0, 1.0, 0.0}, k / 8.0) * glm::dvec3(1.0, 0.0, 0.0);
      points[k] = {vec3(p), k == deep ? real(-0.01) : real(0), std::uint32_t(k)};
    }
    ASSERT_EQ(keep_four(points, 8, vec3(0, 1, 0), real(1e-3)), 4);
    EXPECT_EQ(points[0].feature, std::uint32_t(deep));
    const vec3 across = points[1].point - points[0].point, other = points[3].point - points[2].point;
    EXPECT_NEAR(double(glm::length(glm::cross(across, other))), 4.0, 16.0 * double(eps)) << "a square";
  }
}

/// Boxes at rest shake by less than a tenth of the preference; no contact changes its name.
TEST(Manifold, NamesStayWhileABoxShakesAtRest) {
  const ConvexShape cube = box(0.5, 0.5, 0.5);
  Manifold m;
  std::vector<std::uint32_t> names;
  for (int frame = 0; frame < 100; ++frame) {
    Random random{std::uint64_t(frame)};
    const glm::dvec3 shake = 5e-5 * random.in_cube();
    const mat3 turn = turned(random.direction(), 1e-5 * random.next());
    collide(cube, {vec3(glm::dvec3(0.1, 0.9995, 0.2) + shake), turn}, cube, {}, real(0.02), m);
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(m.axis, ContactAxis::face_of_a);
    std::vector<std::uint32_t> now;
    for (const ContactPoint& p : m.points) now.push_back(p.feature);
    std::sort(now.begin(), now.end());
    if (frame == 0) names = now;
    EXPECT_EQ(now, names);
  }
}

TEST(Manifold, CrossedEdgesTouchInOnePoint) {
  // two long bars, each on an edge, crossing at right angles 1 mm apart
  const ConvexShape bar = box(0.1, 0.1, 1);
  const double up = 0.1 * std::sqrt(2.0);
  Manifold m;
  collide(bar, {vec3(0.02, 2 * up + 0.001, 0), turned({0, 0, 1}, 0.125)}, bar,
          {vec3(0), mat3(turn_about({0, 1, 0}, 0.25) * turn_about({0, 0, 1}, 0.125))}, real(0.02), m);
  ASSERT_EQ(m.count, 1);
  EXPECT_EQ(m.axis, ContactAxis::edges);
  EXPECT_NEAR(double(m.points[0].separation), 0.001, 16.0 * double(eps));
  EXPECT_NEAR(double(m.normal.y), 1.0, 16.0 * double(eps));
  EXPECT_NEAR(double(m.points[0].point.x), 0.02, 64.0 * double(eps));
  EXPECT_NEAR(double(m.points[0].point.y), up + 0.0005, 16.0 * double(eps));
}

/// Cubes almost flat on each other, the upper one turned: where two edges hold them apart, the rest of the
/// faces is a few centimetres away, and the pair would turn about one point until it is deep in each other.
TEST(Manifold, FacesBehindCrossedEdgesAreHeldToo) {
  const ConvexShape cube = box(0.5, 0.5, 0.5);
  std::vector<glm::dvec3> cloud;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5}) cloud.push_back({x, y, z});
  const ConvexPolyhedron corners = *convex_hull(cloud);
  const ConvexShape hull{ConvexKind::hull, vec3(0), &corners};
  int edges[2] = {0, 0};
  for (std::uint64_t i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    Random random{i};
    const glm::dvec3 aside = 0.2 * random.in_cube(), lean = random.direction();
    const glm::dmat3 turn =
        turn_about({lean.x, 0.0, lean.z}, 0.005) * turn_about({0.0, 1.0, 0.0}, random.next());
    for (const ConvexShape* shape : {&cube, &hull}) {
      Manifold m;
      collide(*shape, {vec3(aside.x, 1.01, aside.z), mat3(turn)}, *shape, {}, real(reach), m);
      if (m.axis != ContactAxis::edges) continue;
      ++edges[shape == &hull];
      ASSERT_GE(m.count, 3);
      EXPECT_EQ(deepest(m), double(m.points[0].separation));
      // more than half of the lower face, which the upper one covers by two thirds at least
      double span = 0.0;
      for (int k = 1; k < m.count; ++k)
        for (int l = 1; l < k; ++l)
          span = std::max(span, double(glm::length(glm::cross(m.points[k].point - m.points[0].point,
                                                              m.points[l].point - m.points[0].point))));
      EXPECT_GT(span, 0.3);
    }
  }
  EXPECT_GT(edges[0], 20);
  EXPECT_GT(edges[1], 20);
}

TEST(Manifold, CylinderStandsOnFourRimPointsAndLiesOnTwo) {
  const ConvexShape can{ConvexKind::cylinder, vec3(0.4, 0.6, 0), nullptr};
  const double tolerance = 16.0 * double(eps);
  for (const bool on_box : {false, true}) {
    const auto touch = [&](const Placed& at, Manifold& m) {
      if (on_box)
        collide(can, at, box(2, 1, 2), {vec3(0, -1, 0), mat3(1)}, real(0.02), m);
      else
        collide_plane(can, at, vec3(0, 1, 0), 0, real(0.02), m);
    };
    Manifold standing, lying, rolled, coin;
    touch({vec3(0.1, 0.599, 0), turned({0, 1, 0}, 0.3)}, standing);
    ASSERT_EQ(standing.count, 4);
    for (const ContactPoint& p : standing.points) {
      EXPECT_NEAR(double(p.separation), -0.001, tolerance);
      EXPECT_NEAR(std::hypot(double(p.point.x) - 0.1, double(p.point.z)), 0.4, tolerance);
    }
    touch({vec3(0, 0.399, 0), turned({1, 0, 0}, 0.25)}, lying);
    ASSERT_EQ(lying.count, 2);
    EXPECT_NEAR(std::abs(double(lying.points[0].point.z - lying.points[1].point.z)), 1.2, tolerance);
    // rolling on by any angle changes nothing: it is round
    for (const double turns : {0.01, 0.1, 0.377}) {
      touch({vec3(0, 0.399, 0), turned({1, 0, 0}, 0.25) * turned({0, 1, 0}, turns)}, rolled);
      ASSERT_EQ(rolled.count, 2);
      EXPECT_NEAR(double(rolled.points[0].separation), -0.001, tolerance);
      EXPECT_EQ(rolled.points[0].feature, lying.points[0].feature);
    }
    // a coin that leans by 0.05 turns towards +x touches with its lowest rim point
    const double lean = 2.0 * 3.14159265358979 * 0.05;
    const double height = 0.6 * std::cos(lean) + 0.4 * std::sin(lean);
    touch({vec3(0, height, 0), turned({0, 0, 1}, -0.05)}, coin);
    ASSERT_GE(coin.count, 1);
    EXPECT_NEAR(double(coin.points[0].separation), 0.0, tolerance);
    EXPECT_NEAR(double(coin.points[0].point.x), 0.4 * std::cos(lean) - 0.6 * std::sin(lean), tolerance);
    EXPECT_NEAR(double(coin.points[0].point.z), 0.0, 1e-3);
  }
}

TEST(Manifold, CylinderOverTheEdgeOfABoxIsHeldByWhatIsOnIt) {
  const ConvexShape can{ConvexKind::cylinder, vec3(0.4, 0.5, 0), nullptr};
  Manifold m;
  collide(can, {vec3(1, 0.499, 0), mat3(1)}, box(1, 1, 1), {vec3(0, -1, 0), mat3(1)}, real(0.02), m);
  ASSERT_GE(m.count, 3);
  double most_x = -1.0, least_x = 1.0;
  for (int k = 0; k < m.count; ++k) {
    most_x = std::max(most_x, double(m.points[k].point.x));
    least_x = std::min(least_x, double(m.points[k].point.x));
  }
  EXPECT_NEAR(most_x, 1.0, 1e-6);  // where the rim crosses the edge
  EXPECT_NEAR(least_x, 0.6, 1e-6);
}

TEST(Manifold, PlaneAgainstEveryKind) {
  std::vector<ConvexPolyhedron> hulls;
  hulls.reserve(200);
  for (const ConvexKind kind : kinds)
    for (std::uint64_t i = 0; i < 20; ++i) {
      SCOPED_TRACE(i);
      Random random{i};
      Solid s = random_solid(kind, random, hulls);
      const glm::dvec3 n(vec3(random.direction()));
      s.place(3.0 * random.in_cube(), random.rotation());
      const double lowest = glm::dot(n, s.support(-n)), offset = lowest + 0.05 * random.next();
      Manifold m;
      collide_plane(s.shape, s.at, vec3(n), real(offset), real(0.2), m);
      ASSERT_GE(m.count, 1);
      EXPECT_NEAR(deepest(m), lowest - offset, 32.0 * double(eps) * s.extent());
      EXPECT_EQ(m.normal, vec3(n));
    }
}

Collider mesh_collider(const SignedDistanceField& field) {
  Collider collider;
  collider.shape = ColliderShape::mesh;
  collider.size = vec3(1);
  collider.field = &field;
  return collider;
}

TEST(Manifold, BodiesLieOnAMeshAsOnTheSolidItIs) {
  Pool pool(1);
  const SignedDistanceField field = *build_distance_field(make_box({1.0, 0.5, 1.0}, 4), 24, pool);
  const Collider table = mesh_collider(field);
  const double cell = field.cell;
  Manifold found[field_manifolds_max];
  // inside the face the distance is linear, and so exact between nodes
  const double exact = 64.0 * 1.2e-7;
  ASSERT_EQ(collide_field(box(0.3, 0.2, 0.25), {vec3(0.1, 0.699, 0), turned({0, 1, 0}, 0.1)}, table,
                          real(0.02), found),
            1);
  ASSERT_EQ(found[0].count, 4);
  EXPECT_NEAR(double(found[0].normal.y), 1.0, exact);
  for (const ContactPoint& p : found[0].points) EXPECT_NEAR(double(p.separation), -0.001, exact);
  ASSERT_EQ(collide_field({ConvexKind::sphere, vec3(0.2), nullptr}, {vec3(0.1, 0.71, 0), mat3(1)}, table,
                          real(0.02), found),
            1);
  EXPECT_NEAR(double(found[0].points[0].separation), 0.01, exact);
  const ConvexShape capsule{ConvexKind::capsule, vec3(0.1, 0.3, 0), nullptr};
  ASSERT_EQ(collide_field(capsule, {vec3(0, 0.6, 0), turned({0, 0, 1}, 0.25)}, table, real(0.02), found), 1);
  EXPECT_GE(found[0].count, 2);
  EXPECT_NEAR(deepest(found[0]), 0.0, exact);
  // a plate on the mesh's corner: the deepest spot is inside the plate's face
  const ConvexShape plate = box(1, 0.1, 1);
  const glm::dmat3 up = turn_about(glm::normalize(glm::dvec3(1.0, 0.0, -1.0)), 0.125);
  const glm::dvec3 corner(1.0, 0.5, 1.0), normal = up * glm::dvec3(0.0, 1.0, 0.0);
  const Placed at{vec3(corner + 0.1 * normal + 0.3 * (up * glm::dvec3(0.3, 0.0, 0.5))), mat3(up)};
  ASSERT_GE(collide_field(plate, at, table, real(0.02), found), 1);
  EXPECT_NEAR(deepest(found[0]), 0.0, 2.0 * cell) << "the field rounds its corner over a cell";
  EXPECT_NEAR(double(glm::length(glm::cross(found[0].points[0].point - vec3(corner), vec3(normal)))), 0.0,
              4.0 * cell);
}

TEST(Manifold, BallInAMeshValleyIsHeldFromTwoSides) {
  Pool pool(1);
  const SignedDistanceField field = *build_distance_field(make_torus(1.0, 0.4, 64, 32), 48, pool);
  const Collider ring = mesh_collider(field);
  Manifold found[field_manifolds_max];
  // a cube that fills the hole touches with four faces
  const int filled = collide_field(box(0.6, 0.3, 0.6), {vec3(0, 0, 0), mat3(1)}, ring, real(0.05), found);
  EXPECT_EQ(filled, 4);
  for (int i = 0; i < filled; ++i) EXPECT_NEAR(double(std::abs(found[i].normal.y)), 0.0, 0.5);
}

TEST(Manifold, CollidersStandInForTheOtherBody) {
  const ConvexShape ball{ConvexKind::sphere, vec3(0.5), nullptr};
  Collider collider;
  Manifold found[field_manifolds_max];
  collider.position = vec3(0, -1, 0);
  for (const auto& [shape, size, top] : {std::tuple{ColliderShape::plane, vec3(0), -1.0},
                                         std::tuple{ColliderShape::sphere, vec3(1, 0, 0), 0.0},
                                         std::tuple{ColliderShape::box, vec3(1, 2, 1), 1.0},
                                         std::tuple{ColliderShape::capsule, vec3(1, 2, 0), 2.0}}) {
    collider.shape = shape, collider.size = size;
    found[0] = {};
    ASSERT_EQ(collide_collider(ball, {vec3(0, top + 0.51, 0), mat3(1)}, collider, real(0.02), found), 1);
    EXPECT_NEAR(double(found[0].points[0].separation), 0.01, 16.0 * double(eps));
    EXPECT_NEAR(double(found[0].normal.y), 1.0, 16.0 * double(eps));
    ASSERT_EQ(collide_collider(ball, {vec3(0, top + 0.6, 0), mat3(1)}, collider, real(0.02), found), 0);
  }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::manifold_test
