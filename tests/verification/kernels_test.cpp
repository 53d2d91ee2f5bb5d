// The constraint kernels against worked cases, and every instruction set against the scalar instance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>
#include <random>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/energy.hpp"
#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/state/constraint_set.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace kernels_test { namespace {

using test::matches;
using test::to_vec3;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

/// An orientation that differs for each corner, as the reference of a turn.
vec4 some_orientation(std::size_t corner) {
  const vec4 q(real(0.3) + real(0.2) * real(corner), real(-0.5), real(0.4), real(0.8));
  return q / std::sqrt(glm::dot(q, q));
}

/// A constraint in a batch of its own, on points of its own. Turns are given relative to their reference.
template <class Type>
struct Single {
  StencilBatch<Type> batch;
  StencilState<Type> state;
  AlignedVector<vec4> points, origin;

  Single(const std::vector<vec3>& p, const std::vector<real>& w, std::vector<real> rest, real softness) {
    for (std::size_t i = 0; i < p.size(); ++i) points.push_back(vec4(p[i], w[i]));
    points.push_back(vec4(0));  // padding
    origin.assign(points.size(), vec4(0));
    for (std::size_t j = 0; j < Type::arity; ++j)
      if (node_of<Type>(int(j)) == Node::turn) origin[j] = some_orientation(j);
    for (int slot = 0; slot < lane_group; ++slot) {
      for (std::size_t j = 0; j < Type::arity; ++j)
        batch.vertices[j].push_back(std::int32_t(slot == 0 ? j : p.size()));
      for (std::size_t r = 0; r < Type::rest_count; ++r) batch.rest[r].push_back(rest[r]);
      for (auto& row : state.softness) row.push_back(softness);
      for (auto& row : state.lambda) row.push_back(0);
    }
  }
  void project(const Sweep<real>& sweep, const KernelTable<real>& kernels = reference_kernels()) {
    Sweep<real> from_zero = sweep;
    from_zero.origin = &origin.data()->x;
    std::get<ProjectFunction<Type, real>>(kernels.project)(view(batch, state), 0, lane_group,
                                                           &points.data()->x, from_zero);
  }
  std::vector<vec3> moved_from(const std::vector<vec3>& start) const {
    std::vector<vec3> d;
    for (std::size_t i = 0; i < start.size(); ++i) d.push_back(vec3(points[i]) - start[i]);
    return d;
  }
};

std::vector<real> reals(const test::Value& list) {
  std::vector<real> out;
  for (const auto& x : list) out.push_back(x.get<real>());
  return out;
}

constexpr Sweep<real> pbd{false, true, 1};

TEST(DistanceKernel, MovesTheWorkedCases) {
  for (const char* name : {"distance_equality_k1", "distance_equality_k0.3_direct"}) {
    const VectorCase c = vector_case(name);
    const auto p = to_vec3s<real>(c.inputs.at("p"));
    Single<Distance> one(p, reals(c.inputs.at("w")), {c.inputs.at("d").get<real>()},
                         c.inputs.at("k").get<real>());
    one.project(pbd);
    EXPECT_TRUE(matches<real>(c, "dp", one.moved_from(p)));
    EXPECT_EQ(vec3(one.points.back()), vec3(0)) << "padding moved";
  }
}

TEST(DistanceKernel, LeavesInfiniteMassAlone) {
  const VectorCase c = vector_case("distance_infinite_mass");
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  Single<Distance> one(p, reals(c.inputs.at("w")), {c.inputs.at("d").get<real>()}, 1);
  one.project(pbd);
  EXPECT_TRUE(matches<real>(c, "dp", one.moved_from(p)));
}

/// Points part by the rest length, each by its share; a rope asks nothing of them.
TEST(DistanceKernel, PartsPointsThatCoincide) {
  const std::vector<vec3> p(2, vec3(1, 2, 3));
  Single<Distance> spring(p, {1, 3}, {2}, 1);
  Single<Strut> strut(p, {1, 3}, {2}, 1);
  Single<Rope> rope(p, {1, 3}, {2}, 1);
  spring.project(pbd), strut.project(pbd), rope.project(pbd);
  for (const auto& moved : {spring.moved_from(p), strut.moved_from(p)}) {
    EXPECT_EQ(moved[0], vec3(-0.5, 0, 0));
    EXPECT_EQ(moved[1], vec3(1.5, 0, 0));
  }
  EXPECT_EQ(rope.moved_from(p)[1], vec3(0));
}

TEST(DistanceKernel, ReproducesTheSlidesExample) {
  const VectorCase c = vector_case("slides_2d_three_vertex");
  const auto point = [&](const char* key) {
    return vec3(c.inputs.at(key).at(0).get<real>(), c.inputs.at(key).at(1).get<real>(), 0);
  };
  const auto m = reals(c.inputs.at("m"));
  AlignedVector<vec4> points{vec4(point("A"), 1 / m[0]), vec4(point("B"), 1 / m[1]),
                             vec4(point("C"), 1 / m[2])};
  for (int iteration = 1; iteration <= 200; ++iteration) {
    for (std::size_t other : {1u, 2u}) {  // C1(A,B) then C2(A,C)
      Single<Distance> one({vec3(points[0]), vec3(points[other])}, {points[0].w, points[other].w}, {1}, 1);
      one.project(pbd);
      points[0] = one.points[0], points[other] = one.points[1];
    }
    const auto& expected = c.expected.at("iterations");
    if (!expected.contains(std::to_string(iteration))) continue;
    const auto& entry = expected.at(std::to_string(iteration));
    const auto& after = entry.contains("after") ? entry.at("after") : entry;
    const char* names[] = {"A", "B", "C"};
    for (std::size_t v = 0; v < 3; ++v)
      for (int k = 0; k < 2; ++k)
        EXPECT_TRUE(matches<real>(c, after.at(names[v]).at(std::size_t(k)), points[v][k]))
            << names[v] << " iteration " << iteration;
  }
}

TEST(BendingKernel, HasTheWorkedAngleAndGradient) {
  using L = Lanes<real, 1>;
  const VectorCase c = vector_case("bend_signed_theta");
  const auto evaluate = [&](const char* key) {
    const auto p = to_vec3s<real>(c.inputs.at(key));
    Vec3<L> q[4];
    for (std::size_t j = 0; j < 4; ++j) q[j] = {p[j].x, p[j].y, p[j].z};
    const L rest[1] = {real(0)};
    return Bending::evaluate(q, rest);
  };
  const auto gradient = [](const Gradient<L, 4>& g) {
    std::vector<vec3> out;
    for (const auto& v : g.grad) out.push_back({v.x.v, v.y.v, v.z.v});
    return out;
  };
  EXPECT_TRUE(matches<real>(c, "theta", evaluate("p").C.v));
  EXPECT_TRUE(matches<real>(c, "theta_mirrored", evaluate("p_mirrored").C.v));
  EXPECT_TRUE(matches<real>(c, "theta_flat", evaluate("p_flat").C.v));
  EXPECT_TRUE(matches<real>(c, "grad", gradient(evaluate("p"))));
  EXPECT_TRUE(matches<real>(c, "grad_flat", gradient(evaluate("p_flat"))));
}

TEST(BendingKernel, ProjectsTheWorkedCase) {
  const VectorCase c = vector_case("bend_signed_theta_project");
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  Single<Bending> one(p, reals(c.inputs.at("w")), {c.inputs.at("theta0").get<real>()},
                      c.inputs.at("k").get<real>());
  one.project(pbd);
  EXPECT_TRUE(matches<real>(c, "dp", one.moved_from(p)));
}

/// Two thirds of a turn apart is a third of a turn the other way: C is within half a turn.
TEST(BendingKernel, TakesTheShorterWayRound) {
  using L = Lanes<double, 1>;
  const auto value = [](double angle, double rest) {
    const Vec3<L> p[4] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 1.0, 0.0}, {0.5, -std::cos(angle), std::sin(angle)}};
    const L theta0[1] = {L(rest)};
    return Bending::evaluate(p, theta0).C.v;
  };
  const double pi = std::acos(-1.0), sign = value(1.0, 0.0) > 0.0 ? 1.0 : -1.0;
  EXPECT_NEAR(sign * value(3.0, 0.0), 3.0, 1e-12);
  EXPECT_NEAR(sign * value(3.0, sign * -3.0), 6.0 - 2.0 * pi, 1e-12);
  EXPECT_NEAR(sign * value(-3.0, sign * 3.0), 2.0 * pi - 6.0, 1e-12);
}

TEST(BendingKernel, IgnoresTrianglesWithoutArea) {
  const std::vector<vec3> p{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0.5, 1, 0}};
  Single<Bending> one(p, {1, 1, 1, 1}, {1}, 1);
  one.project(pbd);
  for (const vec3& d : one.moved_from(p)) EXPECT_EQ(d, vec3(0));
}

// A single XPBD projection of a vertical spring is backward Euler, and stays so when repeated.
TEST(DistanceKernel, CompliantProjectionIsBackwardEuler) {
  const VectorCase c = vector_case("xpbd_single_step_spring");
  const double h = c.inputs.at("dt"), m = c.inputs.at("m"), k = c.inputs.at("k");
  const std::vector<vec3> p{{0, 0, 0}, {0, c.expected.at("predicted").get<real>(), 0}};
  for (int iterations : {1, 5}) {
    Single<Distance> one(p, {0, real(1 / m)}, {c.inputs.at("L0").get<real>()}, real(1 / k));
    for (int i = 0; i < iterations; ++i) one.project({true, i == 0, real(1 / (h * h))});
    EXPECT_TRUE(matches<real>(c, iterations == 1 ? "p_1" : "p_5", one.points[1].y));
    // lambda is the difference of two numbers of size 1, so float knows it to eps/(w h^2 k) relative
    const double lambda_error =
        std::is_same_v<real, float> ? 8 * 6e-8 / (c.expected.at("alpha_tilde").get<double>()) : 1e-12;
    EXPECT_NEAR(double(one.state.lambda[0][0]), c.expected.at("lambda_1").get<double>(), lambda_error);
  }
}

// sum m dp = 0 and sum p x m dp = 0 for every single projection (paper section 3.3).
template <class Type>
void expect_conserved_momenta() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<vec3> p;
    std::vector<real> w;
    for (int j = 0; j < Type::arity; ++j) {
      p.push_back(vec3(real(uniform(random)), real(uniform(random)), real(uniform(random))));
      w.push_back(real(1.5 + uniform(random)));
    }
    std::vector<real> rest;
    for (int r = 0; r < Type::rest_count; ++r) rest.push_back(real(uniform(random)));
    // within the largest step of a projection
    if constexpr (has_longest_step<Type>()) rest[Type::step_rest] = real(0.4);
    Single<Type> one(p, w, rest, 1);
    // without compliance the rows of a block at random points ask for impulses that cancel each other
    one.project(row_count<Type>() > 1 ? Sweep<real>{true, true, 1} : pbd);
    glm::dvec3 linear(0), angular(0);
    double moved = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      const glm::dvec3 impulse = (glm::dvec3(one.points[j]) - glm::dvec3(p[j])) / double(w[j]);
      const bool turn = node_of<Type>(int(j)) == Node::turn;  // which has no place
      if (!turn) linear += impulse;
      angular += turn ? impulse : glm::cross(glm::dvec3(p[j]), impulse);
      moved += glm::length(impulse);
    }
    // positions of size 1 are rounded once each; gradients carry a few roundings of their own size
    const double tolerance = 16 * std::numeric_limits<real>::epsilon() * (1 + moved) * Type::arity;
    ASSERT_LT(glm::length(linear), tolerance) << Type::name << trial;
    ASSERT_LT(glm::length(angular), tolerance) << Type::name << trial;
  }
}
TEST(Projection, ConservesMomenta) {
  for_each_type([](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    // an anchor takes momentum out, and so does a constraint that holds a single point
    if constexpr (written_points<Type>() == Type::arity && Type::arity > 1) expect_conserved_momenta<Type>();
  });
}

#if LIMBER_DOUBLE
/// Against central differences: with steps of 1e-6 of points of size 1 they are right to 1e-9 of C's third
/// derivatives, which are large only where a length or an area nearly vanishes; medians leave that out.
template <class Type>
void expect_gradient_of_value() {
  using L = Lanes<double, 1>;
  constexpr double step = 1e-6;
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> errors;
  for (int trial = 0; trial < 200; ++trial) {
    using Nodes = typename Linearized<Type>::Nodes;
    Nodes at;
    auto& p = at.p;
    for (Vec3<L>& point : p) point = {uniform(random), uniform(random), uniform(random)};
    if constexpr (has_turns<Type>())
      for (Quaternion<L>& q : at.q) {
        q = {{uniform(random), uniform(random), uniform(random)}, uniform(random)};
        const L inverse = L(1.0) / sqrt(dot(q.v, q.v) + q.w * q.w);
        q = {inverse * q.v, inverse * q.w};
      }
    L rest[Type::rest_count];
    for (L& r : rest) r = uniform(random);
    L softness[softness_numbers<Type>()];
    for (L& s : softness) s = 1.5 + uniform(random);
    const auto g = evaluate_at<Type, L>(at, rest, softness);
    for (int j = 0; j < written_points<Type>(); ++j)
      for (L Vec3<L>::*axis : {&Vec3<L>::x, &Vec3<L>::y, &Vec3<L>::z}) {
        const auto with = [&](double by) {  // a point elsewhere, or a turn turned
          Nodes other = at;
          Vec3<L> move{0.0, 0.0, 0.0};
          move.*axis = by;
          other.p[j] = p[j] + move;
          if constexpr (has_turns<Type>())
            if (node_of<Type>(j) == Node::turn) other.q[j] = turned(at.q[j], move);
          return evaluate_at<Type, L>(other, rest, softness);
        };
        const auto above = with(step), below = with(-step);
        for (int k = 0; k < row_count<Type>(); ++k) {
          const double slope = (value_of(above, k).v - value_of(below, k).v) / (2.0 * step);
          errors.push_back(std::abs((gradient_of(g, k, j).*axis).v - slope) / std::max(1.0, std::abs(slope)));
        }
      }
  }
  std::nth_element(errors.begin(), errors.begin() + std::ptrdiff_t(errors.size() / 2), errors.end());
  EXPECT_LT(errors[errors.size() / 2], 1e-8) << Type::name;
  EXPECT_LT(std::count_if(errors.begin(), errors.end(), [](double e) { return !(e < 1e-5); }),
            std::ptrdiff_t(errors.size() / 50))
      << Type::name;
}

TEST(Projection, EveryGradientIsThatOfItsValue) {
  for_each_type([](auto type) { expect_gradient_of_value<std::tuple_element_t<type, ConstraintTypes>>(); });
}
#endif

// Inequalities C >= 0 act only where they are violated: a strut pushes, a rope pulls.
TEST(DistanceLimitKernel, ActsOnOneSideOnly) {
  for (const char* name : {"distance_inequality_inactive", "distance_inequality_active"}) {
    const VectorCase c = vector_case(name);
    const auto p = to_vec3s<real>(c.inputs.at("p"));
    Single<Strut> strut(p, reals(c.inputs.at("w")), {c.inputs.at("d").get<real>()}, 1);
    Single<Rope> rope(p, reals(c.inputs.at("w")), {c.inputs.at("d").get<real>()}, 1);
    Single<Distance> both(p, reals(c.inputs.at("w")), {c.inputs.at("d").get<real>()}, 1);
    strut.project(pbd), rope.project(pbd), both.project(pbd);
    EXPECT_TRUE(matches<real>(c, "dp", strut.moved_from(p)));
    // where the strut rests the rope does all that an equality would, and the other way round
    const bool strut_rests = strut.moved_from(p)[0] == vec3(0);
    EXPECT_EQ(strut_rests ? rope.moved_from(p)[0] : strut.moved_from(p)[0], both.moved_from(p)[0]);
    EXPECT_EQ(strut_rests ? strut.moved_from(p)[1] : rope.moved_from(p)[1], vec3(0));
  }
}

TEST(TetherKernel, PullsAtItsAnchorWithoutMovingIt) {
  const VectorCase c = vector_case("tether_unilateral");
  const vec3 anchor = to_vec3<real>(c.inputs.at("anchor"));
  for (auto [start, end] : {std::pair{"p", "p_new"}, {"p_slack", "p_slack_new"}}) {
    const vec3 p = to_vec3<real>(c.inputs.at(start));
    Single<Tether> one({p, anchor}, {2, 0}, {c.inputs.at("L").get<real>()}, 1);
    one.project(pbd);
    EXPECT_TRUE(matches<real>(c, end, vec3(one.points[0])));
    EXPECT_EQ(vec3(one.points[1]), anchor);
    Single<Tether> freed({p, anchor}, {2, 1}, {c.inputs.at("L").get<real>()}, 1);
    freed.project(pbd);
    EXPECT_EQ(vec3(freed.points[0]), p) << "an anchor that is free cannot hold";
  }
}

TEST(IsometricBendingKernel, HasTheWorkedWeightsEnergyAndGradient) {
  using L = Lanes<real, 1>;
  const VectorCase c = vector_case("isometric_bending");
  const auto x = to_vec3s<double>(c.inputs.at("rest"));
  const auto k = IsometricBending::rest_of({x[0], x[1], x[2], x[3]});
  const double scale =
      std::sqrt(3.0 / (c.expected.at("A0").get<double>() + c.expected.at("A1").get<double>()));
  for (std::size_t j = 1; j < 4; ++j)
    EXPECT_NEAR(k[j - 1], scale * c.expected.at("K").at(j).get<double>(), 1e-12);
  EXPECT_NEAR(k[3], 0.0, 1e-12) << "flat at rest";

  const auto p = to_vec3s<real>(c.inputs.at("p"));
  Vec3<L> q[4];
  for (std::size_t j = 0; j < 4; ++j) q[j] = {p[j].x, p[j].y, p[j].z};
  const L rest[4] = {real(k[0]), real(k[1]), real(k[2]), real(0)};
  const auto g = IsometricBending::evaluate(q, rest);
  EXPECT_TRUE(matches<real>(c, "E", g.C.v * g.C.v / 2));  // C = sqrt(2 E), grad E = C grad C
  std::vector<vec3> gradient;
  for (const auto& v : g.grad) gradient.push_back(g.C.v * vec3(v.x.v, v.y.v, v.z.v));
  EXPECT_TRUE(matches<real>(c, "grad", gradient));
}

// The case projects C = E, whose double root moves half as far as sqrt(2 E): k = 1/2 here.
TEST(IsometricBendingKernel, ProjectsTheWorkedCaseAndUnfoldsInOneGo) {
  const VectorCase c = vector_case("isometric_bending");
  const auto x = to_vec3s<double>(c.inputs.at("rest"));
  const auto k = IsometricBending::rest_of({x[0], x[1], x[2], x[3]});
  const std::vector<real> rest{real(k[0]), real(k[1]), real(k[2]), real(0)};
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  Single<IsometricBending> half(p, reals(c.inputs.at("w")), rest, real(0.5)),
      whole(p, reals(c.inputs.at("w")), rest, 1);
  half.project(pbd), whole.project(pbd);
  EXPECT_TRUE(matches<real>(c, "dp", half.moved_from(p)));
  const auto height = [&](const auto& one) {  // |u| after the projection
    const vec3 u = rest[0] * vec3(one.points[1] - one.points[0]) +
                   rest[1] * vec3(one.points[2] - one.points[0]) +
                   rest[2] * vec3(one.points[3] - one.points[0]);
    return double(glm::length(u));
  };
  EXPECT_TRUE(matches<real>(c, "E_after", real(height(half) * height(half) / 2)));
  EXPECT_NEAR(height(whole), 0.0, 64 * std::numeric_limits<real>::epsilon());
}

TEST(AcosBendingKernel, HasTheWorkedGradientAndProjection) {
  using L = Lanes<real, 1>;
  const VectorCase c = vector_case("bend_acos_gradient");
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  Vec3<L> q[4];
  for (std::size_t j = 0; j < 4; ++j) q[j] = {p[j].x, p[j].y, p[j].z};
  const L rest[1] = {c.inputs.at("phi0").get<real>()};
  const auto g = AcosBending::evaluate(q, rest);
  EXPECT_TRUE(matches<real>(c, "C", g.C.v));
  std::vector<vec3> gradient;
  for (const auto& v : g.grad) gradient.push_back({v.x.v, v.y.v, v.z.v});
  EXPECT_TRUE(matches<real>(c, "grad", gradient));
  Single<AcosBending> one(p, reals(c.inputs.at("w")), {rest[0].v}, 1);
  one.project(pbd);
  EXPECT_TRUE(matches<real>(c, "dp", one.moved_from(p)));
}

TEST(AcosBendingKernel, ConvergesAsWorkedOut) {
  const VectorCase c = vector_case("bend_acos_converge");
  Single<AcosBending> one(to_vec3s<real>(c.inputs.at("p")), reals(c.inputs.at("w")),
                          {c.inputs.at("phi0").get<real>()}, 1);
  for (int i = 0; i < 8; ++i) one.project(pbd);
  one.points.pop_back();  // padding
  std::vector<vec3> after;
  for (const vec4& x : one.points) after.push_back(vec3(x));
  EXPECT_TRUE(matches<real>(c, "p_after_8", after));
}

TEST(AcosBendingKernel, WaitsWhereItHasNoGradient) {
  const std::vector<vec3> p{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
  Single<AcosBending> one(p, {1, 1, 1, 1}, {real(2)}, 1);  // wants to fold, and flat cannot say which way
  one.project(pbd);
  for (const vec3& d : one.moved_from(p)) EXPECT_EQ(d, vec3(0));
}

#if !LIMBER_DOUBLE
/// 256 disjoint stencils with random points, some fixed, some degenerate.
template <class Type>
void expect_same_bits(Simd simd, const KernelTable<float>* kernels, bool compliant) {
  if (!kernels || !supported(simd)) GTEST_SKIP() << "this processor has no such instructions";
  constexpr std::int32_t slots = 256;
  StencilBatch<Type> batch;
  StencilState<Type> start;
  AlignedVector<vec4> points, origin;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::int32_t s = 0; s < slots; ++s) {
    const vec4 first(uniform(random), uniform(random), uniform(random), s % 7 == 0 ? 0.0f : 1.0f);
    for (std::size_t j = 0; j < Type::arity; ++j) {
      batch.vertices[j].push_back(std::int32_t(points.size()));
      const bool degenerate = s % 11 == 0 || j == 0;
      const float w = int(j) < written_points<Type>() ? 1 + uniform(random) : 0.0f;
      points.push_back(degenerate ? first : vec4(uniform(random), uniform(random), uniform(random), w));
    }
    for (auto& rest : batch.rest) rest.push_back(uniform(random));
    for (auto& row : start.softness) row.push_back(compliant ? 1e-3f * (1 + uniform(random)) : 0.7f);
    for (auto& row : start.lambda) row.push_back(0);
    start.damping.push_back(0.02f);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    origin.push_back(vec4(uniform(random), uniform(random), uniform(random), 0));
    const std::size_t corner = i % Type::arity;
    if (node_of<Type>(int(corner)) == Node::turn) origin.back() = some_orientation(i);
  }
  const auto run = [&](const KernelTable<float>& table) {
    AlignedVector<vec4> moved = points;
    StencilState<Type> state = start;
    for (int i = 0; i < 6; ++i) {  // the last two are damped
      Sweep<float> sweep{compliant, i == 0, 3600.0f};
      sweep.origin = &origin.data()->x;
      if (i >= 4) sweep.previous = &points.data()->x, sweep.inverse_h = 60.0f;
      std::get<ProjectFunction<Type, float>>(table.project)(view(batch, state), 0, slots, &moved.data()->x,
                                                            sweep);
    }
    return moved;
  };
  const auto expected = run(*kernels_scalar()), got = run(*kernels);
  EXPECT_NE(std::memcmp(expected.data(), points.data(), points.size() * sizeof(vec4)), 0) << "nothing moved";
  EXPECT_EQ(std::memcmp(expected.data(), got.data(), points.size() * sizeof(vec4)), 0);
}

struct Instance {
  Simd simd;
  const KernelTable<float>* (*kernels)();
};
void PrintTo(const Instance& instance, std::ostream* out) { *out << to_string(instance.simd); }

class EveryInstructionSet : public testing::TestWithParam<Instance> {};

TEST_P(EveryInstructionSet, GivesTheScalarBits) {
  for (bool compliant : {false, true}) {
    for_each_type([compliant](auto type) {
      expect_same_bits<std::tuple_element_t<type, ConstraintTypes>>(GetParam().simd, GetParam().kernels(),
                                                                    compliant);
    });
  }
}
INSTANTIATE_TEST_SUITE_P(Simd, EveryInstructionSet,
                         testing::Values(Instance{Simd::w4, kernels_sse2}, Instance{Simd::w8, kernels_avx2},
                                         Instance{Simd::w16, kernels_avx512}));
#endif

}}}}  // namespace limber::LIMBER_PRECISION::kernels_test
