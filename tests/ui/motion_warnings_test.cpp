// Warnings about motion that is wrong in its size: towers, torn edges, descent that hardly moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "app/watch/warnings.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/ui/small_cloth.hpp"

namespace limber::motion_warnings_test { namespace {

using test::small_cloth;

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

/// Ten cubes of 1 cm fall over with 12 substeps and stand with 20, as cubes of 1 m do with 1.2 and 2.
TEST(MotionWarnings, ATowerOfSmallBoxesIsNamedWithSubstepsThatHoldIt) {
  SceneDesc scene;
  BodyDesc cubes;
  cubes.name = "cubes";
  cubes.copies.y = 10.0;
  const auto warnings = [&](double size, int substeps) {
    cubes.half_extents = glm::dvec3(0.5 * size);
    cubes.pose.position.y = 0.5 * size;
    cubes.spacing = glm::dvec3(size);
    scene.bodies = {cubes};
    scene.solver.step->substeps = substeps;
    const auto simulation = make_simulation(scene, one_thread);
    EXPECT_TRUE(simulation) << simulation.error().text();
    std::vector<Warning> found = find_warnings(Moment::setting, {**simulation, (*simulation)->measure()});
    std::erase_if(found, [](const Warning& w) { return w.text.find("tower") == std::string::npos; });
    return found;
  };
  EXPECT_TRUE(warnings(1.0, 8).empty());
  const std::vector<Warning> small = warnings(0.01, 8);
  ASSERT_EQ(small.size(), 1u);
  ASSERT_EQ(small[0].remedies.size(), 1u);
  const long enough = std::get<long>(small[0].remedies[0].value);
  EXPECT_GE(enough, 20);
  EXPECT_LE(enough, 40);
  EXPECT_TRUE(warnings(0.01, int(enough)).empty());
}

/// A cloth torn out at a corner, which the mean over its edges does not show; rubber may be stretched so.
TEST(MotionWarnings, AnEdgeStretchedToSevenTimesItsLengthIsNamedUnlessItIsOfRubber) {
  SceneDesc scene = small_cloth();
  const auto warnings = [&scene] {
    const auto simulation = make_simulation(scene, one_thread);
    EXPECT_TRUE(simulation) << simulation.error().text();
    Measures measures = (*simulation)->measure();
    EXPECT_TRUE(find_warnings(Moment::running, {**simulation, measures}).empty());
    measures.object_strain.at(0).max = 6.0;
    return find_warnings(Moment::running, {**simulation, measures});
  };
  const auto stiff = warnings();
  ASSERT_EQ(stiff.size(), 1u);
  EXPECT_NE(stiff[0].text.find(": an edge is stretched to 7 times"), std::string::npos) << stiff[0].text;
  EXPECT_FALSE(stiff[0].remedies.empty());
  scene.objects[0].material->stretch_compliance = 0.01;
  EXPECT_TRUE(warnings().empty());
}

/// Chains fall far too slowly from about 10 (h omega)^2 per iteration on, with ropes in place of springs too,
/// although a rope at its length has no stiffness yet.
TEST(MotionWarnings, ADescentOfChainsIsNamed) {
  for (const SpringAction action : {SpringAction::spring, SpringAction::rope}) {
    SceneDesc scene;
    scene.solver.method->kind = SolverMethod::descent;
    scene.solver.step->automatic = false;
    scene.solver.step->substeps = 20;
    ObjectDesc chain;
    chain.name = "chain";
    chain.type = ObjectType::chain;
    chain.spring_action = action;
    chain.material->stretch_compliance = 1e-7;
    scene.objects = {chain};
    const auto named = [&] {
      const auto simulation = make_simulation(scene, one_thread);
      EXPECT_TRUE(simulation) << simulation.error().text();
      const std::vector<Warning> found =
          find_warnings(Moment::setting, {**simulation, (*simulation)->measure()});
      return std::any_of(found.begin(), found.end(),
                         [](const Warning& w) { return w.text.find("hardly moves") != std::string::npos; });
    };
    scene.solver.step->iterations = 1;
    EXPECT_TRUE(named());
    scene.solver.step->iterations = 40;
    EXPECT_FALSE(named());
  }
}

}}  // namespace limber::motion_warnings_test
