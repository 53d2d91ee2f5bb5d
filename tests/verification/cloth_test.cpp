// Tethers, bending models, wind and the cloth scenes against worked and analytic results.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/build/tethers.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/vectors.hpp"
#include "tests/verification/plate_force.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace cloth_test { namespace {

using test::matches;
using test::to_vec3;
using test::to_vec3s;
using test::vector_case;
using test::VectorCase;

constexpr double eps = std::numeric_limits<real>::epsilon();

SceneDesc shipped(const std::string& name) {
  const Expected<SceneDesc> scene =
      read_scene(test::source("scenes/") + name + ".json", test::source("assets"));
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
  return *scene;
}

// ---- tethers

TEST(Tethers, GoTheShortestWayToTheNearestFixedVertex) {
  //  0 --1-- 1 --1-- 2 --1-- 3     5, alone
  //  `-------5-------4---1---'     vertex 0 has no mass, 3 is attached
  ObjectGeometry object;
  object.positions.resize(6);
  object.masses = {0, 1, 1, 1, 1, 1};
  object.springs = {{{0, 1}, 1.0}, {{1, 2}, 1.0}, {{2, 3}, 1.0}, {{0, 4}, 5.0}, {{3, 4}, 1.0}};
  object.attached = {{3}};
  const auto tethers = make_tethers(object, 1.5);
  ASSERT_EQ(tethers.size(), 3u);
  EXPECT_EQ(tethers[0].vertices, (Edge{1, 0}));
  EXPECT_EQ(tethers[1].vertices, (Edge{2, 3}));
  EXPECT_EQ(tethers[2].vertices, (Edge{4, 3}));
  for (const SpringGeometry& tether : tethers) EXPECT_DOUBLE_EQ(tether.rest_length, 1.5);
}

TEST(Tethers, OfOnePinShareOneColour) {
  SceneDesc scene = test::hanging_cloth(60);  // large enough for the parallel part
  scene.objects[0].tethers = true;
  const Rig rig(scene);
  const auto& batch = std::get<StencilBatch<Tether>>(*rig.world.topology->constraints);
  EXPECT_EQ(batch.constraints, 60 * 60 - 2);
  EXPECT_EQ(batch.colors, 1);
}

TEST(Tethers, KeepTheCornersOfAHangingClothFromStretching) {
  const auto strain = [](bool tethers) {
    SceneDesc scene = test::hanging_cloth(50);
    scene.objects[0].tethers = tethers;
    scene.solver.motion->damping = 0.5;
    Rig rig(scene);
    rig.run(300);
    return measure(rig.world).strain;
  };
  const MeanMax without = strain(false), with = strain(true);
  EXPECT_LT(with.max, 0.5 * without.max);
  EXPECT_LT(with.mean, without.mean);
}

TEST(Tethers, GiveTheSameBitsForAnyNumberOfThreads) {
  const auto hash = [](int threads) {
    SceneDesc scene = test::hanging_cloth(60);
    scene.objects[0].tethers = true;
    scene.wind->enabled = true;
    scene.wind->velocity = {4, 0, 3};
    Rig rig(scene, threads);
    rig.run(10);
    return world_hash(rig.world);
  };
  const std::uint64_t one = hash(1);
  for (int threads : test::several_threads()) EXPECT_EQ(hash(threads), one) << threads;
}

// ---- bending models

// A strip clamped at one end sags alike with both models under a fiftieth of its weight, as a beam of its
// rigidity B: q L^4/(8 B). The clamp ends somewhere within the cell beside it, whose middle its last hinge
// bends.
TEST(BendingModels, SagAlikeForTheSameRigidity) {
  constexpr double gravity = 0.2;
  const auto tip = [&](BendingModel model) {
    SceneDesc scene;
    scene.solver.step->substeps = 40;
    scene.solver.motion->damping = 0.9;
    scene.solver.motion->gravity = {0, -gravity, 0};
    ObjectDesc strip;
    strip.name = "strip";
    strip.cloth->columns = 13, strip.cloth->rows = 4;
    strip.cloth->width = 0.6, strip.cloth->height = 0.15;
    strip.cloth->upright = false;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 2; ++c) strip.pins.emplace_back(long(13 * r + c));
    strip.material->bend_compliance = 20.0;
    strip.material->bending_model = model;
    scene.objects.push_back(strip);
    Rig rig(scene);
    rig.run(600);
    return double(rig.x(12).y);
  };
  const double load = Material().density * gravity, length = 0.55, rigidity = 1.0 / 20.0;
  const double beam = -load * std::pow(length, 4) / (8.0 * rigidity), half_cell = 0.025;
  const double dihedral = tip(BendingModel::dihedral), isometric = tip(BendingModel::isometric);
  EXPECT_GT(dihedral / beam, 1.0);
  EXPECT_LT(dihedral / beam, std::pow(1.0 + half_cell / length, 4));
  EXPECT_NEAR(isometric / dihedral, 1.0, 0.02);
}

// ---- wind

TEST(Wind, HasTheWorkedPlateForce) {
  const VectorCase c = vector_case("aero_lift_drag_triangle");
  const auto p = to_vec3s<real>(c.inputs.at("p"));
  const vec3 v = to_vec3<real>(c.inputs.at("v_tri")) - to_vec3<real>(c.inputs.at("wind"));
  const double half_rho = 0.5 * c.inputs.at("rho_air").get<double>();
  const real drag = real(half_rho * c.inputs.at("CD").get<double>()),
             lift = real(half_rho * c.inputs.at("CL").get<double>());
  EXPECT_TRUE(matches<real>(c, "drag", plate_force(p[0], p[1], p[2], v, {drag, 0})));
  EXPECT_TRUE(matches<real>(c, "lift", plate_force(p[0], p[1], p[2], v, {0, lift})));
  EXPECT_TRUE(matches<real>(c, "per_vertex", plate_force(p[0], p[1], p[2], v, {drag, lift}) / real(3)));
  EXPECT_TRUE(matches<real>(c, "per_vertex", plate_force(p[0], p[2], p[1], v, {drag, lift}) / real(3)))
      << "other winding";
}

/// A free, weightless cloth at rest in a wind across it.
SceneDesc cloth_in_wind(double speed) {
  SceneDesc scene = test::square_cloth(20);
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.step->substeps = 1;
  scene.wind->enabled = true;
  scene.wind->velocity = {0.0, 0.0, speed};
  return scene;
}

// In one substep the cloth gets the impulse h 1/2 rho C_D A |v|^2 of a flat plate across the wind.
TEST(Wind, GivesAFlatClothTheImpulseOfAPlate) {
  const SceneDesc scene = cloth_in_wind(2.0);
  Rig rig(scene);
  rig.run(1);
  const double expected = scene.solver.step->dt * 0.5 * 1.225 * 4.0 * 2.0 * 2.0;  // 2 m x 2 m
  // velocities are differences of positions of size 1: eps / h each, times 0.8 kg
  EXPECT_NEAR(measure(rig.world).momentum.z, expected, 8 * eps / scene.solver.step->dt);
}

TEST(Wind, NeverBlowsAClothFasterThanItself) {
  SceneDesc scene = cloth_in_wind(30.0);
  scene.wind->air_density = 20.0;  // 1/2 rho A |v| h / m = 25: an explicit step would overshoot 25-fold
  Rig rig(scene);
  for (int f = 0; f < 60; ++f) {
    rig.run(1);
    ASSERT_LT(measure(rig.world).max_speed, 30.0 * (1.0 + 1e-3)) << f;
  }
  EXPECT_GT(measure(rig.world).max_speed, 0.99 * 30.0) << "it goes with the wind";
}

// ---- scenes

TEST(ClothScenes, ChainHangsInTheCatenary) {
  Rig rig(shipped("catenary"));
  rig.run(600);
  const Measures m = measure(rig.world);
  EXPECT_NEAR(m.bounds_max.y - m.bounds_min.y, 0.79639, 0.01 * 0.79639);
  EXPECT_NEAR(rig.x(20).x, 0.0, 1e-3);
}

TEST(ClothScenes, AnOverConstrainedTriangleTremblesInAlternatingOrderOnly) {
  const VectorCase c = vector_case("over_constrained_order");
  for (Order order : {Order::sequential, Order::alternating}) {
    SceneDesc scene = shipped("order_oscillation");
    scene.solver.method->order = order;
    Rig rig(scene);
    rig.run(200);
    for (int sweeps : {200, 201}) {
      const std::string key =
          (order == Order::sequential ? "fixed_after_" : "alternating_after_") + std::to_string(sweeps);
      const std::vector<real> lengths{real(glm::distance(vec3(rig.x(0)), vec3(rig.x(1)))),
                                      real(glm::distance(vec3(rig.x(1)), vec3(rig.x(2)))),
                                      real(glm::distance(vec3(rig.x(2)), vec3(rig.x(0))))};
      EXPECT_TRUE(matches<real>(c, key.c_str(), lengths));
      rig.run(1);
    }
  }
}

// ---- materials

/// A coarse sheet held at its border: within ten seconds damping leaves e^-5 of the fall, and rounding must
/// not feed the rest (it once kept 3 mm/s alive for ever in float).
TEST(ClothScenes, ClothAtRestIsStill) {
  SceneDesc scene = test::square_cloth(6);
  scene.solver.step->substeps = 20;
  scene.solver.motion->damping = 0.8;
  ObjectDesc& cloth = scene.objects[0];
  cloth.cloth->width = cloth.cloth->height = 2.5;
  cloth.cloth->upright = false;
  cloth.pose.position = {0.0, 0.7, 0.0};
  cloth.pins = {std::string("top"), std::string("bottom"), std::string("left"), std::string("right")};
  cloth.material->density = 0.6;
  cloth.material->stretch_compliance = 3e-4;
  cloth.material->bend_compliance = 50;
  Rig rig(scene);
  rig.run(60);
  EXPECT_GT(measure(rig.world).max_speed, 0.05) << "it swings at first";
  rig.run(840);
  EXPECT_LT(measure(rig.world).max_speed, 1e-3);
}

TEST(Materials, APresetActsWhileTheSceneRuns) {
  SceneDesc scene = test::square_cloth(10);
  Rig rig(scene);
  const World start = rig.world;
  const auto mass = [&] {
    double sum = 0.0;
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i)
      sum += 1.0 / double(rig.world.particles.position[std::size_t(i)].w);
    return sum;
  };
  EXPECT_NEAR(mass(), 0.2 * 4.0, 64 * eps);
  Expected<Setting> preset = find_setting(scene, "objects.cloth.material.preset");
  ASSERT_TRUE(preset);
  ASSERT_TRUE(set(*preset->field, preset->settings, Value(std::string("denim"))));
  apply_settings(scene, start, rig.world);
  EXPECT_NEAR(mass(), 0.324 * 4.0, 64 * eps);
  const Rig of_denim(scene);
  const auto softness = [](const Rig& of) {
    return std::get<StencilState<Distance>>(*of.world.matter.constraints).softness[0][0];
  };
  EXPECT_EQ(softness(rig), softness(of_denim));
  EXPECT_NE(softness(rig), std::get<StencilState<Distance>>(*start.matter.constraints).softness[0][0]);
}

}}}}  // namespace limber::LIMBER_PRECISION::cloth_test
