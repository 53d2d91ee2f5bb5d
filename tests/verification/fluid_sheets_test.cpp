// Sheets of triangles as walls of fluids: which triangles count, and the fluid density in front of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <vector>

#include "engine/contact/sheet_share.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/colliders/basin.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/verify/fluid_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/same_bits.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace fluid_sheets_test { namespace {

/// Views from q of a square of n x n cells of a metre from the origin along the axes u and v.
void add_square(std::vector<SheetView>& seen, const vec3& q, int n, const vec3& u, const vec3& v) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const vec3 at = real(i) * u + real(j) * v;
      const vec3 lower[3] = {at, at + u, at + v}, upper[3] = {at + u, at + u + v, at + v};
      const std::int32_t number = std::int32_t(seen.size());
      seen.push_back(view_of_triangle(number, q, lower));
      seen.push_back(view_of_triangle(number + 1, q, upper));
    }
}

TEST(SheetWalls, AFlatSheetIsOne) {
  const vec3 x(1, 0, 0), z(0, 0, 1);
  for (const real height : {real(0.3), real(1.2)}) {
    std::vector<SheetView> seen;
    add_square(seen, {real(2.3), height, real(2.4)}, 5, x, z);
    const SheetWalls walls(seen);
    ASSERT_EQ(walls.all().size(), 1u) << height;
    EXPECT_NEAR(walls.all()[0].distance, height, 1e-6);
    EXPECT_NEAR(walls.all()[0].normal.y, real(1), 1e-6);
  }
}

TEST(SheetWalls, SidesOfAFoldAndOfAGapAreTwo) {
  const vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), q(real(0.7), real(0.4), real(1.5));
  std::vector<SheetView> fold;
  add_square(fold, q, 3, x, z), add_square(fold, q, 3, y, z);
  const SheetWalls folded(fold);
  ASSERT_EQ(folded.all().size(), 2u);
  EXPECT_NEAR(folded.all()[1].normal.x, real(1), 1e-6);
  std::vector<SheetView> gap;
  add_square(gap, q, 3, x, z), add_square(gap, q - y, 3, x, z);
  const SheetWalls apart(gap);
  ASSERT_EQ(apart.all().size(), 2u);
  EXPECT_NEAR(apart.all()[1].normal.y, real(-1), 1e-6);
}

TEST(SheetWalls, BesideAnEdgeThereIsOne) {
  const vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), q(real(0.3), real(0.4), real(1.5));
  std::vector<SheetView> edge;  // of a solid below and behind
  add_square(edge, q, 3, x, z), add_square(edge, q, 3, -y, z);
  const SheetWalls walls(edge);
  EXPECT_EQ(walls.all().size(), 1u);
}

constexpr double radius = 0.03, deep = 8.0 * radius, wide = 12.0 * radius;

struct Layer {
  double error = 0.0;   ///< mean of |density - 1| of the particles on the floor
  double height = 0.0;  ///< m, mean over the fluid
};

/// Water at rest in a basin on the layer that `lay` puts on the ground. The surface of the layer is at y =
/// `floor`, and water keeps a distance `thickness` from it.
Layer water_on(double floor, double thickness, const std::function<void(SceneDesc&)>& lay) {
  SceneDesc scene = basin(radius, {-0.5 * wide, floor + thickness, -0.5 * wide}, {wide, deep, wide}, wide);
  scene.solver.motion->damping = 0.6;
  scene.objects[0].jitter = 0.2 * radius;
  lay(scene);
  Rig rig(scene);
  rig.run(60);
  const ParticleRange water = rig.world.topology->objects.front();
  Layer mean;
  int count = 0;
  for (int f = 0; f < 20; ++f) {
    rig.run(1);
    const std::vector<double> density = fluid_densities(rig.world);
    for (std::int32_t i = water.first; i < water.end(); ++i) {
      const double above = double(rig.world.particles.position[std::size_t(i)].y) - floor - thickness;
      mean.height += above / double(20 * (water.end() - water.first));
      if (above > 1.6 * radius) continue;
      mean.error += std::abs(density[std::size_t(i)] - 1.0), ++count;
    }
  }
  mean.error /= std::max(count, 1);
  return mean;
}

/// The floor of a basin is a plane, a sheet of cloth that is held, or a block of jelly.
TEST(FluidSheets, TheLayerOnASheetIsAsDenseAsOnACollider) {
  const Layer ground = water_on(0.0, 0.0, [](SceneDesc&) {});
  const auto lower_ground = [](SceneDesc& scene) { scene.colliders[0].pose.position.y = -1.0; };
  constexpr double thickness = 0.005;
  const Layer cloth = water_on(0.0, thickness, [&](SceneDesc& scene) {
    lower_ground(scene);
    ObjectDesc sheet;
    sheet.name = "sheet";
    sheet.cloth->columns = sheet.cloth->rows = 12;
    sheet.cloth->width = sheet.cloth->height = 1.3 * wide;
    sheet.cloth->upright = false;
    sheet.material->thickness = thickness;
    sheet.material->friction = 0.0;
    sheet.pins = {std::string("all")};
    scene.objects.push_back(sheet);
  });
  const Layer jelly = water_on(0.0, thickness, [&](SceneDesc& scene) {
    lower_ground(scene);
    scene.colliders[0].pose.position.y = -4.0 * radius - thickness;
    ObjectDesc block;
    block.name = "jelly";
    block.type = ObjectType::tets;
    block.tets->shape = TetShape::block;
    block.tets->dimensions = {wide - 2.0 * thickness, 4.0 * radius, wide - 2.0 * thickness};
    block.tets->resolution = 8;
    block.pose.position = {0.0, -2.0 * radius, 0.0};
    block.material->youngs_modulus = 1e6;
    block.material->thickness = thickness;
    block.material->friction = 0.0;
    scene.objects.push_back(block);
  });
  std::printf("          error %.4f on a plane, %.4f on cloth, %.4f on jelly; height %.4f, %.4f, %.4f m\n",
              ground.error, cloth.error, jelly.error, ground.height, cloth.height, jelly.height);
  EXPECT_LT(cloth.error, 1.5 * ground.error);
  EXPECT_LT(jelly.error, 2.0 * ground.error);
  EXPECT_NEAR(cloth.height, ground.height, 0.02 * ground.height);
  EXPECT_NEAR(jelly.height, ground.height, 0.03 * ground.height);
}

/// A corner that was flung away spans a triangle over more cells than there are particles; one that is no
/// number spans none. Neither may take longer to measure than a look at every particle.
TEST(FluidSheets, AreMeasuredHoweverFarACornerIs) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.02;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 8;
  cloth.cloth->width = cloth.cloth->height = 0.6;
  cloth.cloth->upright = false;
  scene.objects = {cloth, water_block({0.24, 0.12, 0.24}, {0, 0.1, 0})};
  Rig rig(scene);
  const auto densities_with = [&](real away) {
    vec4& corner = rig.x(0);  // of a cloth about the origin
    corner += away * vec4(corner.x, corner.x, corner.z, 0);
    return fluid_densities(rig.world);
  };
  const std::vector<double> near = densities_with(0), far = densities_with(real(1e8));
  for (std::size_t i = 0; i < near.size(); ++i) EXPECT_NEAR(far[i], near[i], 1e-5) << i;
  for (const double density : densities_with(std::numeric_limits<real>::quiet_NaN()))
    EXPECT_TRUE(std::isfinite(density));
}

/// Water in a cloth that hangs by its corners: threads see its triangles in different orders.
TEST(FluidSheets, AreTheSameOnAnyNumberOfThreads) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.02;
  scene.solver.step->substeps = 8;
  scene.solver.step->iterations = 2;
  ObjectDesc cloth;
  cloth.name = "cloth";
  cloth.cloth->columns = cloth.cloth->rows = 28;
  cloth.cloth->width = cloth.cloth->height = 0.6;
  cloth.cloth->upright = false;
  cloth.material->density = 4.0;
  cloth.material->thickness = 0.01;
  cloth.pins = {std::string("top_left"), std::string("top_right"), std::string("bottom_left"),
                std::string("bottom_right")};
  scene.objects = {cloth, water_block({0.24, 0.12, 0.24}, {0, 0.1, 0})};
  std::vector<vec4> first;
  for (const int threads : test::thread_counts()) {
    Rig rig(scene, threads);
    rig.run(20);
    const std::vector<vec4> now(rig.world.particles.position.begin(), rig.world.particles.position.end());
    if (first.empty()) first = now;
    EXPECT_TRUE(now == first) << threads;
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::fluid_sheets_test
