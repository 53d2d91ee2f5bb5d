// Ropes that hang without a load: their tension, and that they come to rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>

#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace rope_test { namespace {

constexpr double g = 9.81;

struct Made {
  const char* name;
  double youngs_modulus, density, radius, damping_time;
};
constexpr Made makes[] = {{"steel", 2.05e11, 7850, 0.5e-3, 1e-5},
                          {"copper", 1.17e11, 8960, 0.7e-3, 1e-4},
                          {"nylon", 2.5e9, 1140, 0.25e-3, 1e-4},
                          {"hemp", 4e8, 900, 6e-3, 2e-3}};

/// A rope that hangs from its first end, at its rest length.
SceneDesc hanging(const Made& made, double length, int segments, int substeps, int iterations) {
  SceneDesc scene;
  scene.solver.step->substeps = substeps;
  scene.solver.step->iterations = iterations;
  scene.solver.step->automatic = false;
  scene.solver.motion->gravity = {0.0, -g, 0.0};
  scene.solver.motion->damping = 0.0;
  ObjectDesc rope;
  rope.name = "rope";
  rope.type = ObjectType::rod;
  rope.density = made.density;
  rope.rod->length = length;
  rope.rod->segments = segments;
  rope.rod->radius = made.radius;
  rope.rod->only_pulls = true;
  rope.rod->first_end = RodEnd::pinned;
  rope.pose.position = {0.0, length + 0.5, 0.0};
  rope.pose.rotation_degrees = {0.0, 0.0, -90.0};
  rope.material->youngs_modulus = made.youngs_modulus;
  rope.material->damping_time = made.damping_time;
  scene.objects = {rope};
  return scene;
}

double weight(const Made& made, double length) {
  return made.density * glm::pi<double>() * made.radius * made.radius * length * g;
}

/// The strain of a stiff rope under its own weight is smaller than the rounding of its points, and smaller
/// than a thousandth of the fall in a substep.
TEST(Ropes, BearTheirOwnWeightInEveryFrame) {
  struct Case {
    double length;
    int segments;
  };
  for (const Made& made : makes)
    for (const Case& one : {Case{1.0, 20}, Case{1.0, 5}, Case{3.0, 100}})
      for (const int substeps : {1, 2, 4, 8, 20})
        for (const int iterations : {1, 5}) {
          if (iterations > 1 && substeps != 4) continue;
          const double own = weight(made, one.length), below = own * (1.0 - 0.5 / one.segments);
          Rig rig(hanging(made, one.length, one.segments, substeps, iterations));
          double most = 0.0;
          for (int frame = 0; frame < 60; ++frame) {
            rig.step();
            most = std::max(most, measure(rig.world).rod_tension_max);
          }
          const Measures m = measure(rig.world);
          EXPECT_LT(most, 1.1 * own) << made.name << " " << one.segments << " " << substeps;
          EXPECT_NEAR(m.rod_tension_max, below, 0.02 * own)
              << made.name << " " << one.segments << " " << substeps;
          EXPECT_NEAR(m.rod_tension_max, m.end_force_max, 1e-6 * own) << "the largest is that at the pin";
          EXPECT_LT(m.max_speed, 1e-4) << made.name << " " << one.segments << " " << substeps;
        }
}

}}}}  // namespace limber::LIMBER_PRECISION::rope_test
