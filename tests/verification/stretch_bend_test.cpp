// Strain of each object, and figure 3 of Mueller et al. 2006: bending does not change the stretch.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/core/measures.hpp"
#include "engine/core/methods.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_reader.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/verify/measure.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace stretch_bend_test { namespace {

TEST(ObjectStrain, IsThatOfItsOwnSpringsOverAllCopies) {
  SceneDesc scene;
  scene.objects.resize(2);
  for (ObjectDesc& object : scene.objects) {
    object.type = ObjectType::points;
    object.points->list = {{{0.0, 0.0, 0.0}, 1.0}, {{2.0, 0.0, 0.0}, 1.0}, {{2.0, 3.0, 0.0}, 1.0}};
  }
  scene.objects[0].name = "pulled";
  scene.objects[0].points->springs = {{{0, 1}, 1.0}, {{1, 2}, 3.0}};  // strains 1 and 0
  scene.objects[0].copies = {2.0, 1.0, 1.0};
  scene.objects[1].name = "pushed";
  scene.objects[1].points->springs = {{{0, 1}, 4.0}};  // 1/2
  const Expected<BuiltWorld> built = build_world(scene);
  ASSERT_TRUE(built);
  const Measures measures = measure(built->world);
  ASSERT_EQ(measures.object_strain.size(), 2u);
  EXPECT_DOUBLE_EQ(measures.object_strain[0].mean, 0.5);
  EXPECT_DOUBLE_EQ(measures.object_strain[0].max, 1.0);
  EXPECT_DOUBLE_EQ(measures.object_strain[1].mean, 0.5);
  EXPECT_DOUBLE_EQ(measures.object_strain[1].max, 0.5);
  EXPECT_DOUBLE_EQ(measures.strain.mean, (2 * 1.0 + 2 * 0.0 + 0.5) / 5);
}

TEST(StretchBendGrid, BendingChangesTheStrainOfNoColumnByFivePerCent) {
  const Expected<SceneDesc> scene = read_scene(test::source("scenes/stretch_bend_grid.json"), "");
  ASSERT_TRUE(scene);
  Rig rig(*scene);
  rig.run(180);  // the columns have stopped sinking
  const std::vector<MeanMax> strain = measure(rig.world).object_strain;
  ASSERT_EQ(strain.size(), 6u);  // a row with bending, a row without
  for (std::size_t column = 0; column < 3; ++column) {
    const double bent = strain[column].mean, free = strain[column + 3].mean;
    EXPECT_NEAR(bent / free, 1.0, 0.05) << "column " << column;
    if (column > 0) {
      EXPECT_GT(free, 10 * strain[column + 2].mean) << "k_stretch makes no difference";
    }
  }
}

/// Stiff hinges of a sheet that stretches come to rest, however often they are solved.
TEST(StiffHinges, OfASoftSheetRestWithAnyNumberOfSubsteps) {
  for (const SolverMethod method : {SolverMethod::xpbd, SolverMethod::pbd})
    for (const int substeps : {5, 20}) {
      SceneDesc scene;
      scene.solver.method->kind = method;
      scene.solver.step->substeps = substeps, scene.solver.step->iterations = 20;
      scene.solver.motion->damping = 0.9;
      ObjectDesc cloth;
      cloth.name = "cloth";
      cloth.cloth->columns = cloth.cloth->rows = 13, cloth.cloth->upright = true;
      cloth.pins = {std::string("top")};
      cloth.material->stretch_compliance = 0.1, cloth.material->bend_compliance = 0.0;
      cloth.material->stretch_stiffness = 0.01, cloth.material->bend_stiffness = 1.0;
      cloth.velocity = {0.0, 0.0, 0.4};
      scene.objects.push_back(cloth);
      Rig rig(scene);
      rig.run(60);
      EXPECT_LT(measure(rig.world).max_speed, method == SolverMethod::pbd ? 2.0 : 0.9)
          << traits(method).name << ", " << substeps;
    }
}

}}}}  // namespace limber::LIMBER_PRECISION::stretch_bend_test
