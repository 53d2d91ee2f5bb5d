// The products of rods' constraints with their gradients, against the gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <random>

#include "engine/constraints/rod.hpp"
#include "engine/constraints/stencil.hpp"
#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_form_test { namespace {

using One = Lanes<real, 1>;

/// Random corners of a type with turns, whose turns differ by about `bend` rad; some turned over (q, -q).
template <class Type>
auto some_nodes(double bend, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  constexpr std::size_t n = Type::arity;
  AlignedVector<vec4> origin(n), moved(n);
  const glm::dvec4 first(any(random), any(random), any(random), 2.0);
  std::int32_t index[n];
  const std::int32_t* vertices[n];
  for (std::size_t j = 0; j < n; ++j) {
    index[j] = std::int32_t(j), vertices[j] = &index[j];
    const glm::dvec4 other(any(random), any(random), any(random), any(random));
    const glm::dvec4 q = glm::normalize(first + (j == 0 ? 0.0 : bend) * other);
    origin[j] = node_of<Type>(int(j)) == Node::turn ? vec4(any(random) < 0.0 ? -q : q) : vec4(other);
    const glm::dvec3 way = 0.1 * bend * glm::dvec3(any(random), any(random), any(random));
    moved[j] = vec4(vec3(way), real(1.0 + 0.5 * any(random)));
  }
  return load_nodes<Type, One>(&origin.data()->x, &moved.data()->x, vertices, 0);
}

/// Largest difference of the products with the gradients between a type's Form and evaluate().
template <class Type>
double form_error(double bend, real only_pulls, std::mt19937& random) {
  std::uniform_real_distribution<real> any(-1, 1);
  const auto at = some_nodes<Type>(bend, random);
  One rest[Type::rest_count];
  const One softness[2] = {One(real(1)), One(real(1))};
  for (One& r : rest) r = One(real(0.3));
  if (Type::arity == 3) rest[1] = One(only_pulls);
  const BlockForm<Type, One> plain(at, rest, softness);
  const typename Type::template Form<One> form(at, rest, softness);
  One S[2][3][3], change[2][3];
  Vec3<One> way[Type::arity], push[2][Type::arity];
  for (Vec3<One>& v : way) v = {any(random), any(random), any(random)};
  const One dlambda[3] = {any(random), any(random), any(random)};
  plain.add_masses(at.moved, S[0]), form.add_masses(at.moved, S[1]);
  plain.change(way, change[0]), form.change(way, change[1]);
  plain.push(dlambda, push[0]), form.push(dlambda, push[1]);
  double worst = 0.0;
  const auto compare = [&](const One& a, const One& b) {
    const double error = std::abs(double(a.v) - double(b.v));
    worst = error <= worst ? worst : error;  // also if it is not a number
  };
  for (int k = 0; k < 3; ++k) {
    compare(plain.C[k], form.C[k]), compare(change[0][k], change[1][k]);
    for (int l = 0; l <= k; ++l) compare(S[0][k][l], S[1][k][l]);
  }
  for (std::size_t j = 0; j < Type::arity; ++j) {
    const Vec3<One>&a = push[0][j], &b = push[1][j];
    compare(a.x, b.x), compare(a.y, b.y), compare(a.z, b.z);
  }
  return worst;
}

TEST(RodForms, HaveTheGradientsOfTheirTypes) {
  const double bound = sizeof(real) == 4 ? 1e-5 : 1e-13;
  std::mt19937 random(3);
  for (const double bend : {0.01, 0.3, 2.0}) {
    double worst = 0.0;
    for (int k = 0; k < 1000; ++k) {
      worst = std::max(worst, form_error<RodStretch>(bend, real(k % 3) / 2, random));
      worst = std::max(worst, form_error<RodBend>(bend, real(0), random));
    }
    EXPECT_LT(worst, bound) << bend;
    std::printf("          %g rad: %.2g\n", bend, worst);
  }
}

/// Padding slots name rows whose quaternion is 0: nothing moves, and nothing becomes infinite.
TEST(RodForms, LeavePaddingAlone) {
  const auto push_of = [](auto type) {
    using Type = decltype(type);
    const vec4 nothing(0);
    const std::int32_t index = 0;
    const std::int32_t* vertices[Type::arity];
    for (const std::int32_t*& corner : vertices) corner = &index;
    One rest[Type::rest_count];
    for (One& r : rest) r = One(real(0));
    const One softness[2] = {One(real(0)), One(real(0))}, dlambda[3] = {real(0), real(0), real(0)};
    const typename Type::template Form<One> form(load_nodes<Type, One>(&nothing.x, &nothing.x, vertices, 0),
                                                 rest, softness);
    Vec3<One> push[Type::arity];
    form.push(dlambda, push);
    real sum = 0;
    for (const Vec3<One>& p : push) sum += std::abs(p.x.v) + std::abs(p.y.v) + std::abs(p.z.v);
    for (const One& C : form.C) sum += std::abs(C.v);
    return sum;
  };
  EXPECT_EQ(push_of(RodStretch()), real(0));
  EXPECT_EQ(push_of(RodBend()), real(0));
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_form_test
