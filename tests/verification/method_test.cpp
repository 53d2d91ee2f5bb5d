// The constraint solvers behind the common interface: averaged Jacobi against worked cases, and all methods
// against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/schedule.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace method_test { namespace {

using test::matches;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

/// Points of mass 1 with springs of rest length `rest`, nothing else.
SceneDesc springs(const std::vector<vec3>& points, const std::vector<std::array<Index, 2>>& pairs,
                  double rest) {
  SceneDesc scene;
  scene.solver.method->kind = SolverMethod::jacobi;
  ObjectDesc object;
  object.name = "points";
  object.type = ObjectType::points;
  for (const vec3& p : points) object.points->list.push_back({glm::dvec3(p), 1.0});
  for (const auto& pair : pairs) object.points->springs.push_back({pair, rest});
  scene.objects.push_back(object);
  return scene;
}

/// Iterations alone, from where the points are.
void iterate(Rig& rig, int count) { rig.iterate(count, real(1)); }

TEST(AveragedJacobi, RemovesWhatRedundantConstraintsShare) {
  const VectorCase c = vector_case("jacobi_redundant_constraints");
  for (const auto& [key, relaxation] : {std::pair{"avg_3", 1.0}, std::pair{"avg_omega_1_5", 1.5},
                                        std::pair{"avg_omega_2", 2.0}, std::pair{"avg_omega_2_1", 2.1}}) {
    SceneDesc scene = springs({{0, 0, 0}, {4, 0, 0}}, {{0, 1}, {0, 1}, {0, 1}}, 3.0);
    scene.solver.method->relaxation = relaxation;
    std::vector<real> errors;
    for (int n = 0; n <= 6; ++n) {
      Rig rig(scene);
      iterate(rig, n);
      errors.push_back(glm::distance(vec3(rig.x(0)), vec3(rig.x(1))) - real(3));
    }
    EXPECT_TRUE(matches<real>(c, key, errors)) << key;
  }
}

TEST(AveragedJacobi, KeepsMomentumByOneFactorForAConstraint) {
  const VectorCase c = vector_case("jacobi_average_momentum");
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  SceneDesc scene = springs(p, {{0, 1}, {1, 2}}, c.inputs.at("L").get<double>());
  scene.solver.method->relaxation = 1.0;
  Rig rig(scene);
  iterate(rig, 1);
  std::vector<vec3> moved;
  for (Index i = 0; i < 3; ++i) moved.push_back(vec3(rig.x(i)) - p[std::size_t(i)]);
  EXPECT_TRUE(matches<real>(c, "dp_constraint_scaled", moved));
}

/// The largest eigenvalue of D^-1 J W J^T, which is also that of W J^T D^-1 J: an iteration subtracts A u
/// from a small displacement u.
double largest_eigenvalue(const SceneDesc& scene) {
  constexpr double small = 1e-6;
  Rig rig(scene);
  const std::size_t count = scene.objects[0].points->list.size();
  std::vector<glm::dvec3> rest(count), u(count);
  for (std::size_t i = 0; i < count; ++i) {
    rest[i] = glm::dvec3(rig.x(Index(i)));
    u[i] = small * glm::dvec3(random_signed(3, 2 * i), random_signed(3, 2 * i + 1), 0.0);
  }
  double eigenvalue = 0.0;
  for (int n = 0; n < 400; ++n) {
    for (std::size_t i = 0; i < count; ++i) rig.x(Index(i)) = vec4(vec3(rest[i] + u[i]), 1);
    iterate(rig, 1);
    double squares = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      u[i] = rest[i] + u[i] - glm::dvec3(rig.x(Index(i)));
      squares += glm::dot(u[i], u[i]);
    }
    const double length = std::sqrt(squares);
    eigenvalue = length / small;
    for (glm::dvec3& du : u) du *= small / length;
  }
  return eigenvalue;
}

/// Plain Jacobi diverges on a grid with diagonals, whose largest eigenvalue is above 2; one factor for a
/// constraint keeps it below 1. Differences of positions in float are too rough for a millionth of a metre.
TEST(AveragedJacobi, HasTheSpectrumOfTheWorkedGrids) {
  if (!LIMBER_DOUBLE) GTEST_SKIP();
  const VectorCase c = vector_case("jacobi_spectral_radius_grid");
  std::vector<vec3> points;
  for (int i = 0; i < 16; ++i) points.emplace_back(i % 4, i / 4, 0);
  std::vector<std::array<Index, 2>> sides, diagonals;
  for (Index i = 0; i < 16; ++i) {
    if (i % 4 < 3) sides.push_back({i, i + 1});
    if (i < 12) sides.push_back({i, i + 4});
    if (i % 4 < 3 && i < 12) diagonals.push_back({i, i + 5}), diagonals.push_back({i + 1, i + 4});
  }
  SceneDesc scene = springs(points, sides, 1.0);
  scene.solver.method->relaxation = 1.0;
  const auto expect = [&](const char* key) {
    EXPECT_EQ(scene.objects[0].points->springs.size(), c.expected[key]["n_constraints"].get<std::size_t>());
    for (const bool averaging : {false, true}) {
      scene.solver.method->averaging = averaging;
      const double wanted =
          c.expected[key][averaging ? "lambda_max_averaged_per_constraint_max" : "lambda_max_plain"];
      EXPECT_NEAR(largest_eigenvalue(scene), wanted, 1e-4) << key << averaging;
    }
  };
  expect("structural");
  for (const auto& pair : diagonals) scene.objects[0].points->springs.push_back({pair, std::sqrt(2.0)});
  expect("structural_shear");
}

/// A choice of the solver, and its name in a failure.
struct Choice {
  std::string_view name;
  void (*choose)(SolverSettings&);
};
constexpr std::array choices{
    Choice{"jacobi", [](SolverSettings& s) { s.method->kind = SolverMethod::jacobi; }},
    Choice{"chebyshev", [](SolverSettings& s) { s.method->kind = SolverMethod::chebyshev; }},
    Choice{"hybrid",
           [](SolverSettings& s) { s.method->kind = SolverMethod::hybrid, s.method->colour_cap = 3; }},
    Choice{"symmetric", [](SolverSettings& s) { s.method->order = Order::symmetric; }},
};

/// With enough sweeps, all methods end where every constraint is satisfied.
TEST(Methods, ComeToWhereGaussSeidelDoes) {
  SceneDesc scene = test::hanging_cloth(6);
  scene.objects[0].material->stretch_compliance = 1e-3;
  scene.objects[0].material->bending = false;
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = 4000;
  // XPBD's limit depends to second order on its path, because each impulse acts along the gradient of its
  // iteration: 1e-7 m under full gravity, 1e-11 m under a hundredth of it, which float does not resolve.
  if (LIMBER_DOUBLE) scene.solver.motion->gravity *= 0.01;
  Rig one(scene);
  one.run(1);
  for (const Choice& choice : choices) {
    SceneDesc chosen = scene;
    choice.choose(chosen.solver);
    Rig other(chosen);
    other.run(1);
    // a frame moves by 3 mm (double: 0.03); rounding of positions of a metre, a few times over
    const real bound = std::max(real(1e-9), 40 * std::numeric_limits<real>::epsilon());
    for (Index i = 0; i < 36; ++i)
      EXPECT_LT(glm::distance(vec3(one.x(i)), vec3(other.x(i))), bound) << choice.name << ' ' << i;
  }
}

/// Sums the kernel's corrections constraint by constraint, where the method gathers them particle by
/// particle.
TEST(AveragedJacobi, GathersWhatAScatterAddsUp) {
  SceneDesc scene = test::hanging_cloth(12);
  scene.solver.method->kind = SolverMethod::jacobi;
  Rig rig(scene);
  rig.run(20);
  for (vec4& p : rig.world.particles.position)
    p += vec4(0, real(0.01) * p.x * p.x, real(0.02) * p.y * p.x, 0);
  World scattered = rig.world;
  const ConstraintSet& constraints = *scattered.topology->constraints;
  std::vector<std::int32_t> count(std::size_t(scattered.particles.padded()), 0);
  const auto each = [&](const auto& visit) {
    for_each_type([&](auto type) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      const auto& batch = std::get<type>(constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s)
        if (batch.id[s] >= 0) visit(type, Type(), batch, s);
    });
  };
  each([&](auto, auto kind, const auto& batch, std::size_t s) {
    for (int j = 0; j < written_points<decltype(kind)>(); ++j)
      ++count[std::size_t(batch.vertices[std::size_t(j)][s])];
  });
  std::vector<glm::dvec3> moved(count.size(), glm::dvec3(0.0));
  each([&](auto type, auto kind, const auto& batch, std::size_t s) {
    using Type = decltype(kind);
    if constexpr (row_count<Type>() == 1) {
      using L = Lanes<real, 1>;
      Vec3<L> p[Type::arity];
      L rest[Type::rest_count];
      for (std::size_t j = 0; j < Type::arity; ++j) {
        const vec4& x = rig.world.particles.position[std::size_t(batch.vertices[j][s])];
        p[j] = {x.x, x.y, x.z};
      }
      for (std::size_t r = 0; r < Type::rest_count; ++r) rest[r] = batch.rest[r][s];
      const auto g = Type::evaluate(p, rest);
      double sum = double(std::get<type>(*scattered.matter.constraints).softness[0][s]);
      int most = 0;
      const auto particle = [&](std::size_t j) { return std::size_t(batch.vertices[j][s]); };
      const auto gradient = [&](std::size_t j) {
        return glm::dvec3(double(g.grad[j].x.v), double(g.grad[j].y.v), double(g.grad[j].z.v));
      };
      for (std::size_t j = 0; j < std::size_t(written_points<Type>()); ++j) {
        sum += double(scattered.particles.position[particle(j)].w) * glm::dot(gradient(j), gradient(j));
        most = std::max(most, count[particle(j)]);
      }
      const double dlambda = -double(g.C.v) / sum * scene.solver.method->relaxation / most;
      for (std::size_t j = 0; j < std::size_t(written_points<Type>()); ++j)
        moved[particle(j)] += double(scattered.particles.position[particle(j)].w) * dlambda * gradient(j);
    }
  });
  iterate(rig, 1);
  const double bound = std::max(1e-12, 30.0 * double(std::numeric_limits<real>::epsilon()));
  double farthest = 0.0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    const glm::dvec3 gathered(vec3(rig.world.particles.position[i]) - vec3(scattered.particles.position[i]));
    EXPECT_LT(glm::distance(gathered, moved[i]), bound) << i;
    farthest = std::max(farthest, glm::length(gathered));
  }
  EXPECT_GT(farthest, 1e-4) << "nothing was asked for";
}

/// m, how far `iterations` of a method leave the vertices from where they end, on average.
double error_after(SceneDesc scene, SolverMethod method, int iterations) {
  scene.solver.method->kind = SolverMethod::xpbd, scene.solver.step->iterations = 3000;
  Rig end(scene);
  scene.solver.method->kind = method, scene.solver.step->iterations = iterations;
  Rig rig(scene);
  end.run(1), rig.run(1);
  double sum = 0.0;
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    sum += glm::distance(glm::dvec3(rig.world.particles.position[i]),
                         glm::dvec3(end.world.particles.position[i]));
  return sum / rig.world.particles.count;
}

/// In theory the error falls to 1/cosh(80 acosh(1/rho)), 0.06, where the plain iteration leaves the share
/// 0.999^80, 0.92.
TEST(Chebyshev, ConvergesFasterThanJacobi) {
  SceneDesc scene = test::hanging_cloth(12);
  scene.objects[0].material->stretch_compliance = 1e-3;
  scene.solver.step->substeps = 1;
  scene.solver.method->chebyshev_radius = 0.999;
  const double plain = error_after(scene, SolverMethod::jacobi, 80);
  EXPECT_LT(error_after(scene, SolverMethod::chebyshev, 80), plain / 4) << plain;
}

TEST(Chebyshev, FactorsTendToTheirLimit) {
  const double radius = 0.9;
  real omega = 1;
  for (int k = 1; k < 60; ++k) omega = next_chebyshev_factor(omega, k, real(radius));
  EXPECT_NEAR(double(omega), 2.0 / (1.0 + std::sqrt(1.0 - radius * radius)),
              10.0 * double(std::numeric_limits<real>::epsilon()));
}

TEST(Hybrid, DividesAStarAtItsCap) {
  const VectorCase c = vector_case("graph_colouring_counts");
  const auto& expected = c.expected.at("star_10_cap4");
  std::vector<vec3> points{{0, 0, 0}};
  std::vector<std::array<Index, 2>> pairs;
  for (Index i = 1; i <= 10; ++i) {
    points.push_back({real(i), 1, 0});
    pairs.push_back({0, i});
  }
  SceneDesc scene = springs(points, pairs, 1.0);
  scene.solver.method->kind = SolverMethod::hybrid;
  scene.solver.method->colour_cap = 4;
  Rig rig(scene);
  iterate(rig, 1);
  const Hybrid* hybrid = rig.solver.method().get<Hybrid>();
  ASSERT_TRUE(hybrid);
  const auto& ids = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints).id;
  const auto live = [&](std::int32_t begin, std::int32_t end) {
    return std::count_if(ids.begin() + begin, ids.begin() + end, [](std::int32_t id) { return id >= 0; });
  };
  std::int64_t visited = 0, at_once = 0;
  for (const Segment& segment : hybrid->schedule(rig.world).segments)
    visited += live(segment.begin, segment.end);
  for (const auto& runs : hybrid->at_once())
    for (const ColorRun run : runs) at_once += live(run.begin, run.end);
  EXPECT_EQ(std::int64_t(hybrid->schedule(rig.world).segments.size()), expected.at("gs_batches").get<int>());
  EXPECT_EQ(visited, expected.at("gs_constraints").get<int>());
  EXPECT_EQ(at_once, expected.at("jacobi_constraints").get<int>());
}

/// c0 c1 c1 c0 on a line of three points of mass 1, by hand: an error e of a spring goes half to each end.
TEST(Symmetric, VisitsColoursForthAndBack) {
  SceneDesc scene = springs({{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}, {{0, 1}, {1, 2}}, 1.0);
  scene.solver.method->kind = SolverMethod::xpbd;
  scene.solver.method->order = Order::symmetric;
  Rig rig(scene);
  iterate(rig, 1);
  double x[3] = {0, 2, 4};
  for (const int c : {0, 1, 1, 0}) {
    const double e = x[c + 1] - x[c] - 1.0;
    x[c] += 0.5 * e, x[c + 1] -= 0.5 * e;
  }
  for (Index i = 0; i < 3; ++i)
    EXPECT_NEAR(double(rig.x(i).x), x[i], 10.0 * double(std::numeric_limits<real>::epsilon())) << i;
}

TEST(Hierarchy, LimitsAreWaysOverTheCloth) {
  SceneDesc scene = test::hanging_cloth(40);
  Rig rig(scene);
  const std::vector<HierarchyLevel> levels = build_hierarchy(rig.world);
  ASSERT_GE(levels.size(), 3u);
  std::size_t finer = 40 * 40;
  for (const HierarchyLevel& level : levels) {
    const std::size_t left = finer - level.followers.size();
    EXPECT_LT(left, finer * 2 / 3);
    finer = left;
    for (const auto& follower : level.followers) {
      EXPECT_GE(follower.end_parent - follower.first_parent, 2);
      real sum = 0;
      for (std::int32_t k = follower.first_parent; k < follower.end_parent; ++k)
        sum += level.parents[std::size_t(k)].weight;
      EXPECT_NEAR(sum, 1, 1e-5);
    }
    for (std::size_t s = 0; s < level.limits.id.size(); ++s) {
      if (level.limits.id[s] < 0) continue;
      const auto place = [&](int j) {
        return glm::dvec3(
            rig.world.particles.position[std::size_t(level.limits.vertices[std::size_t(j)][s])]);
      };
      const double ratio = double(level.limits.rest[0][s]) / glm::distance(place(0), place(1));
      EXPECT_GT(ratio, 1.0 - 1e-5);
      EXPECT_LT(ratio, 1.0 / std::cos(0.392699) + 1e-5) << "of ways in eight directions";
    }
  }
}

/// The mean stretch of the edges that run down.
double stretch_of(const Rig& rig) {
  double sum = 0.0;
  int count = 0;
  const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
  for (std::size_t s = 0; s < batch.id.size(); ++s) {
    if (batch.id[s] < 0) continue;
    const auto place = [&](int j) {
      return glm::dvec3(rig.world.particles.position[std::size_t(batch.vertices[std::size_t(j)][s])]);
    };
    sum += std::max(0.0, glm::distance(place(0), place(1)) / double(batch.rest[0][s]) - 1.0);
    ++count;
  }
  return sum / count;
}

TEST(Hierarchy, HoldsALargeClothInFewIterations) {
  SceneDesc scene = test::hanging_cloth(40);
  scene.solver.step->substeps = 1, scene.solver.step->iterations = 5;
  scene.solver.method->kind = SolverMethod::pbd;
  scene.solver.motion->damping = 0.9;
  Rig plain(scene);
  scene.solver.method->kind = SolverMethod::hierarchical;
  Rig levels(scene);
  plain.run(60), levels.run(60);
  std::printf("mean stretch: %.4f without levels, %.4f with\n", stretch_of(plain), stretch_of(levels));
  EXPECT_LT(stretch_of(levels), 0.25 * stretch_of(plain));
}

constexpr std::array methods_in_use{SolverMethod::jacobi, SolverMethod::chebyshev, SolverMethod::hybrid,
                                    SolverMethod::hierarchical};

TEST(Methods, AreTheSameOnAnyNumberOfThreadsThroughTears) {
  for (const SolverMethod method : methods_in_use) {
    SceneDesc scene = test::hanging_cloth(20);
    scene.solver.method->kind = method;
    scene.objects[0].material->tear_strain = 0.005;
    std::uint64_t alone = 0;
    for (const int threads : test::thread_counts()) {
      Rig rig(scene, threads);
      adopt_tear_room(rig.world, with_tear_room(rig.world));
      refresh_softness(rig.world);
      rig.world.changed(Change::everything), rig.solver.follow(rig.world);
      rig.run(20);
      if (threads == 1) {
        alone = state_hash(rig.world);
        EXPECT_GT(rig.world.topology->edition, 0u) << "nothing tore: " << traits(method).name;
      }
      EXPECT_EQ(state_hash(rig.world), alone) << traits(method).name << ' ' << threads;
    }
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::method_test
