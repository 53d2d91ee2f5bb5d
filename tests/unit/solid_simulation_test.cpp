// Solids of tetrahedra in a running simulation: equal bits in parallel, and violent drags by the user.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"

namespace limber {
namespace {

constexpr SolidModel models[]{SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated,
                              SolidModel::strain, SolidModel::volume};

ObjectDesc bar(const char* name, const glm::dvec3& cells, SolidModel model, double height) {
  ObjectDesc object;
  object.name = name;
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->cells = cells;
  object.tets->dimensions = 0.05 * cells;
  object.density = 1000.0;
  object.material->model = model;
  object.material->youngs_modulus = 2e4, object.material->poisson_ratio = 0.4;
  object.material->thickness = 0.004;
  object.pose.position = {0.0, height, 0.0};
  object.pose.rotation_degrees = {10.0, 20.0, 30.0};
  return object;
}

/// A plate of flat boxes, `thick` m.
SceneDesc plate(double thick) {
  SceneDesc scene;
  scene.name = "plate";
  scene.solver.step->automatic = true;
  scene.objects.push_back(bar("plate", {4, 1, 4}, SolidModel::neo_hookean, 1.0));
  scene.objects.back().tets->dimensions = {0.4, thick, 0.4};
  return scene;
}

TEST(AutoSubsteps, FollowTheFastestElements) {
  const auto chosen = [](SceneDesc scene) {
    auto simulation = make_simulation(std::move(scene), {});
    EXPECT_TRUE(simulation) << simulation.error().text();
    const StepSettings& step = *(*simulation)->scene().solver.step;
    EXPECT_TRUE(step.automatic);
    const bool told = !(*simulation)->model()->facts.empty() &&
                      (*simulation)->model()->facts.front().find("substeps auto") != std::string::npos;
    EXPECT_EQ(told, step.substeps > 10);
    (*simulation)->step();
    EXPECT_EQ((*simulation)->scene().solver.step->substeps, step.substeps);
    return step.substeps;
  };
  EXPECT_EQ(chosen(plate(0.1)), 10);  // what needs no more keeps the default
  SceneDesc thin = plate(0.01);
  const int once = chosen(thin);
  EXPECT_GT(once, 10);
  EXPECT_LE(once, 40);
  thin.objects.front().material->youngs_modulus *= 0.25;  // half the frequency
  EXPECT_NEAR(chosen(thin), std::max(10.0, 0.5 * once), 1.0);
  thin.objects.front().material->youngs_modulus = 1e9;
  EXPECT_EQ(chosen(thin), 40);
  thin.solver.step->automatic = false, thin.solver.step->substeps = 3;
  const auto given = make_simulation(thin, {});
  ASSERT_TRUE(given);
  EXPECT_EQ((*given)->scene().solver.step->substeps, 3);
  ASSERT_TRUE((*given)->submit(SetValue{"solver.substeps", std::string("auto")}));
  EXPECT_EQ((*given)->scene().solver.step->substeps, 40);
  ASSERT_TRUE((*given)->submit(SetValue{"solver.substeps", 7L}));
  EXPECT_FALSE((*given)->scene().solver.step->automatic);
  EXPECT_EQ((*given)->scene().solver.step->substeps, 7);
}

/// A rigid box of `ratio` times the mass of the block of tetrahedra on which it stands, pressing it by 5 %.
SceneDesc box_on_block(double ratio) {
  SceneDesc scene;
  scene.solver.step->automatic = scene.solver.step->automatic_iterations = true;
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  ObjectDesc& block = scene.objects.emplace_back();
  block.name = "block", block.type = ObjectType::tets;
  block.tets->shape = TetShape::block;
  block.tets->dimensions = glm::dvec3(0.5), block.tets->resolution = 5;
  block.pose.position = {0.0, 0.254, 0.0};
  block.density = 100.0;
  block.material->youngs_modulus = 20.0 * 9.81 * 0.5 * 100.0 * ratio, block.material->thickness = 0.004;
  BodyDesc& box = scene.bodies.emplace_back();
  box.name = "box", box.half_extents = glm::dvec3(0.25);
  box.pose.position = {0.0, 0.758, 0.0};
  box.density = 100.0 * ratio;
  return scene;
}

/// With one iteration the block is crushed, and the box falls from it. A light box needs no more than one.
TEST(AutoIterations, HoldAHeavyBoxAtItsStaticHeight) {
  const auto light = make_simulation(box_on_block(5.0), {});
  ASSERT_TRUE(light);
  EXPECT_EQ((*light)->scene().solver.step->iterations, 1);
  auto heavy = make_simulation(box_on_block(100.0), {Precision::f32, Simd::automatic, 1});
  ASSERT_TRUE(heavy);
  const int chosen = (*heavy)->scene().solver.step->iterations;
  EXPECT_GT(chosen, 1);
  EXPECT_LE(chosen, 20);
  const std::vector<std::string>& facts = (*heavy)->model()->facts;
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(), [](const std::string& fact) {
    return fact.find("iterations auto") != std::string::npos;
  }));
  double sunk = 0.0;  // m, mean of the last two seconds
  std::array<BodyPose, 1> bodies;
  for (int f = 0; f < 480; ++f) {
    (*heavy)->step();
    (*heavy)->read(reading::Bodies{bodies});
    if (f >= 360) sunk += (0.758 - double(bodies[0].position.y)) / 120.0;
  }
  std::printf("          %d iterations, sunk by %.2f mm\n", chosen, 1e3 * sunk);
  EXPECT_NEAR(sunk, 0.025, 0.0025);
  ASSERT_TRUE((*heavy)->submit(SetValue{"solver.iterations", 3L}));
  EXPECT_FALSE((*heavy)->scene().solver.step->automatic_iterations);
  ASSERT_TRUE((*heavy)->submit(SetValue{"solver.iterations", std::string("auto")}));
  EXPECT_EQ((*heavy)->scene().solver.step->iterations, chosen);
}

/// One sweep compresses a soft solid below a box of 20 times its mass, which then flies up with ten times the
/// energy that it brought.
TEST(AutoIterations, KeepAHeavyBoxOnASoftSolid) {
  SceneDesc scene;
  scene.assets = test::source("assets");
  scene.solver.step->automatic_iterations = true;
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  ObjectDesc& brick = scene.objects.emplace_back();
  brick.name = "brick", brick.type = ObjectType::solid;
  brick.mesh = "brick.obj", brick.size = 0.4;
  brick.solid->cluster_size = 0.12, brick.material->youngs_modulus = 1e5;
  brick.pose.position = {0.0, 0.2, 0.0};
  brick.density = 400.0;
  BodyDesc& box = scene.bodies.emplace_back();
  box.name = "box", box.half_extents = glm::dvec3(0.2);
  box.pose.position = {0.0, 0.75, 0.0};
  box.density = 2000.0;
  const auto made = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ((*made)->scene().solver.step->iterations, 3);
  std::array<BodyPose, 1> bodies;
  for (int frame = 0; frame < 60; ++frame) {
    (*made)->step();
    (*made)->read(reading::Bodies{bodies});
    ASSERT_LT(bodies[0].position.y, 0.751) << frame;
  }
}

/// A large bar, whose patches are shared among threads, and small ones of every model falls onto a ball and
/// onto each other.
SceneDesc falling_bars(const glm::dvec3& cells) {
  SceneDesc scene;
  scene.name = "bars";
  scene.solver.step->substeps = 4;
  scene.solver.contact->cloth_collision = true;
  scene.objects.push_back(bar("large", cells, SolidModel::neo_hookean, 0.95));
  constexpr const char* names[]{"a", "b", "c", "d", "e"};
  for (int k = 0; k < 5; ++k) {
    scene.objects.push_back(bar(names[k], {3, 1, 2}, models[k], 1.35));
    scene.objects.back().pose.position.x = 0.25 * (k - 2);
    scene.objects.back().velocity = {0.0, -6.0, 0.0};
  }
  ColliderDesc ball;
  ball.name = "ball";
  ball.pose.position = {0.0, 0.0, 0.1};
  ball.radius = 0.6;
  scene.colliders.push_back(ball);
  return scene;
}

std::uint64_t state_after(const SceneDesc& scene, int frames, int threads, Simd simd) {
  auto simulation = make_simulation(scene, {Precision::f32, simd, threads});
  EXPECT_TRUE(simulation) << simulation.error().text();
  for (int i = 0; i < frames; ++i) EXPECT_FALSE((*simulation)->step().nonfinite);
  return (*simulation)->state_hash();
}

TEST(SolidSimulation, SameBitsForAnyThreadCountAndInstructionSet) {
  const SceneDesc scene = falling_bars({20, 11, 11});  // 3,024 vertices
  test::expect_same_bits([&](int threads, Simd simd) { return state_after(scene, 4, threads, simd); });
}

TEST(SolidSimulation, SameBitsUnderEveryMethod) {
  for (std::size_t m = 0; m < method_table.size(); ++m) {
    SceneDesc scene = falling_bars({4, 2, 2});
    scene.solver.method->kind = SolverMethod(m);
    scene.solver.step->iterations = 2;
    SCOPED_TRACE(method_table[m].name);
    test::expect_same_bits([&](int threads, Simd simd) { return state_after(scene, 2, threads, simd); });
  }
}

/// Torn about at up to 60 m/s by one corner for a second, then let go.
TEST(SolidSimulation, AWildHandInvertsNothingForGood) {
  for (const SolidModel model : models) {
    SceneDesc scene;
    scene.name = "block";
    scene.solver.motion->damping = 0.5;
    scene.objects.push_back(bar("block", {3, 3, 3}, model, 0.5));
    ColliderDesc ground;
    ground.name = "ground";
    ground.shape = ColliderShape::plane;
    scene.colliders.push_back(ground);
    auto simulation = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
    ASSERT_TRUE(simulation) << simulation.error().text();
    const auto random = [](int k) { return random_signed(5, std::uint64_t(k)); };
    ASSERT_TRUE((*simulation)->submit(GrabVertex{0, {0, 0.5, 0}}));
    std::int64_t most_inverted = 0;
    for (int i = 0; i < 60; ++i) {
      const glm::dvec3 target{random(3 * i), 0.5 + 0.5 * random(3 * i + 1), random(3 * i + 2)};
      ASSERT_TRUE((*simulation)->submit(MoveGrab{target}));
      EXPECT_FALSE((*simulation)->step().nonfinite);
      most_inverted = std::max(most_inverted, (*simulation)->measure().inverted_tets);
    }
    ASSERT_TRUE((*simulation)->submit(ReleaseGrab{}));
    for (int i = 0; i < 180; ++i) EXPECT_FALSE((*simulation)->step().nonfinite);
    EXPECT_EQ((*simulation)->measure().inverted_tets, 0) << int(model);
    RecordProperty("inverted_in_the_hand_" + std::to_string(int(model)), int(most_inverted));
  }
}

}  // namespace
}  // namespace limber
