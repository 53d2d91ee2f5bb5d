// Settings that change in a scene at rest: errors left by the old settings are corrected without velocity.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/parts/motion/settling.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/free_spin.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace settling_test { namespace {

using Change = std::function<void(SceneDesc&)>;

struct Matter {
  std::string name;
  SceneDesc scene;
  int frames;  ///< until it is at rest
};

void add_ground(SceneDesc& scene) {
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = 0.5;
  scene.colliders.push_back(ground);
}

Matter cloth() {
  Matter matter{"cloth", test::hanging_cloth(16), 300};
  matter.scene.solver.motion->damping = 0.95;
  return matter;
}

Matter bodies() {
  Matter matter{"bodies", {}, 90};
  matter.scene.solver.motion->damping = 0.5;
  add_ground(matter.scene);
  for (int i = 0; i < 4; ++i) {
    BodyDesc box;
    box.name = "box" + std::to_string(i);
    box.half_extents = {0.5, 0.5, 0.5};
    box.pose.position = {0.0, 0.5 + i, 0.0};
    matter.scene.bodies.push_back(box);
  }
  return matter;
}

Matter tets() {
  Matter matter{"tets", {}, 200};
  matter.scene.solver.motion->damping = 0.99;
  ObjectDesc bar = free_spin::bar(SolidModel::neo_hookean);
  bar.material->youngs_modulus = 1e5;
  bar.pins = {std::string("left")};
  matter.scene.objects = {bar};
  return matter;
}

Matter clusters() {
  Matter matter{"clusters", {}, 200};
  matter.scene.solver.motion->damping = 0.9;
  add_ground(matter.scene);
  ObjectDesc brick = free_spin::brick(1.0);
  brick.pose.position = {0.0, 0.2, 0.0};
  matter.scene.objects = {brick};
  return matter;
}

Matter balloon() {
  Matter matter{"balloon", {}, 200};
  matter.scene.solver.motion->gravity = glm::dvec3(0.0);
  matter.scene.solver.motion->damping = 0.9;
  ObjectDesc object;
  object.name = "balloon";
  object.type = ObjectType::cloth;
  object.mesh = test::source("assets/balloon_small.obj");
  object.size = 0.5;
  object.pressure = 1.2;
  object.material->stretch_compliance = 1e-3;
  matter.scene.objects = {object};
  return matter;
}

Matter grains() {
  Matter matter{"grains", {}, 150};
  matter.scene.solver.motion->damping = 0.9;
  add_ground(matter.scene);
  ObjectDesc heap;
  heap.name = "heap";
  heap.type = ObjectType::grains;
  heap.copies = {3, 3, 3};
  heap.spacing = {0.041, 0.041, 0.041};
  heap.pose.position = {0.0, 0.061, 0.0};
  heap.density = 2600.0;
  heap.material->friction = 0.6;
  matter.scene.objects = {heap};
  return matter;
}

std::vector<Matter> all_matter() { return {cloth(), bodies(), tets(), clusters(), balloon(), grains()}; }

struct Setting {
  std::string name;
  Change change;
};

std::vector<Setting> solver_settings() {
  const auto substeps = [](int n) { return [n](SceneDesc& s) { s.solver.step->substeps = n; }; };
  const auto method = [](SolverMethod kind) {
    return [kind](SceneDesc& s) { s.solver.method->kind = kind; };
  };
  return {{"2 substeps", substeps(2)},
          {"20 substeps", substeps(20)},
          {"100 substeps", substeps(100)},
          {"8 iterations", [](SceneDesc& s) { s.solver.step->iterations = 8; }},
          {"shorter frames", [](SceneDesc& s) { s.solver.step->dt = 1.0 / 200.0; }},
          {"longer frames", [](SceneDesc& s) { s.solver.step->dt = 1.0 / 30.0; }},
          {"symmetric", [](SceneDesc& s) { s.solver.method->order = Order::symmetric; }},
          {"bdf2", [](SceneDesc& s) { s.solver.method->integrator = Integrator::bdf2; }},
          {"pbd", method(SolverMethod::pbd)},
          {"chebyshev", method(SolverMethod::chebyshev)},
          {"hybrid", method(SolverMethod::hybrid)}};
}

/// A live change, in the steps that a simulation takes.
void change(Rig& rig, const World& start, const SceneDesc& scene) {
  apply_settings(scene, start, rig.world);
  rig.world.changed(limber::Change::settings), rig.solver.follow(rig.world);
  begin_settling(rig.world);
}

struct Kick {
  double before = 0.0;  ///< J, kinetic
  double excess = 0.0;  ///< J, the most above what gravity gave
};

/// Lets a scene come to rest, changes it and looks at the next 0.2 s.
Kick kick(const Matter& matter, const Change& what) {
  Rig rig(matter.scene);
  const World start = rig.world;
  rig.run(matter.frames - 6);
  Kick kick;
  for (int f = 0; f < 6; ++f) {
    rig.step();
    kick.before = std::max(kick.before, measure(rig.world).kinetic_energy);
  }
  SceneDesc changed = matter.scene;
  what(changed);
  const auto height_energy = [&] {
    const Measures m = measure(rig.world);
    return m.potential_energy - m.elastic_energy;
  };
  double highest = height_energy();
  change(rig, start, changed);
  const int frames = int(0.2 / changed.solver.step->dt);
  for (int f = 0; f < frames; ++f) {
    // it is lifted without speed while the error is repaid, and may fall from there
    highest = std::max(highest, height_energy());
    rig.world.settings.solver.step->dt = changed.solver.step->dt;
    rig.solver.step(rig.world, changed.solver.step->dt);
    const double kinetic = measure(rig.world).kinetic_energy;
    kick.excess = std::max(kick.excess, kinetic - std::max(0.0, highest - height_energy()));
  }
  return kick;
}

/// J, of everything at 4 mm/s, at which nothing is seen to move.
double still(const World& world) {
  double mass = 0.0;
  for (const auto& x : world.particles.position) mass += x.w > real(0) ? 1.0 / double(x.w) : 0.0;
  for (const auto& x : world.bodies.position) mass += x.w > real(0) ? 1.0 / double(x.w) : 0.0;
  return 0.5 * mass * 16e-6;
}

class AChangeAtRest : public testing::TestWithParam<int> {};

TEST_P(AChangeAtRest, OfTheSolverKicksNothing) {
  const Matter matter = all_matter()[std::size_t(GetParam())];
  const double rest = still(Rig(matter.scene).world);
  for (const Setting& setting : solver_settings()) {
    const Kick found = kick(matter, setting.change);
    EXPECT_LE(found.excess, 2.0 * found.before + rest) << matter.name << ": " << setting.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Matter, AChangeAtRest, testing::Range(0, 6),
                         [](const auto& info) { return all_matter()[std::size_t(info.param)].name; });

/// A cloth that is made inextensible, and a skin whose pressure grows.
TEST(AChangeOfMaterial, KicksNothing) {
  Matter soft = cloth();
  soft.scene.objects[0].material->stretch_compliance = 1e-3;
  const double rest = still(Rig(soft.scene).world);
  const Kick stiffer = kick(soft, [](SceneDesc& s) { s.objects[0].material->stretch_compliance = 0.0; });
  EXPECT_LE(stiffer.excess, 2.0 * stiffer.before + rest);
  const Kick bending = kick(soft, [](SceneDesc& s) { s.objects[0].material->bend_compliance = 10.0; });
  EXPECT_LE(bending.excess, 2.0 * bending.before + rest);
  const Kick blown = kick(balloon(), [](SceneDesc& s) { s.objects[0].pressure = 2.0; });
  EXPECT_LE(blown.excess, 2.0 * blown.before + rest);
}

/// A sheet that swings goes on as it did.
TEST(AChangeInMotion, TakesNoMotionAway) {
  SceneDesc scene = test::hanging_cloth(8);
  scene.solver.step->substeps = 20;
  for (const bool changed : {false, true}) {
    Rig rig(scene);
    const World start = rig.world;
    for (std::int32_t i = 0; i < rig.world.particles.count; ++i)
      rig.world.particles.velocity[std::size_t(i)].z = real(2.0);
    rig.run(10);
    if (changed) change(rig, start, scene);
    static double fastest;
    double now = 0.0;
    for (int f = 0; f < 60; ++f) {
      rig.step();
      now = std::max(now, measure(rig.world).kinetic_energy);
    }
    if (!changed) fastest = now;
    EXPECT_NEAR(now, fastest, 0.02 * fastest);
  }
}

TEST(Settling, HasTheSameBitsOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : test::thread_counts()) {
    SceneDesc scene = test::hanging_cloth(40);
    Rig rig(scene, threads);
    const World start = rig.world;
    rig.run(20);
    scene.solver.step->substeps = 40;
    change(rig, start, scene);
    rig.run(5);
    hashes.push_back(state_hash(rig.world));
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

}}}}  // namespace limber::LIMBER_PRECISION::settling_test
