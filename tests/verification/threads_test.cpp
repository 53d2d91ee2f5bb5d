// The number of threads changes no bit: every method and integrator on all kinds of objects that it solves.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/matter_kinds.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace threads_test {
namespace {

using test::MatterKind;

/// Two of a kind close above each other, which meet on a ball on the ground: more than two blocks of
/// particles.
SceneDesc scene_of(const MatterKind& kind, SolverMethod method, Integrator integrator) {
  SceneDesc scene;
  scene.solver.step->substeps = 2;
  scene.solver.step->iterations = method == SolverMethod::newton ? 1 : 2;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.contact->cloth_collision = true;
  scene.solver.method->kind = method;
  scene.solver.method->integrator = integrator;
  for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::sphere}) {
    ColliderDesc collider;
    collider.name = shape == ColliderShape::plane ? "ground" : "ball";
    collider.shape = shape;
    collider.radius = 0.25;
    scene.colliders.push_back(collider);
  }
  kind.add(scene, "lower", 0.0);
  kind.add(scene, "upper", 0.05);
  if (!scene.objects.empty()) {
    scene.objects.back().pose.position.y += 0.06;
    scene.objects.back().velocity = {0.0, -2.0, 0.0};
  }
  test::cloth(scene, "sheet", 0.1);
  scene.objects.back().pose.position.y = 1.0;
  return scene;
}

std::uint64_t hash_of(const SceneDesc& scene, int threads) {
  Rig rig(scene, threads);
  if (wants_tears(rig.world)) {
    adopt_tear_room(rig.world, with_tear_room(rig.world));
    refresh_softness(rig.world);
    rig.world.changed(Change::everything), rig.solver.follow(rig.world);
  }
  rig.run(scene.solver.method->kind == SolverMethod::newton ? 1 : 3);
  return state_hash(rig.world);
}

struct Case {
  SolverMethod method;
  Integrator integrator;
  MatterKind kind;
};

/// Methods differ for deforming matter. The factors of fast projection take seconds on solids and closed
/// surfaces, and explicit forces take minutes on stiff springs: ImplicitMethods tests their threads.
bool is_tested(SolverMethod method, const MatterKind& kind) {
  if (method == SolverMethod::xpbd || method == SolverMethod::pbd) return true;
  if (method == SolverMethod::forces) return false;
  if (method == SolverMethod::fast_projection) return kind.add == test::cloth;
  if (!traits(method).no_pressure.empty() && kind.add == test::balloon) return false;  // refused
  return kind.add == test::cloth || kind.add == test::tets || kind.add == test::tearing_cloth ||
         kind.add == test::balloon;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::size_t m = 0; m < method_table.size(); ++m)
    for (const Integrator integrator : {Integrator::bdf1, Integrator::bdf2})
      for (const MatterKind& kind : test::matter_kinds)
        if (is_tested(SolverMethod(m), kind) && (integrator == Integrator::bdf1 || method_table[m].bdf2))
          cases.push_back({SolverMethod(m), integrator, kind});
  return cases;
}

class Threads : public testing::TestWithParam<Case> {};

TEST_P(Threads, ComeToTheSameBits) {
  const SceneDesc scene = scene_of(GetParam().kind, GetParam().method, GetParam().integrator);
  const std::uint64_t alone = hash_of(scene, 1);
#ifdef __SANITIZE_THREAD__
  EXPECT_EQ(hash_of(scene, 3), alone);
#else
  for (const int threads : {2, 2, 3, 8}) EXPECT_EQ(hash_of(scene, threads), alone) << threads;
#endif
}

INSTANTIATE_TEST_SUITE_P(All, Threads, testing::ValuesIn(all_cases()), [](const auto& info) {
  return std::string(traits(info.param.method).name) +
         (info.param.integrator == Integrator::bdf2 ? "_bdf2_" : "_") + info.param.kind.name;
});

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::threads_test
