// The same bits on any number of threads, in every run: every method and integrator on every kind of matter.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/collider_desc.hpp"
#include "engine/state/tear_room.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/matter_kinds.hpp"
#include "tests/verification/rig.hpp"

namespace limber::inline LIMBER_PRECISION::threads_test {
namespace {

using test::MatterKind;

/// Two of a kind close above each other, which meet on a ball on the ground: more than two blocks of
/// particles.
SceneDesc scene_of(const MatterKind& kind, SolverMethod method, Integrator integrator) {
  SceneDesc scene;
  scene.solver.step->substeps = method == SolverMethod::forces ? 8 : 2;
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
    rig.solver.prepare(rig.world);
  }
  rig.run(scene.solver.method->kind == SolverMethod::newton ? 1 : 3);
  return state_hash(rig.world);
}

class Threads : public testing::TestWithParam<std::tuple<SolverMethod, Integrator, MatterKind>> {};

TEST_P(Threads, ComeToTheSameBits) {
  const auto& [method, integrator, kind] = GetParam();
  const bool only_contacts = kind.add == test::grains || kind.add == test::cluster ||
                             kind.add == test::fluid ||
                             kind.add == test::bodies;  // the methods differ in what deforms
  if (only_contacts && method != SolverMethod::xpbd && method != SolverMethod::pbd) return;
  if (method == SolverMethod::fast_projection && kind.add != test::cloth) return;  // its factors take seconds
  if (integrator == Integrator::bdf2 && !traits(method).bdf2) return;
  if (method == SolverMethod::forces)
    return;  // stiff springs take it minutes; its threads are in ImplicitMethods
  const SceneDesc scene = scene_of(kind, method, integrator);
  const std::uint64_t alone = hash_of(scene, 1);
#ifdef __SANITIZE_THREAD__
  EXPECT_EQ(hash_of(scene, 3), alone);
#else
  for (const int threads : {2, 2, 3, 8}) EXPECT_EQ(hash_of(scene, threads), alone) << threads;
#endif
}

std::vector<SolverMethod> all_methods() {
  std::vector<SolverMethod> all;
  for (std::size_t m = 0; m < method_table.size(); ++m) all.push_back(SolverMethod(m));
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Threads,
                         testing::Combine(testing::ValuesIn(all_methods()),
                                          testing::Values(Integrator::bdf1, Integrator::bdf2),
                                          testing::ValuesIn(test::matter_kinds)),
                         [](const auto& info) {
                           return std::string(traits(std::get<0>(info.param)).name) +
                                  (std::get<1>(info.param) == Integrator::bdf2 ? "_bdf2_" : "_") +
                                  std::get<2>(info.param).name;
                         });

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION::threads_test
