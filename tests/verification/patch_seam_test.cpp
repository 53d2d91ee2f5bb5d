// Cloth stretches at the borders of the parallel schedule's patches as it does inside them.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/coloring/patches.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/heat_map.hpp"
#include "tests/verification/rig.hpp"
#include "tests/verification/scenes_in_code.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace patch_seam_test { namespace {

constexpr int side = 64;  // four patches of 32 x 32

/// The heat map of strain of a cloth that hangs from its top edge.
std::vector<float> strain_of_hanging_cloth() {
  SceneDesc scene = test::square_cloth(side);
  scene.objects[0].pins = {std::string("top")};
  scene.solver.motion->damping = 0.99;
  scene.solver.step->substeps = 5;
  Rig rig(scene);
  rig.run(90);
  std::vector<float> strain(std::size_t(side) * side);
  const Topology& topology = *rig.world.topology;
  write_heat(rig.world, *topology.constraints, topology.schedule, HeatMap::strain, strain);
  return strain;
}

// One sweep per substep leaves errors that depend on the order within the substep. Errors of the rows beside
// the border of two patches must not be visible beside the strain of the load, which is linear in height. If
// all edges across the border were visited last, these rows would stand out by a third; a tenth is left,
// since the edges are not in the middle of the order.
TEST(PatchSeams, StretchLikeTheRestOfTheCloth) {
  ASSERT_EQ(patch_vertices(side * side), side * side / 4);
  const std::vector<float> strain = strain_of_hanging_cloth();
  const auto two_rows = [&](int row) {
    double sum = 0.0;
    for (int r = row; r < row + 2; ++r)
      for (int c = side / 8; c < 7 * side / 8; ++c) sum += strain[std::size_t(r * side + c)];
    return sum;
  };
  const double above = two_rows(23), below = two_rows(39);
  ASSERT_GT(below, 0.0);
  for (int row = 29; row <= 33; ++row) {
    const double expected = above + (below - above) * (row - 23) / 16.0;
    EXPECT_NEAR(two_rows(row) / expected, 1.0, 0.125) << "rows " << row << " and " << row + 1;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::patch_seam_test
