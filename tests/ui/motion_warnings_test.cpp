// Warnings about motion that is wrong in its size: descent that hardly moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/watch/warnings.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber::motion_warnings_test { namespace {

const RunOptions one_thread{Precision::f32, Simd::scalar, 1};

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
