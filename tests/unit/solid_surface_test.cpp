#include "engine/geometry/mesh/solid_surface.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/geometry/mesh/mass_properties.hpp"
#include "engine/geometry/mesh/thicken.hpp"

namespace limber::solid_surface_test {
namespace {

void expect_closed(const TriMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t j = 0; j < 3; ++j) ++edges[{t[j], t[(j + 1) % 3]}];
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);  // and once the other way round
  }
}

TEST(SolidSurface, IsClosedWoundOutwardsAndHoldsTheVolumeOfTheSolid) {
  // an n-gon inscribed in a circle has sin(a) / a of its area, a = 2 pi / n; a cap loses as much once more
  constexpr double least = 0.98;
  for (const ConvexKind kind :
       {ConvexKind::sphere, ConvexKind::capsule, ConvexKind::box, ConvexKind::cylinder}) {
    const glm::dvec3 size(0.3, 0.5, 0.2);
    const TriMesh mesh = solid_surface(kind, size, nullptr);
    expect_closed(mesh);
    const double share = mesh_mass_properties(mesh).volume / solid_mass_properties(kind, size).volume;
    EXPECT_GT(share, least) << int(kind);
    EXPECT_LE(share, 1.0 + 1e-12) << int(kind);
  }
}

TEST(Thicken, AFlatSheetBecomesAPlate) {
  TriMesh square;
  square.positions = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {2.0, 3.0, 0.0}, {0.0, 3.0, 0.0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  const TriMesh plate = thickened(square, 0.1);
  expect_closed(plate);
  EXPECT_NEAR(mesh_mass_properties(plate).volume, 2.0 * 3.0 * 0.1, 1e-12);  // positive: wound outwards
}

}  // namespace
}  // namespace limber::solid_surface_test
