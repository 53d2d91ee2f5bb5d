// Stiffness and yield that fall with temperature.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/softening.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/heat_state.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace softening_test { namespace {

TEST(Softening, IsAStraightLineOfTheLogarithm) {
  Material material;
  material.soft_from = 20.0, material.soft_to = 40.0, material.soft_share = 0.01;
  EXPECT_EQ(softened_share(material, -5.0), 1.0);
  EXPECT_EQ(softened_share(material, 20.0), 1.0);
  EXPECT_NEAR(softened_share(material, 30.0), 0.1, 1e-12);
  EXPECT_NEAR(softened_share(material, 90.0), 0.01, 1e-12);
  material.yield = 300.0, material.youngs_modulus = 1e5;
  EXPECT_NEAR(softened(material, 0.1).yield, 30.0, 1e-9);
  EXPECT_NEAR(softened(material, 0.1).youngs_modulus, 1e4, 1e-6);
}

/// m, by which a bar that hangs by its upper end is longer.
double hanging(double modulus, double share, double temperature) {
  SceneDesc scene;
  scene.solver.step->substeps = 20;
  scene.solver.motion->damping = 8.0;
  scene.heat->enabled = true;
  scene.heat->exchange = 0.0;
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::tets;
  bar.density = 1000.0;
  bar.tets->shape = TetShape::bar;
  bar.tets->cells = glm::dvec3(2, 6, 2), bar.tets->dimensions = glm::dvec3(0.2, 0.6, 0.2);
  bar.temperature = temperature;
  bar.material->youngs_modulus = modulus, bar.material->poisson_ratio = 0.0;
  bar.material->soft_from = 20.0, bar.material->soft_to = 60.0, bar.material->soft_share = share;
  scene.objects = {bar};
  Rig rig(scene);
  double top = -1e9, bottom = 1e9;
  const auto height = [&](std::size_t i) { return place_of(rig.world.particles, i).y; };
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i) top = std::max(top, height(i));
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    if (height(i) > top - 1e-3) fix_particle(rig.world, std::int32_t(i));
  rig.run(60);
  for (std::size_t i = 0; i < std::size_t(rig.world.particles.count); ++i)
    bottom = std::min(bottom, height(i));
  return top - bottom - 0.6;
}

/// A warm bar is the bar of the modulus that warmth leaves, to the last bit; a cold one is as it was.
TEST(Softening, AWarmBarSagsAsItsModulusSays) {
  const double cold = hanging(1e6, 0.1, 20.0), warm = hanging(1e6, 0.1, 60.0);
  std::printf("  cold %.5f m, warm %.5f m\n", cold, warm);
  EXPECT_GT(warm, 3.0 * cold);
  EXPECT_EQ(cold, hanging(1e6, 1.0, 20.0));
  EXPECT_NEAR(warm, hanging(1e6 * 0.1, 1.0, 60.0), sizeof(real) == 8 ? 1e-12 : 1e-6);
  EXPECT_NEAR(hanging(1e6, 0.01, 40.0), warm, 1e-6);
}

}}}}  // namespace limber::LIMBER_PRECISION::softening_test
