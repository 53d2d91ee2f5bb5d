// Scenes with heat: valid settings, and invalid ones that are refused by name.
#include <gtest/gtest.h>

#include "engine/core/heat_law.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber { namespace {

Expected<SceneDesc> scene_with(const std::string& objects, const std::string& beside = "") {
  return parse_scene(R"({ "format": 1, "objects": {)" + objects + "}" + beside + "}", "test", "");
}

TEST(HeatScene, AMeltingRangeBeginsBeforeItEnds) {
  const auto wax = [](const char* range) {
    return scene_with(R"("wax": { "type": "fluid", "material": { "melts": true, )" + std::string(range) +
                      " } }");
  };
  EXPECT_TRUE(wax(R"("solidus": 50, "liquidus": 50)"));
  const auto turned = wax(R"("solidus": 60, "liquidus": 50)");
  ASSERT_FALSE(turned);
  EXPECT_NE(turned.error().message.find("above 'liquidus'"), std::string::npos) << turned.error().message;
}

TEST(HeatScene, ASofteningRangeBeginsBeforeItEnds) {
  const auto butter = [](const char* range) {
    return scene_with(R"("butter": { "type": "cloth", "columns": 3, "rows": 3, "material": { )" +
                      std::string(range) + " } }");
  };
  EXPECT_TRUE(butter(R"("soft_from": 30, "soft_to": 30)"));
  const auto turned = butter(R"("soft_from": 60, "soft_to": 30)");
  ASSERT_FALSE(turned);
  EXPECT_NE(turned.error().message.find("above 'soft_to'"), std::string::npos) << turned.error().message;
}

TEST(HeatScene, KeysOfAnotherShapeAreNamedWithTheirOwn) {
  const auto scene = scene_with(R"("jelly": { "type": "tets", "shape": "block", "cells": [3, 3, 3] })");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("for a bar: a block takes 'resolution'"), std::string::npos)
      << scene.error().message;
}

TEST(HeatScene, ABlockOfHeatTurnsItOn) {
  const std::string wax = R"("wax": { "type": "fluid", "temperature": 30, "material": { "melts": true } })";
  const Expected<SceneDesc> cold = scene_with(wax), hot = scene_with(wax, R"(, "heat": { "speed": 20 })");
  ASSERT_TRUE(cold && hot);
  EXPECT_FALSE(cold->heat->enabled);
  EXPECT_TRUE(hot->heat->enabled);
  EXPECT_EQ(hot->heat->speed, 20.0);
  EXPECT_EQ(hot->objects[0].temperature, 30.0);
  EXPECT_TRUE(hot->objects[0].material->melts);
}

TEST(HeatScene, OnlyFluidsAndTetrahedraMelt) {
  for (const std::string type : {"cloth", "grains", "solid", "rod"}) {
    const Expected<SceneDesc> refused =
        scene_with(R"("thing": { "type": ")" + type + R"(", "material": { "melts": true } })");
    ASSERT_FALSE(refused) << type;
    EXPECT_EQ(refused.error().message, "'melts' of a material means nothing for the type '" + type + "'");
  }
  const Expected<SceneDesc> body = scene_with(R"("wax": { "type": "fluid" })",
                                              R"(, "bodies": { "iron": { "shape": "box", "melts": true } })");
  ASSERT_FALSE(body);
  EXPECT_NE(body.error().message.find("the body 'iron' cannot melt"), std::string::npos)
      << body.error().text();
}

TEST(HeatScene, TetrahedraMeltIntoAFluidThatNamesThem) {
  const auto built = [](const std::string& objects) {
    const Expected<SceneDesc> scene = scene_with(objects);
    EXPECT_TRUE(scene) << scene.error().text();
    const Expected<std::unique_ptr<Simulation>> simulation = make_simulation(*scene, {});
    return simulation ? std::string() : simulation.error().message;
  };
  const std::string jelly = R"("jelly": { "type": "tets", "resolution": 2, "material": { "melts": true } })";
  EXPECT_EQ(built(jelly), "object 'jelly': 'jelly' can melt, but no fluid takes its melt");
  EXPECT_EQ(built(jelly + R"(, "melt": { "type": "fluid", "melt_of": "jelly" })"), "");
  EXPECT_EQ(built(R"("melt": { "type": "fluid", "melt_of": "ice" })"),
            "object 'melt': 'melt_of' names 'ice', which is no object of tetrahedra that can melt");
}

TEST(HeatScene, WhatIsFrozenIsAboutAsDenseAsTheMelt) {
  for (const auto& [density, allowed] : {std::pair("917", true), {"400", false}, {"5000", false}}) {
    const Expected<SceneDesc> scene =
        scene_with(R"("ice": { "type": "fluid", "frozen_density": )" + std::string(density) +
                   R"(, "material": { "melts": true } })");
    EXPECT_EQ(bool(scene), allowed) << density;
    if (!scene) {
      EXPECT_NE(scene.error().message.find("frozen_density"), std::string::npos);
    }
  }
}

TEST(HeatScene, EnthalpyAndTemperatureAreInverse) {
  Material material;
  material.heat_capacity = 2000.0;
  material.melts = true;
  material.latent_heat = 1e5;
  for (const auto& [solidus, liquidus] : {std::pair(50.0, 60.0), {0.0, 0.0}, {-5.0, -4.0}}) {
    material.solidus = solidus, material.liquidus = liquidus;
    const HeatLaw law = HeatLaw::of(material);
    for (double t = -80.0; t < 120.0; t += 0.7) EXPECT_NEAR(law.temperature(law.enthalpy(t)), t, 1e-10);
    EXPECT_EQ(law.molten(law.enthalpy(solidus - 0.1)), 0.0);
    EXPECT_EQ(law.molten(law.enthalpy(liquidus + 0.1)), 1.0);
    EXPECT_NEAR(law.enthalpy(liquidus + 1.0) - law.enthalpy(solidus - 1.0),
                1e5 + 2000.0 * (liquidus - solidus + 2.0), 1e-6);
  }
}

}}  // namespace limber
