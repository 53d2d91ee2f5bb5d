// A change of any live setting in small scenes at rest causes no more motion than gravity does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/tunable.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/source_folder.hpp"

namespace limber::live_settings_test { namespace {

SceneDesc damped(double damping) {
  SceneDesc scene;
  scene.solver.motion->damping = damping;
  ColliderDesc ground;
  ground.name = "ground";
  ground.shape = ColliderShape::plane;
  ground.friction = 0.5;
  scene.colliders.push_back(ground);
  return scene;
}

ObjectDesc& add(SceneDesc& scene, ObjectType type, const char* name, const glm::dvec3& position) {
  ObjectDesc object;
  object.name = name;
  object.type = type;
  object.pose.position = position;
  scene.objects.push_back(object);
  return scene.objects.back();
}

SceneDesc cloth() {
  SceneDesc scene = damped(0.95);
  scene.solver.contact->cloth_collision = true;
  ObjectDesc& sheet = add(scene, ObjectType::cloth, "sheet", {0.0, 1.5, 0.0});
  sheet.cloth->columns = sheet.cloth->rows = 12;
  sheet.pins = {std::string("top_left"), std::string("top_right")};
  sheet.material->stretch_compliance = 1e-3;
  return scene;
}

SceneDesc tets() {
  SceneDesc scene = damped(0.99);
  ObjectDesc& bar = add(scene, ObjectType::tets, "bar", {0.0, 1.0, 0.0});
  bar.tets->dimensions = {0.6, 0.2, 0.2};
  bar.tets->cells = {4, 2, 2};
  bar.density = 200.0;
  bar.pins = {std::string("left")};
  return scene;
}

SceneDesc balloon() {
  SceneDesc scene = damped(0.9);
  ObjectDesc& skin = add(scene, ObjectType::cloth, "skin", {0.0, 0.3, 0.0});
  skin.mesh = test::source("assets/balloon_small.obj");
  skin.size = 0.5;
  skin.pressure = 1.2;
  skin.material->stretch_compliance = 1e-3;
  return scene;
}

SceneDesc heap() {
  SceneDesc scene = damped(0.9);
  ObjectDesc& grains = add(scene, ObjectType::grains, "grains", {0.0, 0.061, 0.0});
  grains.copies = {3.0, 3.0, 3.0};
  grains.spacing = glm::dvec3(0.041);
  grains.density = 2600.0;
  grains.material->friction = 0.6;
  ObjectDesc& brick = add(scene, ObjectType::solid, "brick", {1.0, 0.2, 0.0});
  brick.mesh = test::source("assets/brick.obj");
  brick.size = 0.5;
  return scene;
}

SceneDesc bodies() {
  SceneDesc scene = damped(0.9);
  for (int i = 0; i < 3; ++i) {
    BodyDesc box;
    box.name = "box" + std::to_string(i);
    box.shape = BodyShape::box;
    box.half_extents = glm::dvec3(0.25);
    box.pose.position = {0.0, 0.25 + 0.5 * i, 0.0};
    scene.bodies.push_back(box);
  }
  JointDesc hinge;
  hinge.name = "hinge";
  hinge.type = JointType::hinge;
  hinge.a = "box2", hinge.b = "box1";
  hinge.at = {0.0, 1.0, 0.0};
  hinge.axis = {0.0, 1.0, 0.0};
  scene.joints.push_back(hinge);
  return scene;
}

SceneDesc water() {
  SceneDesc scene = basin(0.04, {0.0, 0.0, 0.0}, {0.48, 0.32, 0.32}, 0.48);
  scene.solver.motion->damping = 0.9;
  return scene;
}

struct Matter {
  const char* name;
  SceneDesc (*scene)();
  int frames;  ///< until it is at rest
};
constexpr Matter all_matter[]{{"Cloth", cloth, 300}, {"Tets", tets, 200},    {"Balloon", balloon, 240},
                              {"Heap", heap, 150},   {"Bodies", bodies, 90}, {"Water", water, 300}};

/// Settings that are meant to move or tear objects or are forces, and settings without effect on the
/// simulation.
bool drives(const std::string& path) {
  for (const char* driven : {"solver.gravity", "wind.", "camera.", ".motor_", ".lower", ".upper", ".limited",
                             ".collide", ".tear_strain"})
    if (path.find(driven) != std::string::npos) return true;
  return false;
}

/// Choices of order, density_law and method: sweeps in alternating directions swing for ever, surfaces of
/// water boil, and forces blow up beyond 2/omega, after which the frame is undone.
bool never_rests(std::string_view choice) {
  return choice == "alternating" || choice == "two_sided" || choice == "forces";
}

/// Other values of a setting: all options of a choice; half and one and a half times a number; on a
/// logarithmic scale a quarter and four times the number.
std::vector<Value> other_values(const Field& field, const Value& now) {
  std::vector<Value> out;
  const auto bounded = [&](double x) { return std::clamp(x, field.min, field.max); };
  const bool wide = field.scale == Scale::logarithmic;
  const double factors[] = {wide ? 0.25 : 0.5, wide ? 4.0 : 1.5};
  switch (field.kind) {
    case Field::Kind::boolean:
      return {!std::get<bool>(now)};
    case Field::Kind::choice:
      for (const std::string_view option : field.options)
        if (!never_rests(option)) out.emplace_back(std::string(option));
      break;
    case Field::Kind::integer:
      for (const double factor : factors)
        out.emplace_back(long(bounded(std::max(1.0, factor * double(std::get<long>(now))))));
      break;
    case Field::Kind::number:
      for (const double factor : factors) out.emplace_back(bounded(factor * std::get<double>(now)));
      if (std::get<double>(now) == 0.0) out = {bounded(1e-3), bounded(0.5)};
      break;
    case Field::Kind::vector:
      out.emplace_back(0.5 * std::get<glm::dvec3>(now));
      break;
    case Field::Kind::text:
      break;
  }
  std::erase(out, now);
  return out;
}

class ALiveSetting : public testing::TestWithParam<Matter> {};

/// The kinetic energy during 0.2 s after a change stays below twice the sum of the energy before, of the work
/// of gravity and, if a material changed, of elastic energy.
TEST_P(ALiveSetting, KicksNothing) {
  if (built_precisions().size() < 2) GTEST_SKIP() << "built in single precision only";
  SceneDesc scene = GetParam().scene();
  const auto made = make_simulation(scene, {Precision::f64, Simd::automatic, 1});
  ASSERT_TRUE(made) << made.error().text();
  Simulation& simulation = **made;
  double before = 0.0;  // J
  for (int f = 0; f < GetParam().frames; ++f) {
    ASSERT_FALSE(simulation.step().nonfinite);
    if (f >= GetParam().frames - 6) before = std::max(before, simulation.measure().kinetic_energy);
  }
  const auto rest = simulation.save();
  const Measures start = simulation.measure();
  // J, of everything at 8 mm/s, at which nothing is seen to move
  const double still =
      32e-6 * start.potential_energy / (9.81 * 0.5 * (start.bounds_min.y + start.bounds_max.y));
  int changes = 0;
  for (const Setting& setting : list_settings(scene)) {
    if (setting.field->effect != Effect::live || drives(setting.path)) continue;
    const bool of_material = setting.path.starts_with("objects.");
    for (const Value& value : other_values(*setting.field, get(*setting.field, setting.settings))) {
      ASSERT_TRUE(simulation.restore(rest));
      if (!simulation.submit(SetValue{setting.path, value})) continue;  // refused, and nothing has changed
      ++changes;
      // Matter that is lifted without speed while an error is repaid may fall from there.
      double highest = 0.0, most = 0.0, excess = 0.0, share = 1.0;  // J; share of the mass at the start
      for (double passed = 0.0; passed < 0.2; passed += simulation.scene().solver.step->dt) {
        ASSERT_FALSE(simulation.step().nonfinite) << setting.path;
        const Measures m = simulation.measure();
        const double height = m.potential_energy - m.elastic_energy;
        if (passed == 0.0) {
          if (!scene.objects.empty())
            share = simulation.scene().objects[0].material->density / scene.objects[0].material->density;
          highest = share * (start.potential_energy - start.elastic_energy);
          if (of_material) most = highest + std::max(start.elastic_energy, m.elastic_energy);
        }
        highest = std::max(highest, height), most = std::max(most, m.potential_energy);
        const double given = std::max(highest - height, of_material ? most - m.potential_energy : 0.0);
        excess = std::max(excess, m.kinetic_energy - given);
      }
      EXPECT_LE(excess, std::max(1.0, share) * (2.0 * before + still))
          << setting.path << " = " << to_text(value);
    }
  }
  EXPECT_GT(changes, 20);
}

INSTANTIATE_TEST_SUITE_P(Matter, ALiveSetting, testing::ValuesIn(all_matter),
                         [](const auto& info) { return std::string(info.param.name); });

}}  // namespace limber::live_settings_test
