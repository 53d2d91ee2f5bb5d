// Methods that minimise the objective of implicit Euler, fast projection and forces, against worked cases and
// against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/chain.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/verify/convergence.hpp"
#include "engine/verify/fastest_swing.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace implicit_methods_test { namespace {

using test::matches;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

constexpr double epsilon = std::numeric_limits<real>::epsilon();

/// Points with springs, at the places where a substep of `h` seconds predicted them; iterations alone.
struct Springs {
  SceneDesc scene;
  std::vector<double> stiffness;

  Springs(SolverMethod method, double h) {
    scene.solver.method->kind = method;
    scene.solver.method->accelerated = false;
    scene.solver.step->dt = h, scene.solver.step->substeps = 1;
    ObjectDesc object;
    object.name = "points";
    object.type = ObjectType::points;
    scene.objects.push_back(object);
  }
  void add_point(const vec3& place, double mass) {
    scene.objects[0].points->list.push_back({glm::dvec3(place), mass});
  }
  void add_spring(Index a, Index b, double rest, double k) {
    scene.objects[0].points->springs.push_back({{a, b}, rest});
    stiffness.push_back(k);
  }
  /// Positions after `iterations` iterations.
  std::vector<vec3> solve(int iterations) const {
    Rig rig(scene);
    const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
    auto& softness = std::get<StencilState<Distance>>(*rig.world.matter.constraints).softness[0];
    for (std::size_t s = 0; s < batch.id.size(); ++s)
      if (batch.id[s] >= 0) softness[s] = real(1.0 / stiffness[std::size_t(batch.id[s])]);
    const real h = real(scene.solver.step->dt);
    rig.iterate(iterations, real(1) / (h * h));
    std::vector<vec3> out;
    for (std::size_t i = 0; i < scene.objects[0].points->list.size(); ++i)
      out.push_back(vec3(rig.x(Index(i))));
    return out;
  }
};

Springs two_springs(SolverMethod method, const VectorCase& c) {
  Springs springs(method, c.inputs.at("dt").get<double>());
  const auto y = to_vec3s<real>(c.expected.at("y"));
  for (std::size_t i = 0; i < y.size(); ++i) springs.add_point(y[i], c.inputs.at("m").at(i).get<double>());
  return springs;
}

TEST(Projective, TakesTheStepsOfTheNotes) {
  const VectorCase one = vector_case("pd_one_spring"), two = vector_case("pd_two_springs_gravity");
  Springs first = two_springs(SolverMethod::projective, one);
  first.add_spring(0, 1, one.inputs.at("r").get<double>(), one.inputs.at("k").get<double>());
  Springs second = two_springs(SolverMethod::projective, two);
  for (int s = 0; s < 2; ++s)
    second.add_spring(s, s + 1, two.inputs.at("r").at(s).get<double>(),
                      two.inputs.at("k").at(s).get<double>());
  for (const auto& step : one.expected.at("iterations"))
    EXPECT_TRUE(matches<real>(one, step.at("x"), first.solve(step.at("iter").get<int>())));
  for (const auto& step : two.expected.at("iterations"))
    EXPECT_TRUE(matches<real>(two, step.at("x"), second.solve(step.at("iter").get<int>())));
}

/// A displacement by a contact reverses a stiff mode by at most a third, whenever it comes.
TEST(Projective, AnswersALateContactAsAnEarlyOne) {
  constexpr double h = 0.01, stiff = 1e5 / (h * h);
  constexpr real pulled = real(0.01);
  Springs springs(SolverMethod::projective, h);
  springs.scene.solver.method->accelerated = true;
  springs.add_point(vec3(0), 1.0);
  springs.add_point(vec3(1, 0, 0), 1.0);
  springs.add_spring(0, 1, 1.0, stiff);
  for (const int earlier : {1, 2, 9, 17}) {
    Rig rig(springs.scene);
    std::get<StencilState<Distance>>(*rig.world.matter.constraints).softness[0][0] = real(1 / stiff);
    begin_frame_moves(rig.world.particles, 0, rig.world.particles.padded());
    rig.pool.run([&](Team& team) {
      Sweep<real> sweep{true, true, real(1 / (h * h))};
      sweep.origin = flat(rig.world.particles.origin);
      rig.solver.method().load(rig.world, team);
      for (int i = 0; i <= earlier; ++i, sweep.first = false) {
        team.barrier();
        if (i == earlier && team.rank() == 0) rig.world.particles.moved[rig.inside(1)].x += pulled;
        team.barrier();
        rig.solver.method().iterate(rig.world, sweep, team);
      }
    });
    show_moved(rig.world.particles, 0, rig.world.particles.padded());
    const real longer = rig.x(1).x - rig.x(0).x - 1;
    EXPECT_LE(std::abs(longer), pulled * real(0.334)) << earlier;
    EXPECT_GE(std::abs(longer), pulled * real(0.3)) << earlier;
  }
}

/// The limit of the local and global steps is where grad F = 0.
TEST(Minimizers, EndWhereTheNotesDo) {
  const VectorCase c = vector_case("pd_two_springs_gravity");
  const auto& steps = c.expected.at("iterations");
  for (const auto& [method, iterations] :
       {std::pair{SolverMethod::newton, 20}, std::pair{SolverMethod::descent, 400}}) {
    Springs springs = two_springs(method, c);
    for (int s = 0; s < 2; ++s)
      springs.add_spring(s, s + 1, c.inputs.at("r").at(s).get<double>(),
                         c.inputs.at("k").at(s).get<double>());
    EXPECT_TRUE(matches<real>(c, steps.at(steps.size() - 1).at("x"), springs.solve(iterations)))
        << traits(method).name;
  }
}

TEST(Newton, TakesTheImplicitStepOfTheTwoSpringChain) {
  const VectorCase c = vector_case("xpbd_vs_newton_two_spring_chain");
  const auto y = to_vec3s<real>(c.expected.at("predicted"));
  Springs springs(SolverMethod::newton, c.inputs.at("dt").get<double>());
  for (std::size_t i = 0; i < 3; ++i) {
    const double w = c.inputs.at("w").at(i).get<double>();
    springs.add_point(y[i], w > 0.0 ? 1.0 / w : 0.0);
  }
  for (int s = 0; s < 2; ++s)
    springs.add_spring(s, s + 1, c.inputs.at("L").at(s).get<double>(), c.inputs.at("k").at(s).get<double>());
  const std::vector<vec3> x = springs.solve(20);
  const auto& newton = c.expected.at("newton");
  EXPECT_TRUE(matches<real>(c, newton.at("p1"), x[1]));
  EXPECT_TRUE(matches<real>(c, newton.at("p2"), x[2]));
}

/// F after `iterations` from one predicted cloth, in a step of 1/60 s.
double objective_after(SceneDesc scene, SolverMethod method, int iterations) {
  scene.solver.method->kind = method;
  Rig rig(scene);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) {
    vec4& p = rig.world.particles.position[i];
    if (p.w > real(0))
      p += vec4(real(0.02) * p.x * p.x, real(-0.03) * p.x, real(0.05) * p.z * p.x + real(0.02) * p.z, 0);
  }
  const real h = real(scene.solver.step->dt / scene.solver.step->substeps);
  rig.iterate(iterations, real(1) / (h * h));
  return convergence(rig.world, AlignedVector<vec4>(rig.world.particles.position.size(), vec4(0))).objective;
}

SceneDesc quadratic_cloth() {
  SceneDesc scene = test::hanging_cloth(8);
  scene.solver.step->substeps = 1;
  scene.objects[0].material->stretch_compliance = 1e-3;
  scene.objects[0].material->bend_compliance = 1e2;
  scene.objects[0].material->bending_model = BendingModel::isometric;
  return scene;
}

TEST(Minimizers, ReachOneMinimum) {
  const SceneDesc scene = quadratic_cloth();
  const double start = objective_after(scene, SolverMethod::newton, 0),
               newton = objective_after(scene, SolverMethod::newton, 30),
               descent = objective_after(scene, SolverMethod::descent, 3000),
               projective = objective_after(scene, SolverMethod::projective, 1500);
  std::printf("F: %.12g at y, %.12g newton, %.12g descent, %.12g projective\n", start, newton, descent,
              projective);
  EXPECT_LT(newton, 0.9 * start);
  // F is flat at its minimum: an error of positions counts squared, but the sum of float positions' errors
  // against y, m |dx| |x - y|/h^2, counts once
  const double bound = std::max(1e-8, 100.0 * epsilon) * newton;
  EXPECT_NEAR(descent, newton, bound);
  EXPECT_NEAR(projective, newton, bound);
}

/// ARAP: tetrahedra as rigid as possible, whose energy is quadratic once rotations are found.
TEST(Minimizers, ReachOneMinimumOfTetrahedra) {
  SceneDesc scene;
  scene.solver.step->substeps = 1;
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::tets;
  bar.tets->shape = TetShape::bar;
  bar.tets->dimensions = {0.8, 0.2, 0.2}, bar.tets->cells = {4, 1, 1};
  bar.density = 1000.0;
  bar.pins = {std::string("left")};
  bar.material->model = SolidModel::corotated;
  bar.material->youngs_modulus = 3e4, bar.material->poisson_ratio = 0.0;
  scene.objects.push_back(bar);
  const double start = objective_after(scene, SolverMethod::newton, 0),
               newton = objective_after(scene, SolverMethod::newton, 40),
               projective = objective_after(scene, SolverMethod::projective, 600);
  std::printf("F of tetrahedra: %.12g at y, %.12g newton, %.12g projective\n", start, newton, projective);
  EXPECT_LT(newton, 0.9 * start);
  EXPECT_NEAR(projective, newton, std::max(1e-8, 100.0 * epsilon) * newton);
}

TEST(Minimizers, FallFromIterationToIteration) {
  SceneDesc scene = quadratic_cloth();
  scene.solver.method->accelerated = false;  // what is carried on need not fall
  for (const SolverMethod method : {SolverMethod::newton, SolverMethod::descent, SolverMethod::projective}) {
    double last = objective_after(scene, method, 0);
    for (const int iterations : {1, 2, 4, 8}) {
      const double now = objective_after(scene, method, iterations);
      EXPECT_LT(now, last * (1.0 + 100.0 * epsilon)) << traits(method).name << ' ' << iterations;
      last = now;
    }
  }
}

/// All ends of XPBD's iterations satisfy C + alpha~ lambda = 0.
TEST(Xpbd, ComesToItsFixedPoint) {
  SceneDesc scene = test::hanging_cloth(8);
  scene.solver.step->substeps = 1, scene.solver.step->iterations = 3000;
  scene.objects[0].material->stretch_compliance = 1e-3;
  Rig rig(scene);
  rig.run(1);
  EXPECT_LT(convergence(rig.world, rig.world.particles.moved).residual_max, std::max(1e-10, 4.0 * epsilon));
}

#if LIMBER_DOUBLE
SceneDesc chain_of_twenty() {
  SceneDesc scene;
  scene.solver.step->substeps = 1;
  scene.solver.motion->damping = 0.0;
  ObjectDesc chain;
  chain.name = "chain";
  chain.type = ObjectType::chain;
  chain.chain->links = 20;
  chain.chain->link_length = 0.1;
  chain.particle_mass = 1.0;
  chain.material->stretch_compliance = 1e-8;
  scene.objects.push_back(chain);
  return scene;
}

/// M (x - y) = the sum of impulses of all iterations. In a straight hanging chain gradients never turn, and
/// the impulses are grad C lambda.
TEST(Xpbd, LeavesWhatItsImpulsesMoved) {
  SceneDesc scene = chain_of_twenty();
  scene.objects[0].chain->direction = {0, -1, 0};
  scene.solver.step->iterations = 30;
  Rig rig(scene);
  const double h = scene.solver.step->dt;
  std::vector<double> impulse(21, 0.0);
  std::vector<glm::dvec3> y(21);
  for (Index i = 0; i <= 20; ++i)
    y[std::size_t(i)] = glm::dvec3(rig.x(i)) + h * h * scene.solver.motion->gravity;
  rig.step();
  const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
  const auto& lambda = std::get<StencilState<Distance>>(*rig.world.matter.constraints).lambda[0];
  const auto& outside = rig.world.topology->internal_to_external;
  for (std::size_t s = 0; s < batch.id.size(); ++s) {
    if (batch.id[s] < 0) continue;
    const auto a = std::size_t(outside[std::size_t(batch.vertices[0][s])]),
               b = std::size_t(outside[std::size_t(batch.vertices[1][s])]);
    const double up = y[a].y > y[b].y ? 1.0 : -1.0;  // of grad_a C
    impulse[a] += up * double(lambda[s]), impulse[b] -= up * double(lambda[s]);
  }
  for (Index i = 1; i <= 20; ++i)
    EXPECT_NEAR(double(rig.x(i).y) - y[std::size_t(i)].y, impulse[std::size_t(i)], 1e-12) << i;
}

/// Forces of the links after 100 frames, N, from the held end on: the multipliers of XPBD, or the tension
/// under Newton's method.
std::vector<double> forces_after(SolverMethod method, int iterations, double angle) {
  SceneDesc scene = chain_of_twenty();
  scene.solver.method->kind = method;
  scene.solver.step->iterations = iterations;
  scene.objects[0].chain->direction = {std::sin(angle), -std::cos(angle), 0};
  Rig rig(scene);
  rig.run(100);
  const double h = scene.solver.step->dt;
  const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
  const auto& lambda = std::get<StencilState<Distance>>(*rig.world.matter.constraints).lambda[0];
  std::vector<double> forces(20);
  for (std::size_t s = 0; s < batch.id.size(); ++s)
    if (batch.id[s] >= 0) forces[std::size_t(batch.id[s])] = -double(lambda[s]) / (h * h);
  return forces;
}

/// Let go at half a radian, and level: then XPBD, which leaves out how gradients turn within a step, comes to
/// 1.1 % after any number of iterations.
TEST(Xpbd, FindsTheForcesThatNewtonDoes) {
  for (const auto& [angle, at_last] : {std::pair{0.5, 0.005}, {1.5707963, 0.015}}) {
    const std::vector<double> truth = forces_after(SolverMethod::newton, 10, angle);
    for (const auto& [iterations, most] : {std::pair{50, 0.06}, {100, 0.025}, {1000, at_last}}) {
      const std::vector<double> forces = forces_after(SolverMethod::xpbd, iterations, angle);
      double off = 0.0, all = 0.0;
      for (std::size_t k = 0; k < forces.size(); ++k)
        off += std::abs(forces[k] - truth[k]), all += std::abs(truth[k]);
      std::printf("from %g rad, %d iterations: %.3g %% off\n", angle, iterations, 100.0 * off / all);
      EXPECT_LT(off / all, most) << angle << ' ' << iterations;
    }
  }
}
#endif

/// A chain of twenty, swung out: each step of Newton's method on its constraints squares the error.
/// Multipliers are those of the whole substep, so that softness counts once however many iterations there
/// are.
TEST(FastProjection, SagsByTheLoad) {
  SceneDesc scene = test::hanging_mass(2.0, 1.0, 0.001);
  scene.solver.method->kind = SolverMethod::fast_projection;
  scene.solver.step->iterations = 5;
  scene.solver.motion->damping = 0.9;
  scene.solver.motion->gravity = {0.0, -10.0, 0.0};
  Rig rig(scene);
  rig.run(300);
  EXPECT_NEAR(double(rig.x(1).y), -1.02, 1e-5);
}

/// Entry (3 i + a, 3 j + b) of the matrix in which every unknown stands for three, by its number.
TEST(SparsePattern, NamesTheEntriesOfThreeTimesItself) {
  const std::vector<std::int32_t> first{0, 3, 5}, members{0, 2, 3, 1, 3};
  SparsePattern pattern;
  pattern.build(4, first, members);
  const SparsePattern three = pattern.three_times();
  for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 0}, {3, 0}, {3, 2}, {3, 1}, {0, 3}, {3, 3}})
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        EXPECT_EQ(pattern.entry_of_three(i, a, j, b), three.entry(3 * i + a, 3 * j + b)) << i << j << a << b;
}

TEST(FastProjection, ConvergesQuadratically) {
  SceneDesc scene;
  scene.solver.method->kind = SolverMethod::fast_projection;
  scene.solver.step->substeps = 1;
  ObjectDesc chain;
  chain.name = "chain";
  chain.type = ObjectType::chain;
  chain.chain->links = 20;
  chain.chain->link_length = 0.1;
  scene.objects.push_back(chain);
  std::array<double, 3> worst{};
  for (int n = 0; n < 3; ++n) {
    scene.solver.step->iterations = 2 + 2 * n;
    Rig rig(scene);
    rig.run(5);
    const auto& batch = std::get<StencilBatch<Distance>>(*rig.world.topology->constraints);
    for (std::size_t s = 0; s < batch.id.size(); ++s) {
      if (batch.id[s] < 0) continue;
      const auto place = [&](int j) {
        return glm::dvec3(rig.world.particles.position[std::size_t(batch.vertices[std::size_t(j)][s])]);
      };
      worst[std::size_t(n)] = std::max(
          worst[std::size_t(n)], std::abs(glm::distance(place(0), place(1)) - double(batch.rest[0][s])));
    }
  }
  EXPECT_LT(worst[1], std::max(1e-2 * worst[0], 10.0 * epsilon));
  EXPECT_LT(worst[2], std::max(1e-9, 10.0 * epsilon));
}

/// x'' = -omega^2 x, in double: it has to blow up to 1e55.
TEST(Forces, AreStableBelowTwoOverOmegaAndNotBeyond) {
  if (sizeof(real) == sizeof(float)) GTEST_SKIP() << "float ends at 3e38";
  const VectorCase c = vector_case("force_based_symplectic_euler");
  const double omega = c.inputs.at("omega").get<double>();
  for (const double h : {0.05, 0.19, 0.21}) {
    SceneDesc scene = test::hanging_mass(1.0, 1.0, 1.0 / (omega * omega));
    scene.objects[0].points->springs[0].rest_length = 0.0;
    scene.solver.method->kind = SolverMethod::forces;
    scene.solver.motion->gravity = {0, 0, 0};
    scene.solver.step->dt = h;
    scene.solver.motion->max_speed = 1e300;
    Rig rig(scene);
    EXPECT_NEAR(fastest_swing(rig.world), omega, 1e-9 * omega);
    double largest = 0.0;
    for (int i = 0; i < c.inputs.at("N").get<int>(); ++i) {
      rig.step();
      largest = std::max(largest, std::abs(double(rig.x(1).y)));
    }
    char key[16];
    std::snprintf(key, sizeof key, "h=%.2f", h);
    const auto& expected = c.expected.at(key);
    const double x = expected.at("x_200").get<double>();
    EXPECT_NEAR(-double(rig.x(1).y), x, 1e-6 * std::max(1.0, std::abs(x))) << h;
    EXPECT_NEAR(largest, expected.at("max_abs_x").get<double>(), 1e-6 * largest) << h;
  }
}

constexpr std::array implicit_methods{SolverMethod::projective, SolverMethod::newton, SolverMethod::descent,
                                      SolverMethod::fast_projection, SolverMethod::forces};

TEST(ImplicitMethods, AreTheSameOnAnyNumberOfThreadsThroughTears) {
  for (const SolverMethod method : implicit_methods) {
    SceneDesc scene = test::hanging_cloth(18);
    scene.solver.method->kind = method;
    scene.solver.step->substeps = method == SolverMethod::forces ? 10 : 2;
    scene.solver.step->iterations = 2;
    scene.objects[0].material->stretch_compliance = 1e-4;
    scene.objects[0].material->tear_strain = 0.001;
    std::uint64_t alone = 0;
    for (const int threads : test::thread_counts()) {
      Rig rig(scene, threads);
      adopt_tear_room(rig.world, with_tear_room(rig.world));
      refresh_softness(rig.world);
      rig.world.changed(Change::everything), rig.solver.follow(rig.world);
      rig.run(5);
      if (threads == 1) {
        alone = state_hash(rig.world);
        EXPECT_GT(rig.world.topology->edition, 0u) << "nothing tore: " << traits(method).name;
      }
      EXPECT_EQ(state_hash(rig.world), alone) << traits(method).name << ' ' << threads;
    }
  }
}

TEST(Projective, FactorsOnlyWhereSomethingChanged) {
  SceneDesc scene = quadratic_cloth();
  scene.solver.method->kind = SolverMethod::projective;
  Rig rig(scene);
  const Projective* projective = rig.solver.method().get<Projective>();
  ASSERT_TRUE(projective);
  rig.run(5);
  EXPECT_EQ(projective->factored(), 1);
  rig.world.user.grab = Grab{20, glm::dvec3(0.0, 1.0, 0.0)};
  fix_particle(rig.world, 20);
  rig.run(5);
  EXPECT_EQ(projective->factored(), 2);
  rig.world.settings.materials[0].stretch_compliance = 2e-3;
  refresh_softness(rig.world);
  rig.run(5);
  EXPECT_EQ(projective->factored(), 3);
}

}}}}  // namespace limber::LIMBER_PRECISION::implicit_methods_test
