// With solver.friction_model velocity_filter, every contact either changes or is named in the warning.
#include "app/watch/friction_limits.hpp"
#include "engine/core/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/warnings.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"
#include "tests/verification/contact_kinds.hpp"

namespace limber::friction_limits_test { namespace {

using namespace contact_kinds;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

void grains(SceneDesc& scene) {
  free_grain(scene, "above", 0.03, 0.0);
  ObjectDesc& heap = scene.objects.back();
  heap.velocity = glm::dvec3(0.0);
  heap.copies = {3.0, 3.0, 3.0};
  heap.spacing = glm::dvec3(0.061);
  heap.pose.position.x = -1.0;
}

/// An object on a slope, and the warning about its contact; "" if the filter acts on it.
struct Contact {
  const char* name;
  void (*below)(SceneDesc&);
  void (*above)(SceneDesc&);
  const char* said;
};

constexpr Contact contacts[] = {
    {"box on plane", plane, box, "bodies with each other and with colliders"},
    {"box on table", table, box, "bodies with each other"},
    {"cloth on plane", plane, patch, ""},
    {"cloth on table", table, patch, ""},
    {"box on sheet", sheet, box, ""},
    {"cloth on sheet", sheet, patch, "cloth with cloth"},
    {"cluster on plane", plane, brick, "clusters with each other and with colliders"},
    {"cluster on table", table, brick, "grains and clusters with bodies"},
    {"cluster on sheet", sheet, brick, "particles with cloth"},
    {"grains on plane", plane, grains, "grains with each other"},
    {"grains on table", table, grains, "grains and clusters with bodies"},
    {"grains on sheet", sheet, grains, "particles with cloth"},
};

SceneDesc scene_of(const Contact& contact, FrictionModel model) {
  constexpr double g = 9.81;
  SceneDesc scene;
  scene.solver.step->substeps = 10;
  scene.solver.motion->gravity = {0.4 * g, -0.9 * g, 0.0};
  scene.solver.contact->friction_model = model;
  scene.solver.contact->particle_radius = 0.03;
  contact.below(scene);
  contact.above(scene);
  scene.solver.contact->cloth_collision = scene.objects.size() > 1;
  return scene;
}

std::uint64_t hash_of(const Contact& contact, FrictionModel model) {
  const auto simulation = make_simulation(scene_of(contact, model), one_thread);
  EXPECT_TRUE(simulation) << simulation.error().text();
  for (int frame = 0; frame < 20; ++frame) (*simulation)->step();
  return (*simulation)->state_hash();
}

TEST(FrictionLimits, EveryContactChangesOrIsNamed) {
  for (const Contact& contact : contacts) {
    const std::string text = friction_limits_text(scene_of(contact, FrictionModel::velocity_filter));
    const bool changes =
        hash_of(contact, FrictionModel::positional) != hash_of(contact, FrictionModel::velocity_filter);
    const std::string said = contact.said;
    EXPECT_TRUE(changes || !said.empty()) << contact.name;
    EXPECT_NE(text.find(said), std::string::npos) << contact.name << ": " << text;
    EXPECT_EQ(friction_limits_text(scene_of(contact, FrictionModel::positional)), "") << contact.name;
  }
}

TEST(FrictionLimits, NothingIsSaidWhereTheFilterActsOnAll) {
  EXPECT_EQ(friction_limits_text(scene_of(contacts[2], FrictionModel::velocity_filter)), "");
}

/// Old scenes open; the warning names the setting and has the value that acts on all as its remedy.
TEST(FrictionLimits, AreAWarningOfTheSetting) {
  const auto simulation = make_simulation(scene_of(contacts[0], FrictionModel::velocity_filter), one_thread);
  ASSERT_TRUE(simulation) << simulation.error().text();
  const Measures measures = (*simulation)->measure();
  int found = 0;
  for (const Warning& warning : find_warnings(Moment::setting, {**simulation, measures})) {
    if (warning.text.find("solver.friction_model") == std::string::npos) continue;
    ++found;
    ASSERT_EQ(warning.remedies.size(), 1u);
    EXPECT_EQ(warning.remedies[0].path, "solver.friction_model");
  }
  EXPECT_EQ(found, 1);
}

}}  // namespace limber::friction_limits_test
