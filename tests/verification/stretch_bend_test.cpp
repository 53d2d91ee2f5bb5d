// Strain of each object, and figure 3 of the 2006 paper: bending leaves the stretch alone.
#include <gtest/gtest.h>

#include "engine/scene/scene_reader.hpp"
#include "engine/scene/world_builder.hpp"
#include "engine/solver/position_solver.hpp"
#include "engine/verify/measure.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

#if LIMBER_DOUBLE
const KernelTable<real>& kernels() { return *kernels_double(); }
#else
const KernelTable<real>& kernels() { return *kernels_scalar(); }
#endif

TEST(ObjectStrain, IsThatOfItsOwnSpringsOverAllCopies) {
  SceneDesc scene;
  scene.objects.resize(2);
  for (ObjectDesc& object : scene.objects) {
    object.type = ObjectType::points;
    object.points = {{{0.0, 0.0, 0.0}, 1.0}, {{2.0, 0.0, 0.0}, 1.0}, {{2.0, 3.0, 0.0}, 1.0}};
  }
  scene.objects[0].name = "pulled";
  scene.objects[0].springs = {{{0, 1}, 1.0}, {{1, 2}, 3.0}};  // strains 1 and 0
  scene.objects[0].copies = {2.0, 1.0, 1.0};
  scene.objects[1].name = "pushed";
  scene.objects[1].springs = {{{0, 1}, 4.0}};  // 1/2
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
  const Expected<SceneDesc> scene = read_scene(LIMBER_SOURCE_DIR "/scenes/stretch_bend_grid.json", "");
  ASSERT_TRUE(scene);
  Expected<BuiltWorld> built = build_world(*scene);
  ASSERT_TRUE(built);
  Pool pool(1);
  PositionSolver solver(pool, kernels());
  solver.prepare(built->world);
  constexpr int frames = 180;  // the columns have stopped sinking
  for (int f = 0; f < frames; ++f) solver.step(built->world, scene->solver.dt);
  const std::vector<MeanMax> strain = measure(built->world).object_strain;
  ASSERT_EQ(strain.size(), 6u);  // a row with bending, a row without
  for (std::size_t column = 0; column < 3; ++column) {
    const double bent = strain[column].mean, free = strain[column + 3].mean;
    EXPECT_NEAR(bent / free, 1.0, 0.05) << "column " << column;
    if (column > 0) {
      EXPECT_GT(free, 10 * strain[column + 2].mean) << "k_stretch makes no difference";
    }
  }
}

}  // namespace
}  // namespace limber::inline LIMBER_PRECISION
