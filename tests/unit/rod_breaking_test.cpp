// Rods that break, are cut by hand and twisted, through the Simulation interface: where and how often, and
// that everything else stays unchanged.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/same_bits.hpp"

namespace limber::rod_breaking_test { namespace {

constexpr double radius = 0.005, density = 1000.0, g = 9.81;

/// A metre of rod that hangs from its first end, or lies along x where it is not `upright`.
SceneDesc hanging(double end_mass, bool upright = true) {
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  scene.solver.step->automatic = false;
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  ObjectDesc rod;
  rod.name = "rod";
  rod.type = ObjectType::rod;
  rod.density = density;
  rod.rod->segments = 20;
  rod.rod->radius = radius;
  rod.rod->end_mass = end_mass;
  if (upright) rod.pose.rotation_degrees = {0.0, 0.0, -90.0};
  rod.material->youngs_modulus = 1e8;
  rod.material->damping_time = 0.01;
  scene.objects = {rod};
  return scene;
}

std::unique_ptr<Simulation> start(const SceneDesc& scene, int threads = 1, Simd simd = Simd::scalar) {
  const bool both = built_precisions().size() > 1;  // the sanitizers' builds have single precision only
  auto made = make_simulation(scene, {both ? Precision::f64 : Precision::f32, simd, threads});
  EXPECT_TRUE(made) << (made ? "" : made.error().text());
  return std::move(*made);
}
void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) ASSERT_FALSE(simulation.step().nonfinite) << "frame " << f;
}
std::int64_t parts(const Simulation& simulation) { return simulation.measure().tears; }

/// Seen along -z, through the rod at this height or, of one along x, at this place.
Cut cut_at(double place, bool across_x = false) {
  const glm::dvec3 a = across_x ? glm::dvec3(place, -3, 0) : glm::dvec3(-3, place, 0),
                   b = across_x ? glm::dvec3(place, 3, 0) : glm::dvec3(3, place, 0), z(0, 0, 5);
  return Cut{{a + z, b + z}, {a - z, b - z}, true};
}

std::vector<glm::dvec3> places(const Simulation& simulation) {
  std::vector<glm::dvec3> out(std::size_t(simulation.model()->vertex_count));
  simulation.read(reading::Positions{std::span(out)});
  return out;
}

/// 10 N hold and 10 N do not, by 5 % of the limit.
TEST(RodBreaking, PartsAtItsTension) {
  const double load = 10.0, weight = g * density * 3.14159265 * radius * radius;
  for (const bool holds : {true, false}) {
    SceneDesc scene = hanging(load / g);
    scene.objects[0].material->damping_time = 0.1;
    scene.objects[0].material->break_tension = (load + weight) * (holds ? 1.05 : 0.95);
    auto simulation = start(scene);
    run(*simulation, 60);
    if (holds)
      EXPECT_EQ(parts(*simulation), 0);
    else
      EXPECT_GE(parts(*simulation), 1);
  }
}

/// A steel rope that bears a third of its strength: its segments pull in every substep.
TEST(RodBreaking, ARopeBearsItsOwnWeight) {
  for (const int substeps : {1, 2, 4, 8}) {
    SceneDesc scene = hanging(0.0);
    scene.solver.step->substeps = substeps;
    ObjectDesc& rope = scene.objects[0];
    rope.rod->only_pulls = true;
    rope.rod->first_end = RodEnd::pinned;
    rope.material->youngs_modulus = 2e11;
    rope.material->damping_time = 1e-5;
    rope.material->break_tension = 3.0 * density * glm::pi<double>() * radius * radius * g;
    const auto simulation = start(scene);
    run(*simulation, 60);
    EXPECT_EQ(parts(*simulation), 0) << substeps;
  }
}

/// A cantilever breaks where it is bent most, a segment from its clamp: at 3/2 of its weight's moment it
/// holds.
TEST(RodBreaking, PartsAtItsCurvature) {
  const double area = 3.14159265 * radius * radius, i1 = area * radius * radius / 4.0;
  const double curvature = density * area * g / 2.0 / (1e8 * i1);  // at the clamp, of a small bend
  for (const double share : {0.5, 1.5}) {
    SceneDesc scene = hanging(0.0, false);
    scene.objects[0].material->damping_time = 0.3;
    scene.objects[0].material->break_curvature = share * curvature;
    auto simulation = start(scene);
    run(*simulation, 120);
    if (share > 1.0) {
      EXPECT_EQ(parts(*simulation), 0);
      continue;
    }
    ASSERT_GE(parts(*simulation), 1);
    ASSERT_FALSE(simulation->model()->objects[0].rod.pieces.empty());
    EXPECT_EQ(simulation->model()->objects[0].rod.pieces[0].points.size(), 2u);
  }
}

TEST(RodBreaking, PartsAtItsTwist) {
  for (const double share : {0.9, 1.1}) {
    SceneDesc scene = hanging(0.0, false);
    scene.solver.motion->gravity = {};
    scene.objects[0].rod->twist = 180.0;
    scene.objects[0].rod->last_end = RodEnd::clamped;
    scene.objects[0].rod->rest = RodRest::straight;
    scene.objects[0].material->break_twist = share * 3.14159265;
    auto simulation = start(scene);
    run(*simulation, 5);
    if (share > 1.0)
      EXPECT_EQ(parts(*simulation), 0);
    else
      EXPECT_GE(parts(*simulation), 1);
  }
}

/// A weight that is let go on an unstretched wire pulls with twice its weight for a moment, half a period
/// later. The wire breaks at that, whatever the number of substeps, less what implicit Euler damps.
TEST(RodBreaking, HasOneStrengthForAnyNumberOfSubsteps) {
  constexpr double omega = 15.7, mass = 1.0, area = 3.14159265 * radius * radius;
  for (const int substeps : {4, 10, 40})
    for (const bool holds : {true, false}) {
      SceneDesc scene = hanging(mass);
      scene.solver.step->substeps = substeps;
      scene.solver.motion->damping = 0.0;
      scene.objects[0].density = 1.0;
      scene.objects[0].material->youngs_modulus = mass * omega * omega / area;
      scene.objects[0].material->damping_time = 0.0;
      scene.objects[0].material->break_tension = 2.0 * mass * g * (holds ? 1.02 : 0.92);
      auto simulation = start(scene);
      run(*simulation, 60);
      EXPECT_EQ(parts(*simulation) > 0, !holds) << substeps;
    }
}

/// A peak in the middle of a frame: at its ends the tension is that of the weight or less.
TEST(RodBreaking, SeesAPeakBetweenTwoPictures) {
  constexpr double omega = 2.0 * 3.14159265 * 60.0, mass = 1.0, area = 3.14159265 * radius * radius;
  SceneDesc scene = hanging(mass);
  scene.solver.step->substeps = 40;
  scene.solver.motion->damping = 0.0;
  scene.objects[0].density = 1.0;
  scene.objects[0].material->youngs_modulus = mass * omega * omega / area;
  scene.objects[0].material->damping_time = 0.0;
  scene.objects[0].material->break_tension = 1.6 * mass * g;
  auto simulation = start(scene);
  run(*simulation, 1);
  EXPECT_EQ(parts(*simulation), 1);
}

/// A straight rod bent to three corners breaks at each of them in one frame, and nowhere between.
TEST(RodBreaking, PartsInSeveralPlacesAtOnce) {
  for (const int threads : {1, 3}) {
    SceneDesc scene = hanging(0.0, false);
    scene.solver.motion->gravity = {};
    ObjectDesc& rod = scene.objects[0];
    rod.rod->form = RodForm::path;
    rod.points->list.clear();
    for (int k = 0; k < 5; ++k) rod.points->list.push_back({{0.25 * k, k % 2 == 0 ? 0.0 : 0.05, 0.0}, 0.0});
    rod.rod->rest = RodRest::straight;
    rod.rod->first_end = RodEnd::free;
    rod.rod->segments = 40;
    rod.material->break_curvature = 5.0;
    auto simulation = start(scene, threads);
    run(*simulation, 1);
    EXPECT_EQ(parts(*simulation), 3);
    ASSERT_EQ(simulation->model()->objects[0].rod.pieces.size(), 4u);
    for (const RodPiece& piece : simulation->model()->objects[0].rod.pieces)
      EXPECT_NEAR(double(piece.points.size()), 11.0, 1.0);
  }
}

/// Cut across, what hung falls freely and the rest stays; nothing is pushed.
TEST(RodCutting, LetsTheLowerPieceFall) {
  auto simulation = start(hanging(0.0));
  run(*simulation, 10);
  const double before = simulation->measure().kinetic_energy;
  ASSERT_TRUE(simulation->submit(cut_at(-0.49)));
  EXPECT_EQ(parts(*simulation), 1);
  EXPECT_NEAR(simulation->measure().kinetic_energy, before, 1e-12 + 1e-9 * before);
  run(*simulation, 30);
  const auto model = simulation->model();
  const auto& pieces = model->objects[0].rod.pieces;
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].points.size() + pieces[1].points.size(), 22u);
  const auto x = places(*simulation);
  EXPECT_NEAR(x[std::size_t(pieces[0].points.back())].y, -0.5, 0.01);
  const double fallen = 0.5 * g * 0.5 * 0.5;
  EXPECT_NEAR(x[std::size_t(pieces[1].points.front())].y, -0.5 - fallen, 0.05 * fallen);
}

/// Where it is held, or ends, the user is told.
TEST(RodCutting, SaysWhatCannotPart) {
  SceneDesc scene = hanging(0.0);
  scene.objects[0].rod->segments = 2;
  scene.objects[0].pins = {1L};
  auto simulation = start(scene);
  const auto cut = simulation->submit(cut_at(-0.25));
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().text().find("nothing can part there"), std::string::npos) << cut.error().text();
}

/// A ring becomes a rod, whatever segment it opens at, and stays one when it is cut once more.
TEST(RodCutting, OpensARing) {
  SceneDesc scene = hanging(0.0, false);
  scene.objects[0].rod->form = RodForm::ring;
  scene.solver.motion->gravity = {};
  for (const double at : {-0.1, 0.02, 0.13}) {
    auto simulation = start(scene);
    const auto cut_one_side = [&](double side) {  // of z = 0
      Cut cut = cut_at(at, true);
      for (auto* corners : {&cut.near, &cut.far})
        for (glm::dvec3& corner : *corners) corner.z = corner.z * side > 0.0 ? 5.0 * side : 0.0;
      return cut;
    };
    ASSERT_TRUE(simulation->submit(cut_one_side(1.0)));
    EXPECT_EQ(parts(*simulation), 1);
    run(*simulation, 20);
    const auto model = simulation->model();
    ASSERT_EQ(model->objects[0].rod.pieces.size(), 1u);
    EXPECT_FALSE(model->objects[0].rod.pieces[0].closed);
    EXPECT_EQ(model->objects[0].rod.pieces[0].points.size(), 21u);
    ASSERT_TRUE(simulation->submit(cut_one_side(-1.0)));
    run(*simulation, 20);
    EXPECT_EQ(simulation->model()->objects[0].rod.pieces.size(), 2u);
  }
}

SceneDesc brittle() {
  SceneDesc scene = hanging(0.3, false);
  scene.objects[0].material->break_curvature = 0.6;
  scene.objects[0].material->damping_time = 0.0;
  ObjectDesc other = scene.objects[0];
  other.name = "other";
  other.pose.position = {0.0, 0.0, 0.4};
  other.rod->segments = 33;
  scene.objects.push_back(other);
  return scene;
}

TEST(RodBreaking, SameBitsForAnyThreadCountAndInstructionSet) {
  test::expect_same_bits([&](int threads, Simd simd) {
    auto simulation = start(brittle(), threads, simd);
    run(*simulation, 40);
    EXPECT_GT(parts(*simulation), 1);
    return simulation->state_hash();
  });
}

/// What was undone and is cut elsewhere is solved as it then is.
TEST(RodCutting, BackAndCutElsewhere) {
  const auto elsewhere = [](Simulation& simulation) {
    EXPECT_TRUE(simulation.submit(cut_at(-0.71)));
    run(simulation, 10);
    return simulation.state_hash();
  };
  auto simulation = start(hanging(0.1)), fresh = start(hanging(0.1));
  run(*simulation, 5), run(*fresh, 5);
  const auto saved = simulation->save();
  const std::uint64_t hash = simulation->state_hash();
  ASSERT_TRUE(simulation->submit(cut_at(-0.32)));
  run(*simulation, 10);
  ASSERT_TRUE(simulation->restore(saved));
  EXPECT_EQ(simulation->state_hash(), hash);
  EXPECT_EQ(elsewhere(*simulation), elsewhere(*fresh));
  EXPECT_EQ(parts(*simulation), 1);
}

/// A frame in the hand turns about the rod and what is beside it follows; let go, it turns back.
TEST(RodTwisting, TurnsAFrameInTheHand) {
  SceneDesc scene = hanging(0.0, false);
  scene.solver.motion->gravity = {};
  scene.objects[0].material->damping_time = 0.05;
  auto simulation = start(scene);
  const auto roll = [&] {
    std::vector<glm::dvec4> turns;
    simulation->read(reading::Turns{turns});
    const glm::dvec4 before(turns[0]), q(turns[10]);
    return 2.0 * std::acos(std::min(1.0, std::abs(glm::dot(before, q))));
  };
  run(*simulation, 2);
  ASSERT_TRUE(simulation->submit(TwistRod{10, 0.0}));
  ASSERT_TRUE(simulation->submit(TwistRod{10, 1.0}));
  run(*simulation, 60);
  EXPECT_NEAR(roll(), 1.0 * 10.0 / 10.5, 0.01);  // the first segment is a half from the clamp
  EXPECT_GT(simulation->measure().rod_twist_energy, 0.0);
  ASSERT_TRUE(simulation->submit(ReleaseGrab{}));
  run(*simulation, 300);
  EXPECT_LT(roll(), 0.02);
  const auto refused = simulation->submit(TwistRod{500, 0.0});
  EXPECT_FALSE(refused);
}

}}  // namespace limber::rod_breaking_test
