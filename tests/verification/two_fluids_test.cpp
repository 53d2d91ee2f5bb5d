// Fluids of two densities: all of the lighter one rises.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace two_fluids_test { namespace {

constexpr double radius = 0.02, wide = 0.32, oil_depth = 0.16, water_depth = 0.32;

/// Water over oil of that density (kg/m^3) in a basin of smooth planes.
SceneDesc water_over_oil(double density) {
  SceneDesc scene = basin(radius, {0, 0, 0}, {wide, oil_depth, wide}, wide);
  scene.solver.motion->damping = 0.0;
  scene.objects[0].name = "oil";
  scene.objects[0].fluid->rest_density = density;
  scene.objects.push_back(
      water_block({wide, water_depth, wide}, {wide / 2, oil_depth + water_depth / 2, wide / 2}));
  scene.objects[1].name = "water";
  for (ObjectDesc& object : scene.objects) {
    object.material->viscosity = 0.01;
    object.jitter = 0.01;  // or the water stands on the oil like a table
  }
  return scene;
}

class TheLighterFluid : public testing::TestWithParam<double> {};

/// After 6 s under 3 % of it are deeper than one diameter below its level, and none lie on the ground.
/// (Without a film of the heavier one under it a fifth lies there for ever.)
TEST_P(TheLighterFluid, Rises) {
  Rig rig(water_over_oil(1000.0 * GetParam()));
  rig.run(360);
  std::vector<double> heights;
  for (const vec4& x : rig.world.particles.position) heights.push_back(double(x.y));
  heights.resize(std::size_t(rig.world.particles.count));
  std::vector<double> oil;
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (rig.world.particles.object[i] == 0) oil.push_back(heights[i]);
  std::sort(heights.begin(), heights.end());
  const double level = heights[heights.size() - oil.size()];
  const auto below = [&](double height) {
    return double(std::count_if(oil.begin(), oil.end(), [&](double y) { return y < height; }));
  };
  EXPECT_LT(below(level - 2 * radius), 0.03 * double(oil.size())) << level;
  EXPECT_EQ(below(2.5 * radius), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Densities, TheLighterFluid, testing::Values(0.5, 0.1));

}}}}  // namespace limber::LIMBER_PRECISION::two_fluids_test
