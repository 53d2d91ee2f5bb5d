// A distant object changes no bit of objects that it does not touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "tests/verification/matter_kinds.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace far_object_test { namespace {

using test::MatterKind;

/// The near one falls onto a ball on the ground; the far one onto the ground, 8 m away.
SceneDesc scene(const MatterKind& near) {
  SceneDesc scene;
  scene.solver.step->substeps = 4;
  scene.solver.step->iterations = 3;
  scene.solver.contact->particle_radius = 0.03;
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  scene.colliders.push_back(ground);
  ColliderDesc ball;
  ball.name = "ball";
  ball.radius = 0.25;
  scene.colliders.push_back(ball);
  near.add(scene, "near", 0.0);
  return scene;
}

using Rows = std::vector<glm::dvec3>;

/// Places and speeds of the near one (the first object or body) after some frames, in its own order.
Rows end_of(const SceneDesc& scene, int threads = 1, int frames = 45) {
  Rig rig(scene, threads);
  rig.run(frames);
  Rows rows;
  const auto& particles = rig.world.particles;
  const auto& order = rig.world.topology->external_to_internal;
  for (const std::int32_t i : order) {
    if (scene.objects.empty() || scene.objects[0].name != "near") break;
    if (particles.object[std::size_t(i)] != 0) continue;
    rows.emplace_back(particles.position[std::size_t(i)]);
    rows.emplace_back(particles.velocity[std::size_t(i)]);
  }
  for (std::int32_t b = 0; rows.empty() && b < 3; ++b) {
    rows.emplace_back(rig.world.bodies.position[std::size_t(b)]);
    rows.emplace_back(rig.world.bodies.angular_momentum[std::size_t(b)]);
  }
  return rows;
}

double farthest(const Rows& a, const Rows& b) {
  if (a.size() != b.size()) return 1e9;
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, glm::distance(a[k], b[k]));
  return most;
}

/// Whether nothing changed, to the bit in double.
void expect_same(const Rows& alone, const Rows& now, const std::string& what) {
  const double most = farthest(alone, now);
  if (most > 0.0) std::printf("          %s: %.1e\n", what.c_str(), most);
  EXPECT_TRUE(!alone.empty() && (sizeof(real) == 4 ? most < 1e-4 : most == 0.0)) << what << " " << most;
}

class Far : public testing::TestWithParam<std::tuple<MatterKind, MatterKind>> {};

TEST_P(Far, ChangesNoBitByBeingThere) {
  const auto& [near, far] = GetParam();
  const Rows alone = end_of(scene(near));
  SceneDesc both = scene(near);
  far.add(both, "far", 8.0);
  expect_same(alone, end_of(both), std::string(far.name) + " far from " + near.name);
}

/// Surfaces that touch themselves and each other: two sheets fall on each other, on a balloon, on a block.
SceneDesc touching(const MatterKind& near, int substeps) {
  SceneDesc scene = far_object_test::scene(near);
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = substeps;
  return scene;
}
void on_cloth(SceneDesc& scene, const char* name, double x) {
  test::cloth(scene, name, x);
  test::cloth(scene, "upper", x + 0.03);
  scene.objects.back().pose.position.y = 0.53;
  scene.objects.back().material->thickness = 0.02;
}
void on_balloon(SceneDesc& scene, const char* name, double x) {
  test::balloon(scene, name, x);
  test::cloth(scene, "upper", x + 0.03);
  scene.objects.back().pose.position.y = 0.85;
}
void on_tets(SceneDesc& scene, const char* name, double x) {
  test::tets(scene, name, x);
  test::tets(scene, "upper", x + 0.05);
  scene.objects.back().pose.position.y = 0.85;
}
/// Hangs by its border and folds.
void in_itself(SceneDesc& scene, const char* name, double x) {
  test::cloth(scene, name, x);
  scene.objects.back().cloth->upright = true;
  scene.objects.back().material->thickness = 0.02;
  scene.objects.back().pose.position.y = 0.9;
  scene.objects.back().pose.rotation_degrees = {10.0, 0.0, 0.0};
}
/// Restless and coarse, with a thickness of its own, and in the way of another one.
void coarse_cloth(SceneDesc& scene, const char* name, double x) {
  for (const double y : {0.5, 0.6}) {
    test::cloth(scene, name, x);
    ObjectDesc& sheet = scene.objects.back();
    sheet.cloth->columns = sheet.cloth->rows = 5;
    sheet.pose.position.y = y;
    sheet.material->thickness = 0.05;
    sheet.material->restitution = 0.5;
    sheet.velocity = {0.0, 20.0 * (0.55 - y), 3.0};
  }
}
void fine_cloth(SceneDesc& scene, const char* name, double x) {
  test::cloth(scene, name, x);
  scene.objects.back().cloth->columns = scene.objects.back().cloth->rows = 41;
  scene.objects.back().material->thickness = 0.005;
  scene.objects.back().velocity = {2.0, -6.0, 0.0};
}
/// Two sheets that cross each other from the start.
void tangled(SceneDesc& scene, const char* name, double x) {
  test::cloth(scene, name, x);
  test::cloth(scene, name, x);
  scene.objects.back().pose.rotation_degrees = {0.0, 0.0, 25.0};
}
constexpr MatterKind touching_kinds[] = {{"ClothOnCloth", on_cloth},
                                         {"ClothOnBalloon", on_balloon},
                                         {"TetsOnTets", on_tets},
                                         {"ClothInItself", in_itself},
                                         {"Balloon", test::balloon}};
constexpr MatterKind far_kinds[] = {{"Coarse", coarse_cloth},         {"Fine", fine_cloth},
                                    {"Balloon", test::balloon},       {"Tets", test::tets},
                                    {"Tearing", test::tearing_cloth}, {"Bodies", test::bodies},
                                    {"Grains", test::grains},         {"Fluid", test::fluid},
                                    {"Cluster", test::cluster},       {"Tangled", tangled}};

class FarSurface : public testing::TestWithParam<std::tuple<MatterKind, MatterKind>> {
 protected:
  /// Runs 1 substep on one thread, and 10 substeps on `threads`.
  static void expect_no_change(const MatterKind& near, const MatterKind& far, int threads) {
    constexpr int frames = 30;
    for (const int substeps : {1, 10}) {
      const SceneDesc scene = touching(near, substeps);
      static std::map<std::string, Rows> known;
      Rows& alone = known[near.name + std::to_string(substeps)];
      if (alone.empty()) alone = end_of(scene, 1, frames);
      SceneDesc both = scene;
      far.add(both, "far", 8.0);
      expect_same(alone, end_of(both, substeps > 1 ? threads : 1, frames),
                  std::string(far.name) + " far from " + near.name + ", " + std::to_string(substeps) +
                      " substeps, " + std::to_string(threads) + " threads");
    }
  }
};

TEST_P(FarSurface, ChangesNoBitByBeingThere) {
  expect_no_change(std::get<0>(GetParam()), std::get<1>(GetParam()), 3);
}
TEST_P(FarSurface, ChangesNoBitOnTwoThreads) {
  if (std::string(std::get<0>(GetParam()).name) == "ClothOnCloth")
    expect_no_change(std::get<0>(GetParam()), std::get<1>(GetParam()), 2);
}

INSTANTIATE_TEST_SUITE_P(Pairs, FarSurface,
                         testing::Combine(testing::ValuesIn(touching_kinds), testing::ValuesIn(far_kinds)),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param).name) + "FarFrom" +
                                  std::get<0>(info.param).name;
                         });

INSTANTIATE_TEST_SUITE_P(Pairs, Far,
                         testing::Combine(testing::ValuesIn(test::matter_kinds),
                                          testing::ValuesIn(test::matter_kinds)),
                         [](const auto& info) {
                           return std::string(std::get<1>(info.param).name) + "FarFrom" +
                                  std::get<0>(info.param).name;
                         });

/// Unlike the others: they need more searches in a frame, with another skin.
void thrown_grains(SceneDesc& scene, const char* name, double x) {
  test::grains(scene, name, x);
  scene.objects.back().jitter = 0.05;
  scene.objects.back().velocity = {0.0, 2.0, 7.0};
}
/// Grains and two bricks that fall on each other and on cloth.
void heap(SceneDesc& scene, const char* name, double x) {
  test::grains(scene, name, x);
  scene.objects.back().jitter = 0.1;
  test::cluster(scene, "brick", x);
  scene.objects.back().pose.position.y = 0.8;
  test::cluster(scene, "upper brick", x + 0.05);
  scene.objects.back().pose.position.y = 1.05;
  test::cloth(scene, "sheet", x);
  scene.objects.back().pose.position.y = 0.3;
}

TEST(FarGrains, ChangeNoBitByWhenTheyAreSearched) {
  for (const MatterKind& kind : test::matter_kinds) {
    const Rows alone = end_of(scene(kind));
    SceneDesc both = scene(kind);
    thrown_grains(both, "far", 8.0);
    expect_same(alone, end_of(both), std::string("thrown grains far from ") + kind.name);
  }
  for (const MatterKind& near : {MatterKind{"thrown grains", thrown_grains}, MatterKind{"a heap", heap}}) {
    const Rows alone = end_of(scene(near));
    for (const MatterKind& kind : test::matter_kinds) {
      SceneDesc both = scene(near);
      kind.add(both, "far", -8.0);
      expect_same(alone, end_of(both), std::string(kind.name) + " far from " + near.name);
    }
    SceneDesc both = scene(near);
    thrown_grains(both, "far", 8.0);
    expect_same(alone, end_of(both), std::string("thrown grains far from ") + near.name);
  }
}

TEST(FarFluid, ChangesNoBitByItsSettings) {
  const auto with = [](const auto& change) {
    SceneDesc both = scene({"Fluid", test::fluid});
    test::fluid(both, "far", 8.0);
    both.objects[0].material->xsph = 0.1;
    both.objects[0].material->surface_tension = 0.02;
    change(*both.objects[1].material);
    return end_of(both);
  };
  const Rows before = with([](Material&) {});
  expect_same(before, with([](Material& far) { far.xsph = 0.0; }), "no xsph");
  expect_same(before, with([](Material& far) { far.xsph = 0.5; }), "xsph");
  expect_same(before, with([](Material& far) { far.vorticity = 1.0; }), "vorticity");
  expect_same(before, with([](Material& far) { far.viscosity = 10.0; }), "viscosity");
  expect_same(before, with([](Material& far) { far.surface_tension = 1.0; }), "surface tension");
  expect_same(before, with([](Material& far) { far.adhesion = 1.0; }), "adhesion");
  expect_same(before, with([](Material& far) { far.friction = 1.0; }), "friction");
}

/// The settings of cloth and bodies mean nothing for a fluid.
TEST(FarFluid, TakesNothingFromTheMaterialOfCloth) {
  const auto with = [](double setting) {
    SceneDesc both = scene({"Fluid", test::fluid});
    test::cloth(both, "far", 8.0);
    both.objects[1].material->xsph = setting;
    both.objects[1].material->vorticity = setting;
    return end_of(both);
  };
  expect_same(with(0.0), with(0.5), "cloth");
}

}}}}  // namespace limber::LIMBER_PRECISION::far_object_test
