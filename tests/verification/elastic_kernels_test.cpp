// The kernels of deformable solids and elastic sheets against worked cases, and their energies against
// differences.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <random>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/energy.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace elastic_kernels_test { namespace {

using test::matches;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

/// A constraint on points of its own.
template <class Type>
struct One {
  StencilBatch<Type> batch;
  StencilState<Type> state;
  AlignedVector<vec4> points, previous, origin;

  template <class Rest, class Softness>
  One(const std::vector<vec3>& p, const std::vector<real>& w, const Rest& rest, const Softness& softness) {
    for (std::size_t i = 0; i < p.size(); ++i) points.push_back(vec4(p[i], w[i]));
    points.push_back(vec4(0));  // padding
    previous = points;
    origin.assign(points.size(), vec4(0));
    for (int slot = 0; slot < lane_group; ++slot) {
      for (std::size_t j = 0; j < Type::arity; ++j)
        batch.vertices[j].push_back(std::int32_t(slot == 0 ? j : p.size()));
      for (std::size_t r = 0; r < Type::rest_count; ++r) batch.rest[r].push_back(real(rest[r]));
      for (std::size_t k = 0; k < state.softness.size(); ++k) state.softness[k].push_back(real(softness[k]));
      for (auto& row : state.lambda) row.push_back(0);
    }
  }
  void project(double h, bool compliant = true, bool first = true) {
    Sweep<real> sweep{compliant, first, real(1.0 / (h * h))};
    sweep.previous = &previous.data()->x;
    sweep.origin = &origin.data()->x;
    sweep.inverse_h = real(1.0 / h);
    std::get<ProjectFunction<Type, real>>(reference_kernels().project)(view(batch, state), 0, lane_group,
                                                                       &points.data()->x, sweep);
  }
  std::vector<vec3> places() const {
    std::vector<vec3> out;
    for (std::size_t j = 0; j < Type::arity; ++j) out.push_back(vec3(points[j]));
    return out;
  }
};

using Plane = std::array<double, 2>;
Plane edge(const test::Value& x, std::size_t k) {
  return {x.at(k).at(0).get<double>() - x.at(0).at(0).get<double>(),
          x.at(k).at(1).get<double>() - x.at(0).at(1).get<double>()};
}
Material material_of_case(const VectorCase& c) {
  Material m;
  m.youngs_modulus = c.inputs.at("E").get<double>();
  m.poisson_ratio = c.inputs.at("nu").get<double>();
  return m;
}
template <class Type>
Element<Type> element(const std::vector<glm::dvec3>& x, const std::array<double, Type::rest_count>& rest) {
  Element<Type> e;
  for (std::size_t j = 0; j < e.arity; ++j) e.x[j] = x[j];
  e.rest = rest;
  return e;
}
std::vector<vec3> listed(const auto& vectors) {
  std::vector<vec3> out;
  for (const glm::dvec3& v : vectors) out.push_back(vec3(v));
  return out;
}

TEST(StvkTriangleKernel, HasTheWorkedEnergyAndFirstStep) {
  const VectorCase c = vector_case("stvk_triangle");
  const auto rest =
      TriangleStencil::rest_of(edge(c.inputs.at("X_rest_2d"), 1), edge(c.inputs.at("X_rest_2d"), 2));
  auto e = element<StvkTriangle>(to_vec3s<double>(c.inputs.at("x")), rest);
  Material m = material_of_case(c);
  m.membrane_thickness = c.inputs.at("thickness").get<double>();
  const double area = c.expected.at("area").get<double>();
  for (const PlaneState plane : {PlaneState::stress, PlaneState::strain}) {
    m.plane = plane;
    e.softness = softness_of<StvkTriangle>(m, 1.0 / area);
    const bool strain = plane == PlaneState::strain;
    EXPECT_TRUE(matches<double>(c, strain ? "energy_plane_strain" : "energy_plane_stress", energy(e)));
    const auto g = energy_gradient(e);
    const auto& expected = c.expected.at(strain ? "grad_plane_strain" : "grad_plane_stress");
    for (std::size_t j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(g[j][k], expected.at(j).at(std::size_t(k)).get<double>(), 1e-8 * 500.0) << j;
  }
  const real w = real(1.0 / c.inputs.at("mass_per_vertex").get<double>());
  One<StvkTriangle> one(to_vec3s<real>(c.inputs.at("x")), {w, w, w}, rest, e.softness);
  one.project(c.inputs.at("dt").get<double>());
  EXPECT_TRUE(matches<real>(c, "x_new", one.places()));
}

TEST(StrainTriangleKernel, HasTheWorkedValuesAndGradients) {
  const VectorCase c = vector_case("strain_based_triangle");
  const auto rest =
      TriangleStencil::rest_of(edge(c.inputs.at("X_rest_2d"), 1), edge(c.inputs.at("X_rest_2d"), 2));
  auto e = element<StrainTriangle>(to_vec3s<double>(c.inputs.at("x")), rest);
  const Linearized<StrainTriangle> at(e);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(at.C[k], c.expected.at("C11_C22_C12").at(k).get<double>(), 1e-10);
    for (std::size_t j = 0; j < 3; ++j)
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(at.gradient[k][j][d],
                    c.expected.at("gradients").at(k).at(j).at(std::size_t(d)).get<double>(), 1e-7)
            << k << j << d;
  }
}

/// The worked case has the energy as mu/2 |F|^2 + l/2 (det F - 1 - mu/l)^2, the kernel as mu/2 D^2 + lambda/2
/// (det F - 1)^2 with l = lambda + mu: the same forces.
TEST(NeoHookeanKernel, HasTheForcesOfTheWorkedCase) {
  const VectorCase c = vector_case("stable_neo_hookean_tet");
  const auto X = to_vec3s<double>(c.inputs.at("X"));
  auto e =
      element<NeoHookean>(to_vec3s<double>(c.inputs.at("x")), TetStencil::rest_of({X[0], X[1], X[2], X[3]}));
  const double mu = c.expected.at("mu"), l = c.expected.at("lambda_lame"), V = c.expected.at("V0");
  e.softness = {1.0 / (mu * V), 1.0 / ((l - mu) * V)};
  const auto forces = energy_gradient(e);
  const auto of_D = to_vec3s<double>(c.expected.at("grad_C_D")),
             of_H = to_vec3s<double>(c.expected.at("grad_C_H"));
  const double pull = c.expected.at("C_D").get<double>() * mu * V,
               push = c.expected.at("C_H").get<double>() * l * V;
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_LT(glm::distance(forces[j], pull * of_D[j] + push * of_H[j]), 1e-8 * pull) << j;
  for (std::size_t j = 0; j < 4; ++j) e.x[j] = X[j];
  for (const glm::dvec3& g : energy_gradient(e)) EXPECT_LT(glm::length(g), 1e-12 * pull) << "at rest at rest";
}

/// Small strains: sigma = lambda tr e + 2 mu e with the Lame constants of E and nu.
TEST(NeoHookeanKernel, IsLinearElasticityForSmallStrains) {
  const std::array<glm::dvec3, 4> X{glm::dvec3(0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const glm::dmat3 strain(1e-4, 3e-5, 0, 3e-5, -2e-4, 5e-5, 0, 5e-5, 7e-5);
  Material m;
  m.youngs_modulus = 1e5, m.poisson_ratio = 0.3;
  std::vector<glm::dvec3> x;
  for (const glm::dvec3& at : X) x.push_back(at + strain * at);
  auto e = element<NeoHookean>(x, TetStencil::rest_of(X));
  e.softness = softness_of<NeoHookean>(m, 6.0);
  const double trace = 1e-4 - 2e-4 + 7e-5;
  double squares = 0.0;
  for (int k = 0; k < 3; ++k) squares += glm::dot(strain[k], strain[k]);
  const Lame lame_constants = lame(1e5, 0.3);
  const double expected = (lame_constants.lambda / 2 * trace * trace + lame_constants.mu * squares) / 6.0;
  EXPECT_NEAR(energy(e), expected, 1e-3 * expected);  // strains are of size 1e-4
}

/// The block's first step against the 2 x 2 system written out.
TEST(NeoHookeanKernel, SolvesShapeAndVolumeAtOnce) {
  const VectorCase c = vector_case("stable_neo_hookean_tet");
  const auto X = to_vec3s<double>(c.inputs.at("X"));
  const auto rest = TetStencil::rest_of({X[0], X[1], X[2], X[3]});
  auto e = element<NeoHookean>(to_vec3s<double>(c.inputs.at("x")), rest);
  e.softness = softness_of<NeoHookean>(material_of_case(c), 1.0 / c.expected.at("V0").get<double>());
  const Linearized<NeoHookean> at(e);
  const double h = c.inputs.at("dt").get<double>() / 10.0, w = 4.0;  // small enough for the longest step
  double S[2][2] = {};
  for (int k = 0; k < 2; ++k)
    for (int l = 0; l < 2; ++l)
      for (std::size_t j = 0; j < 4; ++j)
        S[k][l] += w * glm::dot(at.gradient[std::size_t(k)][j], at.gradient[std::size_t(l)][j]);
  S[0][0] += e.softness[0] / (h * h), S[1][1] += e.softness[1] / (h * h);
  const double det = S[0][0] * S[1][1] - S[0][1] * S[1][0];
  const double of_D = (-at.C[0] * S[1][1] + at.C[1] * S[0][1]) / det;
  const double of_H = (-at.C[1] * S[0][0] + at.C[0] * S[1][0]) / det;
  One<NeoHookean> one(to_vec3s<real>(c.inputs.at("x")), {4, 4, 4, 4}, rest, e.softness);
  one.project(h);
  const double error = 64 * double(std::numeric_limits<real>::epsilon());
  EXPECT_NEAR(double(one.state.lambda[0][0]), of_D, error * std::abs(of_D) * 4);
  for (std::size_t j = 0; j < 4; ++j) {
    const glm::dvec3 moved = w * (of_D * at.gradient[0][j] + of_H * at.gradient[1][j]);
    EXPECT_LT(glm::distance(glm::dvec3(one.points[j]), e.x[j] + moved), error) << j;
  }
}

TEST(CorotatedKernel, FindsTheWorkedRotation) {
  const VectorCase c = vector_case("pd_arap_tet");
  Columns3<Lanes<real, 1>> F;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto at = [&](std::size_t row) { return c.expected.at("F").at(row).at(k).get<real>(); };
    F.c[k] = {at(0), at(1), at(2)};
  }
  const auto R = rotation_near(F);
  const double error = std::is_same_v<real, float> ? 16 * 6e-8 : 1e-12;
  for (std::size_t k = 0; k < 3; ++k) {
    const double own[3] = {double(R.c[k].x.v), double(R.c[k].y.v), double(R.c[k].z.v)};
    for (std::size_t row = 0; row < 3; ++row)
      EXPECT_NEAR(own[row], c.expected.at("R").at(row).at(k).get<double>(), error);
  }
}

/// R is a rotation and R^T F symmetric, also of inverted and flat F.
/// (s_1 + s_2)(s_2 + s_3)(s_1 + s_3) / |F|^3 of the singular values: 0 where the nearest rotation is not
/// unique.
double uniqueness(const Columns3<Lanes<real, 1>>& F) {
  Columns3<Lanes<double, 1>> G;
  for (int k = 0; k < 3; ++k) G.c[k] = {double(F.c[k].x.v), double(F.c[k].y.v), double(F.c[k].z.v)};
  const Columns3<Lanes<double, 1>> R = rotation_near(G);
  const double i1 = dot(R, G).v, size2 = dot(G, G).v, det = dot(G.c[0], cross(G.c[1], G.c[2])).v;
  return (i1 * 0.5 * (i1 * i1 - size2) - det) / (size2 * std::sqrt(size2));
}

TEST(CorotatedKernel, FindsTheNearestRotationOfAnyMatrix) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double error = std::is_same_v<real, float> ? 1e-4 : 1e-9;
  // i1 nears a double root there, which is known to the square root of rounding; then R may be the identity
  const double least = 20.0 * std::sqrt(double(std::numeric_limits<real>::epsilon()));
  int unique = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Columns3<Lanes<real, 1>> F;
    for (int k = 0; k < 3; ++k)
      F.c[k] = {real(uniform(random) + (k == 0)), real(uniform(random) + (k == 1)),
                real(trial % 3 == 0 ? 0.0 : uniform(random) + (k == 2))};
    const auto R = rotation_near(F);
    const auto handed = dot(R.c[0], cross(R.c[1], R.c[2])).v;
    ASSERT_NEAR(double(handed), 1.0, error) << trial;
    if (uniqueness(F) < least) continue;
    ++unique;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b)
        ASSERT_NEAR(double(dot(R.c[a], F.c[b]).v), double(dot(R.c[b], F.c[a]).v), error) << trial;
  }
  EXPECT_GT(unique, 1980);
}

TEST(XpbdDamping, IsAnImplicitDashpot) {
  const VectorCase c = vector_case("xpbd_damped_step");
  const double h = c.inputs.at("dt"), m = c.inputs.at("m"), k = c.inputs.at("k"), y = c.inputs.at("y0");
  const double predicted = y + h * (c.inputs.at("v0").get<double>() - h * c.inputs.at("g").get<double>());
  One<Distance> one({{0, 0, 0}, {0, real(predicted), 0}}, {0, real(1 / m)}, std::array{1.0},
                    std::array{1.0 / k});
  one.previous[1].y = real(y);
  one.state.damping.assign(std::size_t(lane_group),
                           real(c.inputs.at("beta").get<double>() / k));  // alpha beta
  one.project(h);
  EXPECT_TRUE(matches<real>(c, "p_new", one.points[1].y));
}

TEST(Elasticity, HasLamesConstants) {
  EXPECT_NEAR(lame(1e5, 0.3).mu, 1e5 / 2.6, 1e-9);
  EXPECT_NEAR(lame(1e5, 0.3).lambda, 0.3e5 / (1.3 * 0.4), 1e-9);
}

/// A block of coupled rows comes to rest at C + A~ lambda = 0 in every row: the strains are those of the
/// stresses, coupled by Poisson's ratio.
TEST(XpbdBlocks, ComeToRestWhereStrainsAreThoseOfTheStresses) {
  const std::array<glm::dvec3, 4> X{glm::dvec3(0), {1, 0, 0}, {0.1, 1, 0}, {0.2, 0.1, 1}};
  Material m;
  m.youngs_modulus = 1e3, m.poisson_ratio = 0.3;
  const double h = 0.1;
  const auto softness = softness_of<StvkTet>(m, 1.0 / TetStencil::volume_of(X));
  One<StvkTet> one({{0, 0, 0}, {1, 0, 0}, {real(0.1), 1, 0}, {real(0.3), real(0.2), real(1.2)}},
                   {0, real(0.01), real(0.01), real(0.02)}, StvkTet::rest_of(X), softness);
  for (int i = 0; i < 300; ++i) one.project(h, true, i == 0);
  using L = Lanes<double, 1>;
  Vec3<L> p[4];
  L rest[StvkTet::rest_count], soft[3], A[6][6];
  for (std::size_t j = 0; j < 4; ++j)
    p[j] = {L(double(one.points[j].x)), L(double(one.points[j].y)), L(double(one.points[j].z))};
  for (std::size_t r = 0; r < StvkTet::rest_count; ++r) rest[r] = L(StvkTet::rest_of(X)[r]);
  for (std::size_t k = 0; k < 3; ++k) soft[k] = L(softness[k]);
  StvkTet::compliance_matrix(soft, A);
  const auto g = StvkTet::evaluate(p, rest);
  for (int k = 0; k < 6; ++k) {
    double sum = g.C[k].v;
    for (int l = 0; l < 6; ++l)
      sum += A[std::max(k, l)][std::min(k, l)].v / (h * h) * double(one.state.lambda[std::size_t(l)][0]);
    EXPECT_NEAR(sum, 0.0, sizeof(real) == 4 ? 1e-6 : 1e-12) << k;
  }
}

/// From flat, inverted and nothing at all, a free element finds its shape again, in every model.
template <class Type>
void expect_recovery(const std::array<double, softness_numbers<Type>()>& softness) {
  const std::array<glm::dvec3, 4> X{glm::dvec3(0), {1, 0, 0}, {0.1, 1, 0}, {0.2, 0.1, 1}};
  const auto rest = Type::rest_of(X);
  const double volume = TetStencil::volume_of(X);
  const std::vector<std::vector<vec3>> starts{
      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},                    // a point
      {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {real(0.5), 0, 0}},            // a line
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {real(0.3), real(0.3), 0}},    // a plane
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {real(0.2), real(0.1), -1}}};  // inside out
  for (std::size_t s = 0; s < starts.size(); ++s) {
    One<Type> one(starts[s], {1, 1, 1, 1}, rest, softness);
    for (int i = 0; i < 60; ++i) one.project(1.0 / 60.0, true, i % 10 == 0);
    std::array<glm::dvec3, 4> x;
    for (std::size_t j = 0; j < 4; ++j) x[j] = glm::dvec3(one.points[j]);
    EXPECT_NEAR(TetStencil::volume_of(x), volume, 0.02 * volume) << Type::name << " from start " << s;
  }
}
TEST(TetKernels, RecoverFromAnything) {
  Material m;
  m.youngs_modulus = 1e7;
  const double per_volume = 5.0;
  expect_recovery<NeoHookean>(softness_of<NeoHookean>(m, per_volume));
  expect_recovery<StvkTet>(softness_of<StvkTet>(m, per_volume));
  expect_recovery<CorotatedTet>(softness_of<CorotatedTet>(m, per_volume));
  expect_recovery<StrainTet>(softness_of<StrainTet>(m, per_volume));
  expect_recovery<TetEdges>(softness_of<TetEdges>(m, per_volume));
}

/// A thin element with its apex a hundred heights away, whose base is held: one projection takes the apex
/// most of the way back, where the stiffness does. Steps that stay as short as the least height at rest would
/// pull it by a two-hundredth.
template <class Type>
void expect_apex_returns(const Material& m) {
  const std::array<glm::dvec3, 4> X{glm::dvec3(0), {0.02, 0, 0}, {0, 0.02, 0}, {0.005, 0.005, 0.004}};
  const std::vector<vec3> start{
      {0, 0, 0}, {real(0.02), 0, 0}, {0, real(0.02), 0}, {real(0.005), real(0.005), real(0.4)}};
  One<Type> one(start, {0, 0, 0, 1000}, Type::rest_of(X),
                softness_of<Type>(m, 1.0 / TetStencil::volume_of(X)));
  for (int i = 0; i < 10; ++i) one.project(1.0 / 600.0, true, i == 0);
  EXPECT_LT(glm::length(one.places()[3]), 0.04) << Type::name;
}
TEST(TetKernels, HoldWhatWasStretchedFar) {
  Material m;
  m.youngs_modulus = 1e7;
  expect_apex_returns<NeoHookean>(m);
  expect_apex_returns<CorotatedTet>(m);
  expect_apex_returns<StrainTet>(m);
}

#if LIMBER_DOUBLE
/// grad E and hess E against differences, of every type that has them exactly; projections do not add energy.
template <class Type>
void expect_energy_of_differences() {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr double step = 1e-6;
  for (int trial = 0; trial < 20; ++trial) {
    Element<Type> e;
    for (auto& x : e.x) x = {uniform(random), uniform(random), uniform(random)};
    if constexpr (std::is_base_of_v<TetStencil, Type> || std::is_same_v<Type, TetEdges>) {
      std::array<glm::dvec3, 4> X{glm::dvec3(0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (std::size_t j = 0; j < 4; ++j) e.x[j] = X[j] + 0.3 * e.x[j];
      e.rest = Type::rest_of(X);
    } else {
      for (double& r : e.rest) r = uniform(random);
    }
    for (double& s : e.softness) s = 1.5 + uniform(random);
    const auto g = energy_gradient(e);
    const auto H = energy_hessian(e, HessianKind::exact);
    double size = 1.0;
    for (const auto& row : H)
      for (double entry : row) size = std::max(size, std::abs(entry));
    for (std::size_t j = 0; j < e.arity; ++j)
      for (int a = 0; a < 3; ++a) {
        Element<Type> above = e, below = e;
        above.x[j][a] += step, below.x[j][a] -= step;
        ASSERT_NEAR((energy(above) - energy(below)) / (2 * step), g[j][a], 1e-7 * size)
            << Type::name << trial;
        if (!(has_curvature<Type>() || std::is_same_v<Type, NeoHookean>)) continue;
        const auto ga = energy_gradient(above), gb = energy_gradient(below);
        for (std::size_t i = 0; i < e.arity; ++i)
          for (int b = 0; b < 3; ++b)
            ASSERT_NEAR((ga[i][b] - gb[i][b]) / (2 * step), H[3 * i + std::size_t(b)][3 * j + std::size_t(a)],
                        1e-6 * size)
                << Type::name << trial;
      }
  }
}
TEST(Energies, HaveTheGradientsAndHessiansOfTheirValues) {
  for_each_type([](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    // methods that ask for these refuse turns, whose gradients Projection.EveryGradientIsThatOfItsValue has
    if constexpr (!std::is_same_v<Type, AcosBending> && !std::is_same_v<Type, Bending> && !has_turns<Type>())
      expect_energy_of_differences<Type>();
  });
}

TEST(Energies, PositiveHessiansAreThoseWithoutNegativeEigenvalues) {
  // a compressed spring: exact has -k/2 across it, positive has 0
  Element<Distance> e;
  e.x = {glm::dvec3(0), {0.5, 0, 0}};
  e.rest = {1.0}, e.softness = {1.0};
  const auto exact = energy_hessian(e, HessianKind::exact),
             positive = energy_hessian(e, HessianKind::positive);
  EXPECT_NEAR(exact[1][1], -1.0, 1e-12);
  EXPECT_NEAR(positive[1][1], 0.0, 1e-12);
  EXPECT_NEAR(exact[0][0], 1.0, 1e-12);
  EXPECT_NEAR(positive[0][0], 1.0, 1e-12);
}

/// E = w/2 |q - nearest(q)|^2 for each type with a local projection (corotated: with lambda = 0).
template <class Type>
void expect_projection_of_energy() {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Element<Type> e;
    for (auto& x : e.x) x = {uniform(random), uniform(random), uniform(random)};
    for (double& r : e.rest) r = 0.5 + 0.4 * uniform(random);
    for (double& s : e.softness) s = 0.7;
    if constexpr (row_count<Type>() > 1) e.softness[1] = 1e30;
    constexpr int R = Type::projected_rows;
    DoubleLane rest[Type::rest_count], a[R][Type::arity];
    for (int r = 0; r < Type::rest_count; ++r) rest[r] = e.rest[std::size_t(r)];
    Type::difference(rest, a);
    Vec3<DoubleLane> q[R], z[R];
    for (int r = 0; r < R; ++r) {
      glm::dvec3 sum(0.0);
      for (std::size_t j = 0; j < e.arity; ++j) sum += a[r][j].v * e.x[j];
      q[r] = z[r] = {sum.x, sum.y, sum.z};
    }
    Type::nearest(z, rest);
    double squares = 0.0;
    for (int r = 0; r < R; ++r) {
      const Vec3<DoubleLane> off = q[r] - z[r];
      squares += dot(off, off).v;
    }
    ASSERT_NEAR(0.5 * projection_weight(e) * squares, energy(e), 1e-9 * std::max(1.0, squares)) << Type::name;
  }
}
TEST(Energies, AreThoseOfTheirLocalProjections) {
  for_each_type([](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (has_projection<Type>()) expect_projection_of_energy<Type>();
  });
}
#endif

}}}}  // namespace limber::LIMBER_PRECISION::elastic_kernels_test
