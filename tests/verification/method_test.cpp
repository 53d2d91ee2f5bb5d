// The methods behind the seam of the step: averaged Jacobi against worked cases, and all against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "engine/core/settings.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber::inline LIMBER_PRECISION::method_test {
namespace {

using test::matches;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

/// Points of mass 1 with springs of rest length `rest`, nothing else.
SceneDesc springs(const std::vector<vec3>& points, const std::vector<std::array<Index, 2>>& pairs,
                  double rest) {
  SceneDesc scene;
  scene.solver.method = SolverMethod::jacobi;
  ObjectDesc object;
  object.name = "points";
  object.type = ObjectType::points;
  for (const vec3& p : points) object.points.list.push_back({glm::dvec3(p), 1.0});
  for (const auto& pair : pairs) object.points.springs.push_back({pair, rest});
  scene.objects.push_back(object);
  return scene;
}

/// Iterations alone, from where the points are.
void iterate(Rig& rig, int count) {
  Method& method = rig.solver.method();
  rig.pool.run([&](Team& team) {
    method.load(rig.world, team);
    for (int i = 0; i < count; ++i) method.iterate(rig.world, {true, i == 0, real(1)}, team);
  });
}

TEST(AveragedJacobi, RemovesWhatRedundantConstraintsShare) {
  const VectorCase c = vector_case("jacobi_redundant_constraints");
  for (const auto& [key, relaxation] : {std::pair{"avg_3", 1.0}, std::pair{"avg_omega_1_5", 1.5},
                                        std::pair{"avg_omega_2", 2.0}, std::pair{"avg_omega_2_1", 2.1}}) {
    SceneDesc scene = springs({{0, 0, 0}, {4, 0, 0}}, {{0, 1}, {0, 1}, {0, 1}}, 3.0);
    scene.solver.relaxation = relaxation;
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
  scene.solver.relaxation = 1.0;
  Rig rig(scene);
  iterate(rig, 1);
  std::vector<vec3> moved;
  for (Index i = 0; i < 3; ++i) moved.push_back(vec3(rig.x(i)) - p[std::size_t(i)]);
  EXPECT_TRUE(matches<real>(c, "dp_constraint_scaled", moved));
}

/// As many sweeps as it takes: both end where no constraint asks for anything.
TEST(AveragedJacobi, ComesToWhereGaussSeidelDoes) {
  SceneDesc scene = test::hanging_cloth(6);
  scene.objects[0].material.stretch_compliance = 1e-3;
  scene.objects[0].material.bending = false;
  scene.solver.substeps = 1;
  scene.solver.iterations = 4000;
  // Where XPBD converges to depends to second order on its path, as each impulse acts along the gradient of
  // its iteration: 1e-7 m under full gravity, 1e-11 m under a hundredth of it, which float does not resolve.
  if (LIMBER_DOUBLE) scene.solver.gravity *= 0.01;
  Rig one(scene);
  scene.solver.method = SolverMethod::jacobi;
  Rig other(scene);
  one.run(1), other.run(1);
  // a frame moves by 3 mm (double: 0.03); rounding of positions of a metre, a few times over
  const real bound = std::max(real(1e-9), 40 * std::numeric_limits<real>::epsilon());
  for (Index i = 0; i < 36; ++i) EXPECT_LT(glm::distance(vec3(one.x(i)), vec3(other.x(i))), bound) << i;
}

/// Adds up what the kernel asks constraint after constraint, where the method gathers particle after
/// particle.
TEST(AveragedJacobi, GathersWhatAScatterAddsUp) {
  SceneDesc scene = test::hanging_cloth(12);
  scene.solver.method = SolverMethod::jacobi;
  Rig rig(scene);
  rig.run(20);
  for (vec4& p : rig.world.particles.position)
    p += vec4(0, real(0.01) * p.x * p.x, real(0.02) * p.y * p.x, 0);
  World scattered = rig.world;
  const ConstraintSet& constraints = scattered.topology->constraints;
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
    using L = Lanes<real, 1>;
    Vec3<L> p[Type::arity];
    L rest[Type::rest_count];
    for (std::size_t j = 0; j < Type::arity; ++j) {
      const vec4& x = rig.world.particles.position[std::size_t(batch.vertices[j][s])];
      p[j] = {x.x, x.y, x.z};
    }
    for (std::size_t r = 0; r < Type::rest_count; ++r) rest[r] = batch.rest[r][s];
    const auto g = Type::evaluate(p, rest);
    double sum = double(std::get<type>(scattered.matter.constraints).softness[s]);
    int most = 0;
    const auto particle = [&](std::size_t j) { return std::size_t(batch.vertices[j][s]); };
    const auto gradient = [&](std::size_t j) {
      return glm::dvec3(double(g.grad[j].x.v), double(g.grad[j].y.v), double(g.grad[j].z.v));
    };
    for (std::size_t j = 0; j < std::size_t(written_points<Type>()); ++j) {
      sum += double(scattered.particles.position[particle(j)].w) * glm::dot(gradient(j), gradient(j));
      most = std::max(most, count[particle(j)]);
    }
    const double dlambda = -double(g.C.v) / sum * scene.solver.relaxation / most;
    for (std::size_t j = 0; j < std::size_t(written_points<Type>()); ++j)
      moved[particle(j)] += double(scattered.particles.position[particle(j)].w) * dlambda * gradient(j);
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

TEST(AveragedJacobi, IsTheSameOnAnyNumberOfThreadsThroughTears) {
  SceneDesc scene = test::hanging_cloth(40);
  scene.solver.method = SolverMethod::jacobi;
  scene.objects[0].material.tear_strain = 0.02;
  std::uint64_t alone = 0;
  for (const int threads : {1, 2, 3, 8}) {
    Rig rig(scene, threads);
    adopt_tear_room(rig.world, with_tear_room(rig.world));
    refresh_softness(rig.world);
    rig.solver.prepare(rig.world);
    rig.run(30);
    if (threads == 1) {
      alone = world_hash(rig.world);
      EXPECT_GT(rig.world.topology->edition, 0u) << "nothing tore";
    }
    EXPECT_EQ(world_hash(rig.world), alone) << threads;
  }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::method_test
