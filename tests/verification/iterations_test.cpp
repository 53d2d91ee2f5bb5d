// Claims of the papers about iterations: their effect on F, on the balance of forces, on the remaining
// stretch, and on the shares of cost of a frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/step/probes.hpp"
#include "engine/verify/convergence.hpp"
#include "engine/verify/evaluated.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace iterations_test { namespace {

/// A cloth held at two corners that swings through, in one substep a frame.
SceneDesc swinging_cloth(int n, double compliance, int iterations) {
  SceneDesc scene = test::hanging_cloth(n);
  scene.solver.step->substeps = 1;
  scene.solver.step->iterations = iterations;
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->width = cloth.cloth->height = 1.0;
  cloth.velocity = {0.0, 0.0, 3.0};
  cloth.material->stretch_compliance = compliance;
  cloth.material->bend_compliance = 100.0;
  cloth.material->bending_model = BendingModel::isometric;
  return scene;
}

/// F of the iterations of one frame, from the predicted positions on.
std::vector<double> objectives(const SceneDesc& scene, int frames_before) {
  Rig rig(scene);
  rig.run(frames_before);
  std::vector<IterationTrace> rows;
  TraceProbe probe(&convergence, rows);
  rig.solver.set_probe(&probe);
  rig.step();
  std::vector<double> out;
  for (const IterationTrace& row : rows) out.push_back(row.state.objective);
  return out;
}

/// F has the elastic energy of the given compliances, which PBD does not use. The first sweep over errors
/// that the last substep left smooth may raise F (17 % at most here); every later sweep lowers it. Double
/// only: float positions make the energy of such stiff springs noisy.
TEST(Iterations, LowerTheObjectiveOfPbd) {
  if (!LIMBER_DOUBLE) GTEST_SKIP() << "float makes noise of stiff energies";
  for (const SolverMethod method : {SolverMethod::pbd, SolverMethod::hierarchical})
    for (const int frames_before : {0, 10, 30}) {
      SceneDesc scene = swinging_cloth(12, 1e-6, 40);
      scene.solver.method->kind = method;
      const std::vector<double> F = objectives(scene, frames_before);
      std::printf("F of %s after %d frames: %.6g %.6g %.6g %.6g %.6g %.6g\n", traits(method).name.data(),
                  frames_before, F[0], F[1], F[2], F[5], F[10], F[40]);
      EXPECT_LT(F[1], 1.25 * F[0]);
      for (std::size_t n = 2; n < F.size(); ++n)
        EXPECT_LT(F[n], F[n - 1]) << traits(method).name << ", iteration " << n;
      EXPECT_LT(F.back(), 0.75 * F.front());
    }
}

/// Notes |g| / |M (x - y)| after every iteration, with g = M (x - y) - grad C^T lambda (lambda takes h^2 in,
/// erratum 16): the residual of the first rows of Newton's system, which XPBD takes as zero.
class ForceProbe final : public StepProbe {
 public:
  bool look(const World& world, const StepPoint& point) override {
    if (!point.stage.empty()) return true;
    if (point.iteration == 0) predicted_ = world.particles.moved;
    std::vector<glm::dvec3> inertia(world.particles.moved.size(), glm::dvec3(0.0)), g;
    for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i) {
      const double w = double(world.particles.moved[i].w);
      if (w > 0.0) inertia[i] = glm::dvec3(world.particles.moved[i] - predicted_[i]) / w;
    }
    g = inertia;
    for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
      using Type = std::tuple_element_t<type, ConstraintTypes>;
      const Evaluated<Type> c = evaluate(world, batch, slot);
      const auto& lambda = std::get<type>(*world.matter.constraints).lambda;
      for (std::size_t j = 0; j < c.particle.size(); ++j)
        for (std::size_t k = 0; k < c.C.size(); ++k)
          if (c.weight[j] > real(0))
            g[std::size_t(c.particle[j])] -= double(lambda[k][slot]) * c.gradient[k][j];
    });
    if (point.iteration > 0) shares.push_back(norm(g) / norm(inertia));
    return true;
  }
  std::vector<double> shares;

 private:
  static double norm(const std::vector<glm::dvec3>& vectors) {
    double sum = 0.0;
    for (const glm::dvec3& v : vectors) sum += glm::dot(v, v);
    return std::sqrt(sum);
  }
  AlignedVector<vec4> predicted_;
};

/// "Typically remains small": of springs it grows with the iterations, as their gradients turn, and falls
/// with the substep.
TEST(Iterations, KeepForcesOfXpbdInBalance) {
  for (const auto& [substeps, most] : {std::pair{5, 0.03}, {20, 0.02}})
    for (const int frames_before : {2, 10, 30}) {
      SceneDesc scene = swinging_cloth(12, 1e-6, 100);
      scene.objects[0].velocity = glm::dvec3(0.0);
      scene.objects[0].pose.rotation_degrees = {60.0, 0.0, 0.0};
      scene.objects[0].material->bending = false;
      scene.solver.step->substeps = substeps;
      Rig rig(scene);
      rig.run(frames_before);
      ForceProbe probe;
      rig.solver.set_probe(&probe);
      rig.step();
      ASSERT_EQ(probe.shares.size(), std::size_t(100 * substeps));
      const double last = *std::max_element(probe.shares.begin(), probe.shares.end());
      std::printf(
          "|g| with %d substeps, after %d frames: %.3g of the forces after one iteration, %.3g after "
          "10, %.3g after 100, %.3g at most\n",
          substeps, frames_before, probe.shares[0], probe.shares[9], probe.shares[99], last);
      EXPECT_LT(last, most);
    }
}

/// Mean strain over a second of a cloth that is let go.
double stretch(Integrator integrator, int iterations, int n, int substeps) {
  SceneDesc scene = swinging_cloth(n, 0.0, iterations);
  scene.objects[0].velocity = glm::dvec3(0.0);
  scene.solver.step->substeps = substeps;
  scene.solver.method->integrator = integrator;
  Rig rig(scene);
  double sum = 0.0;
  for (int f = 0; f < 60; ++f) {
    rig.step();
    sum += measure(rig.world).strain.mean;
  }
  return sum / 60.0;
}

/// At rest gravity moves a particle by h^2 g before the constraints of a step of BDF1, by 4/9 of that before
/// those of BDF2.
TEST(Iterations, AreHalfAsManyUnderBdf2) {
  for (const auto& [n, substeps] : {std::pair{8, 1}, {16, 1}, {16, 4}, {24, 2}}) {
    const double second = stretch(Integrator::bdf2, 5, n, substeps),
                 first = stretch(Integrator::bdf1, 10, n, substeps);
    std::printf("%d x %d, %d substeps: strain %.4g with 5 iterations of bdf2, %.4g with 10 of bdf1\n", n, n,
                substeps, second, first);
    EXPECT_LE(second, first) << n << ' ' << substeps;
  }
}

/// Projections and contact tests of some frames, counted.
struct Work {
  double projections = 0.0;  ///< of a constraint or a contact in an iteration
  double tests = 0.0;        ///< of a pair watched for contact, in a search or by the guard in a substep
};

Work work_of(int iterations) {
  SceneDesc scene = test::square_cloth(8);
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = 2;
  scene.solver.step->iterations = iterations;
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->upright = false;
  cloth.cloth->width = cloth.cloth->height = 1.0;
  cloth.pose.position = {0.0, 0.72, 0.0};
  cloth.copies = {1.0, 4.0, 1.0};
  cloth.spacing = {0.0, 0.01, 0.0};
  ColliderDesc ball;
  ball.name = "ball";
  ball.shape = ColliderShape::sphere;
  ball.radius = 0.25;
  ball.pose.position = {0.0, 0.45, 0.0};
  scene.colliders.push_back(ball);
  Rig rig(scene);
  double constraints = 0.0;
  for_each_constraint(rig.world, [&](auto, const auto&, std::size_t) { constraints += 1.0; });
  Work work;
  for (int f = 0; f < 24; ++f) {
    const StepReport step = rig.step();
    if (f < 12) continue;
    const double sweeps = double(scene.solver.step->substeps) * iterations;
    work.projections += sweeps * (constraints + step.contacts + step.surface_contacts);
    work.tests += step.surface_watched * (step.surface_searches + scene.solver.step->substeps);
  }
  return work;
}

/// "Increasing the number of iterations shifts the bottleneck from collision detection to the solver"
/// (section 3.3 of Mueller et al. 2006), for four sheets that lie on each other and on a ball.
TEST(Iterations, MoveTheWorkFromContactsToProjections) {
  double share = 0.0;
  for (const int iterations : {1, 4, 16}) {
    const Work work = work_of(iterations);
    const double now = work.projections / (work.projections + work.tests);
    std::printf("%d iterations: %.3g projections, %.3g contact tests, a share of %.3g\n", iterations,
                work.projections, work.tests, now);
    EXPECT_GT(now, share) << iterations;
    share = now;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::iterations_test
