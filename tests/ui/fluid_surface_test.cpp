// Surfaces of fluids, as a mesh and in exported files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/record/fluid_surface.hpp"
#include "app/record/scene_export.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "tests/closed_mesh.hpp"
#include "tests/ui/export_reader.hpp"

namespace limber::fluid_surface_test { namespace {

using test::Export;
using test::has_two_sides;
using test::is_closed;
using test::read_npz;
using test::usd_sample;
using test::value_at;

/// A block, a sheet of one layer, drops that do not touch, and particles as a random number generator has
/// them.
TEST(FluidSurface, IsClosedAndHoldsTheVolumeOfItsParticles) {
  const double r = 0.02;
  std::uint64_t state = 1;
  const auto random = [&] {
    return double((state = state * 6364136223846793005u + 1442695040888963407u) >> 11) / 9007199254740992.0;
  };
  std::vector<std::vector<glm::dvec3>> clouds(4);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 12; ++k) {
        const glm::dvec3 x(i, j + 0.2 * random(), k + 0.2 * random());
        clouds[0].push_back(2.0 * r * x);
        if (j == 0) clouds[1].push_back(2.0 * r * x);
        if (i % 4 == 0 && j % 4 == 0 && k % 4 == 0) clouds[2].push_back(2.0 * r * x + 100.0);
        clouds[3].push_back(0.7 * glm::dvec3(random(), random(), random()));
      }
  for (const auto& cloud : clouds) {
    const TriMesh mesh = fluid_surface(cloud, r);
    EXPECT_GT(mesh.triangles.size(), 8u);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_TRUE(has_two_sides(mesh));
    EXPECT_NEAR(enclosed_volume(mesh) / (8.0 * r * r * r * double(cloud.size())), 1.0, 0.01);
  }
  EXPECT_TRUE(fluid_surface({}, r).triangles.empty());
}

/// Nothing of a flat pool's surface is far from where the outermost particles end.
TEST(FluidSurface, OfABlockIsFlat) {
  std::vector<glm::dvec3> block;
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 20; ++k) block.push_back(2.0 * glm::dvec3(i, j, k));
  double low = 1e9, high = -1e9;
  for (const glm::dvec3& x : fluid_surface(block, 1.0).positions)
    if (std::abs(x.x - 19.0) < 12.0 && std::abs(x.z - 19.0) < 12.0 && x.y > 19.0)
      low = std::min(low, x.y), high = std::max(high, x.y);
  EXPECT_GT(low, 38.8);
  EXPECT_LT(high, 39.4);
}

TEST_F(Export, FluidsAreClosedMeshesOnRequest) {
  SceneDesc scene;
  scene.solver.contact->particle_radius = 0.05;
  ObjectDesc pool;
  pool.name = "pool";
  pool.type = ObjectType::fluid;
  scene.objects = {pool};
  auto simulation = make_simulation(scene, {Precision::f32, Simd::scalar, 1});
  ASSERT_TRUE(simulation) << simulation.error().text();
  for (const char* name : {"out.usda", "out.npz", "out/"}) {
    auto out = SceneExport::create({.path = path(name), .surfaces = true});
    ASSERT_TRUE(out);
    for (int k = 0; k < 2; ++k) {
      (*simulation)->step();
      ASSERT_TRUE(out->add(**simulation));
    }
    ASSERT_TRUE(out->finish());
  }
  const std::string text = bytes("out.usda");
  EXPECT_FALSE(usd_sample(text, "pool_surface", "int[] faceVertexIndices", 2).empty());
  EXPECT_NE(text.find("def Points \"pool\""), std::string::npos);
  const auto arrays = read_npz(bytes("out.npz"));
  const std::string& faces = arrays.at("pool_surface/faces.npy").data;
  const std::string& points = arrays.at("pool_surface/positions.npy").data;
  TriMesh mesh;
  for (std::size_t k = 0; k < faces.size() / 12; ++k)
    mesh.triangles.push_back(value_at<Triangle>(faces, 12 * k));
  for (std::size_t k = 0; k < points.size() / 48; ++k)
    mesh.positions.push_back(value_at<glm::dvec3>(points, 24 * k));
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(
      enclosed_volume(mesh) / (8.0 * 0.05 * 0.05 * 0.05 * double((*simulation)->model()->vertex_count)), 1.0,
      0.01);
  EXPECT_NE(bytes("out/frame_0002.obj").find("g pool_surface\nf "), std::string::npos);
}

}}  // namespace limber::fluid_surface_test
