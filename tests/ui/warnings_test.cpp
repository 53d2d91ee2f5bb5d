// Faults of a scene are reported with a remedy, and the report is withdrawn when the cause is gone.
#include "app/watch/warnings.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/scene/objects/tets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/lab/scene_watch.hpp"
#include "app/lab/session.hpp"
#include "tests/source_folder.hpp"
#include "tests/ui/small_cloth.hpp"
#include "tests/ui/start_warnings.hpp"

namespace limber::warnings_test { namespace {

using test::small_cloth;
using test::start_warnings;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

/// The warnings about the settings of a scene whose text has `words`.
std::vector<Warning> warnings_with(const SceneDesc& scene, const std::string& words) {
  const auto simulation = make_simulation(scene, one_thread);
  EXPECT_TRUE(simulation);
  const Measures measures = (*simulation)->measure();
  std::vector<Warning> out = find_warnings(Moment::setting, {**simulation, measures});
  std::erase_if(out, [&](const Warning& w) { return w.text.find(words) == w.text.npos; });
  return out;
}

/// A cloth that one substep of one iteration does not hold together.
SceneDesc stretched_cloth() {
  SceneDesc scene = small_cloth();
  scene.objects[0].cloth->columns = scene.objects[0].cloth->rows = 40;
  scene.objects[0].pins = {std::string("top")};
  scene.solver.step->substeps = scene.solver.step->iterations = 1;
  scene.solver.step->dt = 0.05;
  scene.solver.contact->cloth_collision = true;  // else it says as well that it crosses itself
  return scene;
}

TEST(Warnings, APressureBeyondTheSkinIsNamedAndItsRemedyEndsIt) {
  SceneDesc scene;
  ObjectDesc balloon;
  balloon.name = "balloon";
  balloon.mesh = test::source("assets/balloon_small.obj");
  balloon.size = 0.5;
  balloon.pressure = 2.0;
  scene.objects = {balloon};
  Session live(one_thread, {});
  live.open(scene);
  live.take_messages();
  std::vector<Message> told;
  for (int i = 0; i < 60 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].text.starts_with("balloon: its pressure (2) asks for more than its skin gives"))
      << told[0].text;
  live.edit(told[0].remedies.at(0));
  std::vector<Message> after;
  for (int i = 0; i < 300 && after.empty(); ++i) live.step_once(), after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about)) << "taken back";
}

TEST(Warnings, ClothOffItsLengthsIsNamedAndItsRemedyEndsIt) {
  Session live(one_thread, {});
  live.open(stretched_cloth());
  live.take_messages();
  Publication shown;
  std::vector<Message> told;
  for (int i = 0; i < 60 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].severity, Message::Severity::warning);
  EXPECT_TRUE(told[0].text.starts_with("cloth: its edges are off their lengths")) << told[0].text;
  live.publish(shown);
  EXPECT_EQ(shown.status.trouble, "cloth stretched");
  ASSERT_EQ(told[0].remedies.size(), 1u);
  EXPECT_EQ(label_of(told[0].remedies[0]), "substeps = 10");
  for (int i = 0; i < 100; ++i) live.step_once();
  EXPECT_TRUE(live.take_messages().empty()) << "said once while it lasts";
  live.edit(told[0].remedies[0]);
  std::vector<Message> after;
  for (int i = 0; i < 300 && after.empty(); ++i) live.step_once(), after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about)) << "taken back";
  live.publish(shown);
  EXPECT_EQ(shown.status.trouble, "");
}

/// A hand at 1e300 m pulls with an infinite force in float: the frame is undone, told, and the scene pauses
/// at the last good state, from which it goes on.
TEST(Warnings, AFrameThatBecomesNonFiniteIsUndoneToldAndPauses) {
  SceneDesc scene = small_cloth();
  BodyDesc box;
  box.name = "box";
  box.half_extents = glm::dvec3(0.1);
  box.pose.position = {2.0, 1.0, 0.0};
  scene.bodies.push_back(box);
  Session live(one_thread, {});
  live.open(scene);
  live.take_messages();
  Publication shown;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(live.advance(1.0 / 60 + 1e-4));
  live.publish(shown);
  const std::uint64_t version = shown.frame.model_version;
  const auto places = shown.frame.positions;
  const double time = shown.frame.time;
  live.interact(GrabBody{0, {2.0, 1.0, 0.0}, {1e300, 0.0, 0.0}}, version);
  live.advance(1.0 / 60 + 1e-4);
  EXPECT_FALSE(live.running());
  const std::vector<Message> told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].text.find("became non-finite"), std::string::npos) << told[0].text;
  EXPECT_FALSE(told[0].remedies.empty()) << "a button for more substeps";
  live.publish(shown);
  EXPECT_EQ(shown.frame.time, time);
  EXPECT_EQ(shown.frame.positions, places);
  live.interact(ReleaseGrab{}, version);
  live.toggle_running();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(live.advance(1.0 / 60 + 1e-4));
  EXPECT_TRUE(live.running());
}

TEST(Warnings, GoWithARestart) {
  Session live(one_thread, {});
  live.open(stretched_cloth());
  live.take_messages();
  std::vector<Message> told;
  for (int i = 0; i < 60 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  live.restart();
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about));
}

TEST(Warnings, ThicknessThatTheMeshCannotKeepIsNamed) {
  SceneDesc scene = small_cloth();
  scene.solver.contact->cloth_collision = true;
  ASSERT_TRUE(start_warnings(scene).empty());
  scene.objects[0].material->thickness = 0.1;
  scene.objects[0].cloth->width = scene.objects[0].cloth->height = 0.5;  // edges of 0.07 m
  const std::vector<std::string> told = start_warnings(scene);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].starts_with("cloth: its material.thickness, 0.1 m, ")) << told[0];
}

/// m/s, after ten frames.
double mean_speed(const SceneDesc& scene) {
  const auto simulation = make_simulation(scene, one_thread);
  for (int f = 0; f < 10; ++f) (*simulation)->step();
  return (*simulation)->measure().mean_speed;
}

TEST(Warnings, FineClothThatOneSweepMakesWildIsCalmWithTheRemedy) {
  SceneDesc scene = small_cloth();
  scene.objects[0].cloth->columns = scene.objects[0].cloth->rows = 40;
  scene.objects[0].jitter = 0.0005;
  const double calm = mean_speed(scene);
  EXPECT_TRUE(start_warnings(scene).empty());
  scene.solver.method->order = Order::sequential;
  EXPECT_GT(mean_speed(scene), 1.5 * calm);
  Session live(one_thread, {});
  live.open(scene);
  const auto told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  ASSERT_EQ(told[0].remedies.size(), 2u);
  ASSERT_EQ(apply_changes({told[0].remedies[0]}, scene), 1);
  EXPECT_LT(mean_speed(scene), calm);
  live.edit(told[0].remedies[0]);
  const auto after = live.take_messages();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(after[0].text.empty() && is_about(told[0].about, after[0].about)) << "taken back";
}

/// Viscosity has no bound: nothing is told of a drop of 100 Pa s, but of equations that were left.
TEST(Warnings, ViscosityIsToldWhereItIsNotSolved) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 4;
  ObjectDesc honey;
  honey.name = "honey";
  honey.type = ObjectType::fluid;
  honey.fluid->extent = {0.12, 0.12, 0.12};
  honey.material->viscosity = 100.0;
  scene.objects = {honey};
  Session live(one_thread, {});
  live.open(scene);
  for (const Message& message : live.take_messages())
    EXPECT_EQ(message.text.find("viscosity"), std::string::npos) << message.text;
  auto simulation = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
  ASSERT_TRUE(simulation);
  const StepReport report = (*simulation)->step();
  EXPECT_GT(report.viscosity_sweeps, 0);
  EXPECT_LT(report.viscosity_residual, 1e-3);
  const Measures measures = (*simulation)->measure();
  Sight sight{**simulation, measures};
  const auto told = [&] {
    for (const Warning& warning : find_warnings(Moment::running, sight))
      if (warning.text.starts_with("implicit viscosity was solved to 0.02")) return true;
    return false;
  };
  EXPECT_FALSE(told());
  sight.viscosity_residual = 0.02;
  EXPECT_TRUE(told());
}

TEST(Warnings, ForcesOfStiffMatterAreNamedWithTheSubstepsThatHoldThem) {
  SceneDesc scene = small_cloth();
  scene.solver.method->kind = SolverMethod::forces;
  scene.solver.method->compliance_floor = 1e-5;
  EXPECT_GT(mean_speed(scene), 100.0) << "what is told happens";
  Session live(one_thread, {});
  live.open(scene);
  const auto named = [&] {
    for (const Message& message : live.take_messages())
      if (message.text.starts_with("solver.method forces is stable below h omega = 2"))
        return message.remedies;
    return std::vector<SetValue>{};
  };
  const std::vector<SetValue> remedies = named();
  ASSERT_EQ(remedies.size(), 2u);
  ASSERT_EQ(apply_changes({remedies[0]}, scene), 1);
  EXPECT_LT(mean_speed(scene), 5.0);
  live.edit(remedies[0]);
  EXPECT_TRUE(named().empty());
}

TEST(Warnings, ATiedRopeWithOneIterationIsNamedWithItsRemedy) {
  SceneDesc scene;
  ObjectDesc& rope = scene.objects.emplace_back();
  rope.name = "rope", rope.type = ObjectType::rod;
  rope.rod->only_pulls = true, rope.rod->first_end = RodEnd::pinned;
  const auto found = [&] {
    const auto simulation = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
    EXPECT_TRUE(simulation);
    const Measures measures = (*simulation)->measure();
    std::vector<Warning> out = find_warnings(Moment::setting, {**simulation, measures});
    std::erase_if(out, [](const Warning& w) { return w.text.find("a tied rod") == w.text.npos; });
    return out;
  };
  scene.solver.step->iterations = 1;
  EXPECT_TRUE(found().empty()) << "nothing is tied";
  TieDesc& tie = scene.ties.emplace_back();
  tie.name = "knot", tie.a = "rope", tie.a_points = {std::string("last")}, tie.b = "weight";
  BodyDesc& weight = scene.bodies.emplace_back();
  weight.name = "weight", weight.pose.position = {1.0, 0.0, 0.0};
  const auto warnings = found();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].subject, "rope");
  scene.solver.step->iterations = int(std::get<long>(warnings[0].remedies.at(0).value));
  EXPECT_TRUE(found().empty());
}

/// A hair of 0.1 m does not hold a million kilograms: they fall, and the user is told why.
TEST(Warnings, ARodThatCannotHoldItsWeightIsNamedWithItsRemedy) {
  SceneDesc scene;
  ObjectDesc& hair = scene.objects.emplace_back();
  hair.name = "hair", hair.type = ObjectType::rod;
  hair.rod->length = 0.1, hair.rod->radius = 40e-6, hair.rod->end_mass = 1e6;
  hair.material->youngs_modulus = 4e9;
  const auto found = [&] {
    const auto simulation = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
    EXPECT_TRUE(simulation);
    const Measures measures = (*simulation)->measure();
    std::vector<Warning> out = find_warnings(Moment::setting, {**simulation, measures});
    std::erase_if(out, [](const Warning& w) { return w.text.find("times its length") == w.text.npos; });
    return out;
  };
  const auto warnings = found();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].subject, "hair");
  scene.objects[0].rod->end_mass = std::get<double>(warnings[0].remedies.at(0).value);
  EXPECT_NEAR(scene.objects[0].rod->end_mass, 0.0205, 0.0005);  // stretched by 1 %
  EXPECT_TRUE(found().empty());
  scene.objects[0].rod->end_mass = 4.0;  // stretches it by two times its length
  EXPECT_EQ(found().at(0).text.find("falls"), std::string::npos) << found().at(0).text;
  scene.objects[0].rod->end_mass = 1e6, scene.objects[0].material->break_tension = 5.0;
  EXPECT_TRUE(found().empty()) << "it breaks";
}

/// A block of tetrahedra 100 times as dense as the one it stands on falls off it with one iteration.
TEST(Warnings, AHeavyBlockOnALightOneIsNamedAndItsRemedyHoldsIt) {
  SceneDesc scene;
  scene.solver.contact->cloth_collision = true;
  scene.solver.step->substeps = 10;
  scene.colliders.emplace_back().shape = ColliderShape::plane;
  for (const auto& [name, y, density] : {std::tuple{"light", 0.254, 100.0}, {"heavy", 0.758, 1e4}}) {
    ObjectDesc& block = scene.objects.emplace_back();
    block.name = name, block.type = ObjectType::tets;
    block.tets->shape = TetShape::block;
    block.tets->dimensions = glm::dvec3(0.5), block.tets->resolution = 5;
    block.pose.position = {0.0, y, 0.0};
    block.density = density;
    block.material->youngs_modulus = 9.81e5, block.material->thickness = 0.004;
  }
  const auto found = [&] { return warnings_with(scene, "times as dense"); };
  const auto warnings = found();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].subject, "light");
  ASSERT_EQ(apply_changes(warnings[0].remedies, scene), 1);
  EXPECT_TRUE(found().empty());
  const auto simulation = make_simulation(scene, {Precision::f32, Simd::automatic, 1});
  for (int frame = 0; frame < 600; ++frame) (*simulation)->step();
  const Measures measures = (*simulation)->measure();
  // 5 % static strain and what the load's own weight takes
  EXPECT_NEAR(measures.bounds_max[1], 0.974, 0.005);
}

TEST(Warnings, TethersThatHoldUpASoftClothAreNamedWithTheirRemedies) {
  SceneDesc scene = small_cloth();
  ObjectDesc& cloth = scene.objects[0];
  cloth.tethers = true;
  const auto found = [&] { return warnings_with(scene, "tethers"); };
  EXPECT_TRUE(found().empty());
  cloth.material->stretch_compliance = 10.0;
  const auto warnings = found();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].subject, "cloth");
  ASSERT_EQ(warnings[0].remedies.size(), 2u);
  for (const SetValue& remedy : warnings[0].remedies) {
    const SceneDesc before = scene;
    const auto setting = find_setting(scene, remedy.path);
    ASSERT_TRUE(setting);
    ASSERT_TRUE(set(*setting->field, setting->settings, remedy.value));
    EXPECT_TRUE(found().empty()) << remedy.path;
    scene = before;
  }
}

/// A mouth in a box that is full.
TEST(Warnings, ABlockedMouthIsNamed) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.02;
  ObjectDesc tap;
  tap.name = "tap";
  tap.type = ObjectType::fluid;
  tap.fluid->emit_count = 2000;
  tap.fluid->emit_radius = 0.05;
  tap.velocity = {0.0, -2.0, 0.0};
  scene.objects = {tap};
  for (int side = 0; side < 6; ++side) {
    ColliderDesc plate;
    plate.name = "side" + std::to_string(side);
    plate.shape = ColliderShape::box;
    plate.half_extents = {0.2, 0.2, 0.2};
    plate.half_extents[side / 2] = 0.05;
    plate.pose.position[side / 2] = side % 2 == 0 ? 0.13 : -0.13;
    scene.colliders.push_back(plate);
  }
  Session live(one_thread, {});
  live.open(scene);
  live.take_messages();
  std::vector<Message> told;
  for (int i = 0; i < 120 && told.empty(); ++i) live.step_once(), told = live.take_messages();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].text.starts_with("tap: its mouth is blocked by fluid under pressure")) << told[0].text;
}

TEST(Warnings, EveryRemedyIsASettingInItsRange) {
  SceneDesc scene = stretched_cloth();
  scene.solver.step->substeps = 700;
  scene.solver.step->dt = 1.5e-4;
  const auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  Measures measures = (*simulation)->measure();
  measures.max_speed = scene.solver.motion->max_speed;
  measures.object_misfit = measures.object_length_misfit = {5.0};
  measures.inside = {{0, 3, 0.1}};
  int remedies = 0;
  for (const Moment moment : {Moment::start, Moment::setting, Moment::running})
    for (const Warning& warning : find_warnings(moment, {**simulation, measures, true}))
      for (const SetValue& remedy : warning.remedies) {
        SceneDesc changed = scene;
        EXPECT_EQ(apply_changes({remedy}, changed), 1) << told_on_console(warning);
        ++remedies;
      }
  EXPECT_GE(remedies, 4);
}

/// A single stretched tetrahedron among many, which the share of inverted elements does not show.
TEST(Warnings, TetrahedraPulledToSpikesAreNamedWithSubstepsThatMendThem) {
  SceneDesc scene;
  ObjectDesc object;
  object.name = "creature";
  object.type = ObjectType::tets;
  scene.objects.push_back(object);
  scene.solver.step->substeps = 10;
  const auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  Measures measures = (*simulation)->measure();
  EXPECT_TRUE(find_warnings(Moment::running, {**simulation, measures}).empty());
  measures.object_strain.at(0).max = 9.0;
  const auto warnings = find_warnings(Moment::running, {**simulation, measures});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].text.starts_with("creature: a tetrahedron is stretched to 10 times"))
      << warnings[0].text;
  ASSERT_EQ(warnings[0].remedies.size(), 1u);
  EXPECT_EQ(told_on_console(warnings[0]).find("(--set solver.substeps=40)") != std::string::npos, true);
}

TEST(Warnings, EnergyThatTheSolverMakesIsToldWhereNothingElseDoesWork) {
  SceneDesc scene = small_cloth();
  const auto told = [&scene](bool alone, double more) {
    const auto simulation = make_simulation(scene, one_thread);
    EXPECT_TRUE(simulation) << simulation.error().text();
    SceneWatch watch;
    Measures measures = (*simulation)->measure();
    measures.kinetic_energy = 1.0, measures.potential_energy = 5.0;
    watch.look({**simulation, measures, false, {}, alone});
    measures.kinetic_energy = 2.0, measures.potential_energy = 7.0, measures.elastic_energy = 3.0 - more;
    for (int look = 0; look < 2; ++look) watch.look({**simulation, measures, false, {}, alone});
    return std::any_of(watch.worst().begin(), watch.worst().end(), [](const SceneWatch::Found& found) {
      return warning_kinds()[found.kind].name == "made_energy";
    });
  };
  EXPECT_FALSE(told(true, 0.4)) << "a fifth of what moved";
  EXPECT_TRUE(told(true, 0.6));
  EXPECT_FALSE(told(false, 0.6)) << "somebody may have pulled";
  scene.colliders.back().amplitude.y = 0.1;
  EXPECT_FALSE(told(true, 0.6)) << "a collider does work";
}

TEST(Warnings, SweptNetsOfFixedJointsAreNamedWithTheSolverThatHoldsThem) {
  SceneDesc scene;
  BodyDesc& box = scene.bodies.emplace_back();
  box.name = "box", box.shape = BodyShape::box;
  JointDesc& joint = scene.joints.emplace_back();
  joint.name = "weld", joint.a = "box", joint.type = JointType::fixed;
  const auto rigid = make_simulation(scene, one_thread);
  Measures measures = (*rigid)->measure();
  measures.swept_joints = 180;
  EXPECT_TRUE(find_warnings(Moment::running, {**rigid, measures}).empty()) << "a tree is solved directly";
  joint.break_force = 1000.0;
  const auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  measures.swept_joints = 0;
  EXPECT_TRUE(find_warnings(Moment::running, {**simulation, measures}).empty());
  measures.swept_joints = 180;
  const auto warnings = find_warnings(Moment::running, {**simulation, measures});
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].text.starts_with("weld: part of a net of 180 joints")) << warnings[0].text;
  EXPECT_EQ(apply_changes(warnings[0].remedies, scene), 1);
}

/// A sheet that hangs from its upper border swings up and down: at the first look it may be at its lowest.
TEST(Warnings, AHangingSheetMakesNoEnergy) {
  SceneDesc scene;
  ObjectDesc& sheet = scene.objects.emplace_back();
  sheet.name = "sheet";
  sheet.pose.position.y = 1.5;
  sheet.pins = {std::string("top")};
  const auto simulation = make_simulation(scene, one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  SceneWatch watch;
  watch.begin((*simulation)->measure());
  for (int frame = 1; frame <= 60; ++frame) {
    (*simulation)->step();
    if (!SceneWatch::due(**simulation, false)) continue;
    const Measures measures = (*simulation)->measure();
    watch.look({**simulation, measures, false, {}, true});
  }
  EXPECT_TRUE(watch.worst().empty()) << watch.worst()[0].warning.text;
}

TEST(Warnings, ADescentThatCannotMoveIsNamedWithAFloorThatLetsIt) {
  SceneDesc scene = small_cloth();
  scene.solver.method->kind = SolverMethod::descent;
  const auto warnings = [&scene] {
    const auto simulation = make_simulation(scene, one_thread);
    EXPECT_TRUE(simulation) << simulation.error().text();
    std::vector<Warning> found = find_warnings(Moment::setting, {**simulation, (*simulation)->measure()});
    std::erase_if(found, [](const Warning& w) { return w.text.find("hardly moves") == std::string::npos; });
    return found;
  };
  const auto stuck = warnings();
  ASSERT_EQ(stuck.size(), 1u);
  ASSERT_EQ(stuck[0].remedies[0].path, "solver.compliance_floor");
  scene.solver.method->compliance_floor = std::get<double>(stuck[0].remedies[0].value);
  EXPECT_TRUE(warnings().empty());
}

}}  // namespace limber::warnings_test
