// Entry times of paths into primitives, against worked cases, closed forms and small steps along the path.
#include "engine/geometry/queries/sweeps.hpp"

#include <gtest/gtest.h>

#include "engine/parallel/random.hpp"
#include "tests/vectors.hpp"

namespace limber::sweeps_test {
namespace {

using test::matches;
using test::to_vec3;
using test::vector_case;
using test::VectorCase;
using V = glm::dvec3;

TEST(Sweeps, SphereMatchesTheWorkedCase) {
  const VectorCase c = vector_case("ccd_segment_sphere");
  const V x = to_vec3<double>(c.inputs.at("x")), p = to_vec3<double>(c.inputs.at("p"));
  const double R = c.inputs.at("R");
  const double t = sphere_entry(x, p - x, R);
  EXPECT_NEAR(t, c.expected.at("t").get<double>(), 1e-9);
  const V q = x + t * (p - x), n = sphere_distance(q, R).n;
  EXPECT_TRUE(matches<double>(c, "q_c", q));
  EXPECT_TRUE(matches<double>(c, "n_c", n));
  const double C = glm::dot(p - q, n);
  EXPECT_NEAR(C, c.expected.at("C").get<double>(), 1e-9);
  EXPECT_TRUE(matches<double>(c, "p_projected", p - C * n));
}

TEST(Sweeps, BoxMatchesTheWorkedCase) {
  const VectorCase c = vector_case("ccd_segment_box");
  const V x = to_vec3<double>(c.inputs.at("x")), p = to_vec3<double>(c.inputs.at("p"));
  const V half(c.inputs.at("half")[0].get<double>());
  const double t = box_entry(x, p - x, half, 0.0);
  EXPECT_NEAR(t, c.expected.at("t").get<double>(), 1e-9);
  const V q = x + t * (p - x);
  EXPECT_TRUE(matches<double>(c, "q_c", q));
  EXPECT_TRUE(matches<double>(c, "n_c", box_distance(q, half).n));
}

TEST(Sweeps, PlaneIsEnteredFromAboveOnly) {
  EXPECT_DOUBLE_EQ(plane_entry(V(0, 3, 0), V(1, -4, 0), 1.0), 0.5);
  EXPECT_DOUBLE_EQ(plane_entry(V(0, 1, 0), V(1, -4, 0), 1.0), 0.0);  // a start on the surface
  EXPECT_EQ(plane_entry(V(0, 3, 0), V(1, -1.9, 0), 1.0), never);
  EXPECT_EQ(plane_entry(V(0, 3, 0), V(1, 0, 0), 1.0), never);
  EXPECT_EQ(plane_entry(V(0, 0, 0), V(0, -1, 0), 1.0), never);
}

TEST(Sweeps, StartsOnASurfaceEnterAtZeroAndOnlyInwards) {
  EXPECT_EQ(sphere_entry(V(1, 0, 0), V(-1, 0.5, 0), 1.0), 0.0);
  EXPECT_EQ(sphere_entry(V(1, 0, 0), V(1, 0.5, 0), 1.0), never);
  EXPECT_EQ(capsule_entry(V(1, 0.3, 0), V(-1, 0, 0), 1.0, 0.5), 0.0);
  EXPECT_EQ(box_entry(V(1, 0, 0), V(-4, 0, 0), V(1), 0.0), 0.0);
  EXPECT_EQ(box_entry(V(1, 0, 0), V(4, 0, 0), V(1), 0.0), never);
}

/// A rounded box straight onto a face, an edge and a corner.
TEST(Sweeps, RoundedBoxHasRoundEdges) {
  const V half(1, 2, 3);
  const double r = 0.5, s = std::sqrt(0.5), u = std::sqrt(1.0 / 3.0);
  EXPECT_NEAR(box_entry(V(3, 0.7, -1), V(-3, 0, 0), half, r), 0.5, 1e-12);
  const V edge(1 + r * s, 2 + r * s, 0.4), corner = half + V(r * u);
  EXPECT_NEAR(box_entry(edge + V(1, 1, 0), V(-2, -2, 0), half, r), 0.5, 1e-12);
  EXPECT_NEAR(box_entry(corner + V(1), V(-4), half, r), 0.25, 1e-12);
  EXPECT_EQ(box_entry(half + V(0.45, 0.45, 0.45) + V(0.1, 0.1, -0.2), V(-0.1, 0.1, 0), half, r), never);
}

/// Random paths: the distance is positive before the entry, zero there, and positive all along without one.
template <class Distance, class Entry>
void check_against_distance(const Distance& distance, const Entry& entry, std::uint64_t seed) {
  int entered = 0, missed = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    const auto point = [&](std::uint64_t at) {
      return 3.0 * V(random_signed(seed, 6 * k + at), random_signed(seed, 6 * k + at + 1),
                     random_signed(seed, 6 * k + at + 2));
    };
    const V a = point(0), step = point(3) - a;
    if (distance(a) < 0.0) continue;
    const double t = entry(a, step);
    (t <= 1.0 ? entered : missed)++;
    if (t <= 1.0) {
      EXPECT_NEAR(distance(a + t * step), 0.0, 1e-7) << k;
    }
    for (int i = 0; i < 100; ++i)
      ASSERT_GT(distance(a + 0.01 * i * std::min(t, 1.0) * step), -1e-9) << k << " at " << i;
  }
  EXPECT_GT(entered, 50);
  EXPECT_GT(missed, 50);
}

TEST(Sweeps, EntriesAreWhereTheDistanceVanishes) {
  const V half(0.9, 0.5, 1.2);
  check_against_distance([&](const V& p) { return sphere_distance(p, 1.2).d; },
                         [&](const V& a, const V& s) { return sphere_entry(a, s, 1.2); }, 1);
  check_against_distance([&](const V& p) { return capsule_distance(p, 0.7, 0.8).d; },
                         [&](const V& a, const V& s) { return capsule_entry(a, s, 0.7, 0.8); }, 2);
  check_against_distance([&](const V& p) { return box_distance(p, half).d; },
                         [&](const V& a, const V& s) { return box_entry(a, s, half, 0.0); }, 3);
  check_against_distance([&](const V& p) { return box_distance(p, half).d - 0.3; },
                         [&](const V& a, const V& s) { return box_entry(a, s, half, 0.3); }, 4);
  const auto ball = [](const V& p) { return sphere_distance(p, 1.2).d; };
  check_against_distance(
      ball, [&](const V& a, const V& s) { return traced_entry(a, s, 0.0, 0.01, ball); }, 5);
}

}  // namespace
}  // namespace limber::sweeps_test
