// Pairs of all kinds of objects, which a scene allows or forbids to touch each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "tests/verification/matter_kinds.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace touches_test {
namespace {

using test::MatterKind;
using Rows = std::vector<glm::dvec3>;

/// An object falls onto another of any kind and onto the ground.
SceneDesc scene_of(const MatterKind& one) {
  SceneDesc scene;
  scene.solver.step->substeps = 4;
  scene.solver.step->iterations = 2;
  scene.solver.contact->particle_radius = 0.03;
  scene.solver.contact->cloth_collision = true;
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  scene.colliders.push_back(ground);
  one.add(scene, "one", 0.0);
  return scene;
}

/// Adds another below the first.
void add_below(SceneDesc& scene, const MatterKind& other, const std::string& collides_with) {
  other.add(scene, "other", 0.05);
  const bool body = scene.bodies.size() > 0 && scene.bodies.back().name == "other";
  (body ? scene.bodies.back().pose : scene.objects.back().pose).position.y = 0.15;
  (body ? scene.bodies.back().collides_with : scene.objects.back().collides_with) = collides_with;
}

Rows places_of_first(const SceneDesc& scene) {
  Rig rig(scene);
  rig.run(30);
  Rows rows;
  const bool object = !scene.objects.empty() && scene.objects[0].name == "one";
  for (const std::int32_t i : rig.world.topology->external_to_internal)
    if (object && rig.world.particles.object[std::size_t(i)] == 0)
      rows.emplace_back(rig.world.particles.position[std::size_t(i)]);
  for (std::size_t b = 0; !object && b < 3; ++b) rows.emplace_back(rig.world.bodies.position[b]);
  return rows;
}

double farthest(const Rows& a, const Rows& b) {
  double most = a.size() == b.size() ? 0.0 : 1e9;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    most = std::max(most, glm::distance(a[k], b[k]));
  return most;
}

class Touches : public testing::TestWithParam<std::tuple<MatterKind, MatterKind>> {};

/// An object of another kind affects a fall exactly if the two collide.
TEST_P(Touches, AreWhatTheSceneChooses) {
  const auto& [one, other] = GetParam();
  const Rows alone = places_of_first(scene_of(one));
  for (const std::string list : {"ground", "-one", "all"}) {
    SceneDesc both = scene_of(one);
    add_below(both, other, list);
    const double moved = farthest(alone, places_of_first(both));
    if (list == "all")
      EXPECT_GT(moved, 1e-3);
    else
      EXPECT_LT(moved, 5e-4) << list;
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, Touches,
                         testing::Combine(testing::ValuesIn(test::matter_kinds),
                                          testing::ValuesIn(test::matter_kinds)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "On" +
                                  std::get<1>(info.param).name;
                         });

/// A thing that names nothing falls through the ground, as does the ground that does not name it.
TEST(Touches, GroundHoldsWhatNamesItAndWhatItNames) {
  for (const MatterKind& kind : test::matter_kinds)
    for (const bool by_ground : {false, true}) {
      SceneDesc scene = scene_of(kind);
      if (kind.name == std::string("Tearing")) continue;  // hangs
      (by_ground               ? scene.colliders[0].collides_with
       : scene.objects.empty() ? scene.bodies[0].collides_with
                               : scene.objects[0].collides_with) = by_ground ? "-one" : "one";
      double lowest = 0.0;
      for (const glm::dvec3& x : places_of_first(scene)) lowest = std::min(lowest, x.y);
      EXPECT_LT(lowest, -0.4) << kind.name << by_ground;
    }
}

}  // namespace
}}}  // namespace limber::LIMBER_PRECISION::touches_test
