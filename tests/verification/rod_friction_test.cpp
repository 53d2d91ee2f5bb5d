// Internal friction of cables: Dahl's law and its loop in the solver.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "engine/constraints/rod.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/parts/rods/rod_friction.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/world_hash.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rod_friction_test { namespace {

constexpr bool in_double = sizeof(real) == 8;
constexpr double most = 0.6, slip = 0.15;  // 1/m

/// Area between the branches of a loop of +-A, over E I and per metre.
double loop_of(double A) { return 4.0 * most * (A - slip * std::tanh(A / slip)); }

TEST(RodFriction, LawHasTheLoopOfItsFormula) {
  const DahlLaw law{most, slip};
  constexpr double A = 0.4;
  constexpr int steps = 20000;
  double z = 0.0, c = 0.0, area = 0.0;
  const auto go = [&](double to) {
    const double change = (to - c) / steps;
    for (int k = 0; k < steps; ++k) {
      const double next = law.after(z, change);
      area += most * 0.5 * (z + next) * change;
      z = next;
    }
    c = to;
  };
  go(A), go(-A), go(A);
  area = 0.0;
  go(-A), go(A);
  EXPECT_NEAR(area / loop_of(A), 1.0, 1e-6);
  EXPECT_NEAR(z, std::tanh(A / slip), 1e-9);
}

TEST(RodFriction, SecantsLeadFromTheStartToTheLaw) {
  const DahlLaw law{most, slip};
  for (const double z : {-0.9, 0.0, 0.5})
    for (const double change : {-0.3, -1e-4, 1e-9, 0.02, 2.0})
      EXPECT_NEAR(law.stiffness(z, change) * change, law.most * (law.after(z, change) - z),
                  1e-12 + 1e-5 * std::abs(change));
}

ObjectDesc cable(double length, int segments) {
  ObjectDesc rod;
  rod.name = "cable";
  rod.type = ObjectType::rod;
  rod.pose.position = {0.0, 1.0, 0.0};
  rod.density = 3000.0;
  rod.rod->length = length, rod.rod->segments = segments, rod.rod->radius = 0.005;
  rod.material->youngs_modulus = 1e9;
  rod.material->friction_curvature = most, rod.material->slip_curvature = slip;
  return rod;
}

SceneDesc scene_of(const ObjectDesc& rod, int substeps) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.step->automatic = false;
  scene.solver.motion->damping = 0.0;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.objects = {rod};
  return scene;
}

/// Moment (N m) and curvature (1/m) of the joint at the clamp.
struct Bend {
  double moment, curvature;
};
Bend bend_at_clamp(const World& world) {
  const auto& joints = std::get<StencilBatch<RodBend>>(*world.topology->constraints);
  const auto& width = std::get<StencilState<RodBend>>(*world.matter.constraints).flowed.width;
  const std::int32_t clamp = world.topology->rods.first_row + world.topology->rods.holds[0].turn;
  for (std::size_t s = 0; s < joints.id.size(); ++s) {
    if (joints.id[s] < 0 || joints.vertices[0][s] != clamp) continue;
    const Element<RodBend> e = element_at(world, joints, s, 0.0);
    const auto C = Linearized<RodBend>(e).C;
    const auto moment = times_stiffness(e, C);
    const std::size_t k = std::abs(C[0] + e.rest[0]) > std::abs(C[1] + e.rest[1]) ? 0 : 1;
    return {moment[k], (C[k] + e.rest[k]) / double(width[s])};
  }
  return {0.0, 0.0};
}

/// A cable of two segments whose end goes slowly up and down: the moment at its clamp over the curvature
/// there.
TEST(RodFriction, BendsInTheLoopOfItsFormula) {
  for (const int substeps : {2, 10, 40}) {
    ObjectDesc rod = cable(0.1, 2);
    AttachmentDesc swing;
    swing.vertices = {std::string("last")};
    swing.amplitude = {0.0, 0.002, 0.0};
    swing.period = 4.0;
    rod.attachments = {swing};
    Rig rig(scene_of(rod, substeps));
    const double EI = 1e9 * rod_section(0.005, 1.0, 0.0).i1;
    rig.run(240);
    double area = 0.0, top = 0.0;
    Bend before = bend_at_clamp(rig.world);
    for (int frame = 0; frame < 240; ++frame) {
      rig.run(1);
      const Bend now = bend_at_clamp(rig.world);
      area += 0.5 * (now.moment + before.moment) * (now.curvature - before.curvature);
      top = std::max(top, std::abs(now.curvature));
      before = now;
    }
    std::printf("          %d substeps: swings by %.3f/m, loop %.4f of the formula\n", substeps, top,
                area / (EI * loop_of(top)));
    EXPECT_GT(top, 2.0 * slip);
    EXPECT_NEAR(area / (EI * loop_of(top)), 1.0, 0.03) << substeps;
  }
}

/// A cable thrown while bent keeps its momenta; the friction takes energy, and leaves it bent.
TEST(RodFriction, KeepsMomenta) {
  ObjectDesc rod = cable(1.0, 20);
  rod.rod->first_end = RodEnd::free;
  SceneDesc scene = scene_of(rod, 10);
  Rig rig(scene);
  for (Index i = 0; i <= 20; ++i) {
    const double s = double(i) / 20.0 - 0.5;
    rig.v(i) = vec4(real(0.3), real(6.0 * s * s), real(0.5 * s), 0);
  }
  const Measures before = measure(rig.world);
  rig.run(60);
  const Measures after = measure(rig.world);
  const double scale = glm::length(before.momentum);
  EXPECT_LT(glm::distance(after.momentum, before.momentum), (in_double ? 1e-11 : 2e-4) * scale);
  EXPECT_LT(glm::distance(after.angular_momentum, before.angular_momentum),
            (in_double ? 1e-9 : 2e-3) * glm::length(before.angular_momentum));
  EXPECT_LT(after.kinetic_energy, before.kinetic_energy);
}

/// Free swing of a cantilever: with friction it dies away, and the result hardly depends on the substeps.
TEST(RodFriction, CalmsAFreeSwing) {
  double reached[2]{};
  for (const double friction : {0.0, most})
    for (const int substeps : {10, 40}) {
      ObjectDesc rod = cable(0.5, 20);
      rod.material->friction_curvature = friction;
      Rig rig(scene_of(rod, substeps));
      for (Index i = 1; i <= 20; ++i) rig.v(i) = vec4(0, real(1.0 * i * i / 400.0), 0, 0);
      rig.run(120);
      double top = 0.0;
      for (int frame = 0; frame < 60; ++frame)
        rig.run(1), top = std::max(top, std::abs(double(rig.x(20).y) - 1.0));
      std::printf("          friction %.1f, %d substeps: %.2f mm\n", friction, substeps, 1e3 * top);
      if (substeps == 40) reached[friction > 0.0] = top;
    }
  EXPECT_LT(reached[1], 0.5 * reached[0]);
}

TEST(RodFriction, IsRefusedBySweepsAndBesideYield) {
  SceneDesc scene = scene_of(cable(1.0, 4), 10);
  EXPECT_TRUE(check_objects_of_method(scene));
  scene.solver.method->rods = RodSolve::sweeps;
  EXPECT_FALSE(check_objects_of_method(scene));
  scene.solver.method->rods = RodSolve::direct;
  scene.objects[0].material->yield_curvature = 1.0;
  EXPECT_FALSE(check_objects_of_method(scene));
}

TEST(RodFriction, HasTheSameBitsForAnyThreads) {
  std::uint64_t expected = 0;
  for (const int threads : test::thread_counts()) {
    ObjectDesc rod = cable(1.0, 30);
    rod.copies = {1, 1, 9}, rod.spacing = {0, 0, 0.2};
    SceneDesc scene = scene_of(rod, 10);
    scene.solver.motion->gravity = {0, -9.81, 0};
    Rig rig(scene, threads);
    rig.run(20);
    const std::uint64_t hash = world_hash(rig.world);
    if (threads == 1) expected = hash;
    EXPECT_EQ(hash, expected) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::rod_friction_test
