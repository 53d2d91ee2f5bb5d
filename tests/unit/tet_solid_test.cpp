// Closed meshes filled with tetrahedra: embedded and cut.
#include "engine/geometry/tets/tet_solid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/tets/tet_quality.hpp"
#include "tests/torus.hpp"

namespace limber::tet_solid_test {
namespace {

/// A ball, a box and a torus side by side: one has edges, one a hole.
TriMesh three_solids() {
  TriMesh all;
  const auto add = [&](TriMesh part, const glm::dvec3& offset) {
    const Index first = Index(all.positions.size());
    for (const glm::dvec3& x : part.positions) all.positions.push_back(x + offset);
    for (const Triangle& t : part.triangles)
      all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add(make_icosphere(3, 0.5), {-2, 0, 0});
  add(make_box({0.4, 0.3, 0.5}, 1), {0, 0, 0});
  add(make_torus(0.5, 0.2, 24, 12), {2, 0, 0});
  return all;
}

bool has_note(const TetSolid& solid, const std::string& text) {
  return solid.facts.find(text) != std::string::npos ||
         std::any_of(solid.notes.begin(), solid.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(TetSolid, AnEmbeddedMeshIsReproducedAndFollowsItsTetrahedra) {
  const TriMesh mesh = three_solids();
  const auto solid = fill_with_tets(mesh, {.cell = 0.15});
  ASSERT_TRUE(solid) << solid.error().text();
  ASSERT_TRUE(check_tet_mesh(solid->mesh));
  EXPECT_TRUE(has_note(*solid, "in 3 pieces"));
  EXPECT_NEAR(tet_quality(solid->mesh).smallest_dihedral, 60.0, 1e-9);
  EXPECT_NEAR(solid->enclosed, enclosed(mesh.triangles, mesh.positions).volume, 1e-12);
  EXPECT_GT(total_volume(solid->mesh), solid->enclosed);
  ASSERT_EQ(solid->carried.size(), mesh.positions.size());
  const auto affine = [](const glm::dvec3& x) {  // what tetrahedra carry exactly
    return glm::dvec3(1 + x.x + 0.3 * x.y, 2 - 0.5 * x.y + x.z, -1 + 0.7 * x.x + 2 * x.z);
  };
  std::vector<glm::dvec3> moved;
  for (const glm::dvec3& x : solid->mesh.positions) moved.push_back(affine(x));
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const EmbeddedPoint& point = solid->carried[v];
    EXPECT_LT(glm::distance(point.at<glm::dvec3>(solid->mesh.positions), mesh.positions[v]), 1e-12);
    EXPECT_LT(glm::distance(point.at<glm::dvec3>(moved), affine(mesh.positions[v])), 1e-12);
    for (const double weight : point.weights) ASSERT_GE(weight, -1e-12);
  }
}

TEST(TetSolid, TheLatticeCoversTheWholeSolid) {
  const TriMesh mesh = three_solids();
  const auto solid = fill_with_tets(mesh, {.cell = 0.2});
  ASSERT_TRUE(solid);
  const auto covered = [&](const glm::dvec3& p) {
    return std::any_of(solid->mesh.tets.begin(), solid->mesh.tets.end(), [&](const Tet& tet) {
      std::array<glm::dvec3, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) corners[k] = solid->mesh.positions[std::size_t(tet[k])];
      const std::array<double, 4> weights = barycentric(corners, p);
      return *std::min_element(weights.begin(), weights.end()) > -1e-9;
    });
  };
  for (int i = 1; i <= 60; ++i) {
    const glm::dvec3 in_box(0.4 * std::sin(i), 0.3 * std::sin(3.0 * i), 0.5 * std::sin(7.0 * i));
    ASSERT_TRUE(covered(in_box));
    ASSERT_TRUE(covered(glm::dvec3(-2, 0, 0) + 0.49 * glm::normalize(in_box)));
    glm::dvec3 on_triangle(0.0);
    for (const Index v : mesh.triangles[std::size_t(i) * 9])
      on_triangle += mesh.positions[std::size_t(v)] / 3.0;
    ASSERT_TRUE(covered(on_triangle));
  }
  EXPECT_FALSE(covered({2, 0, 0}));  // the hole of the torus
  EXPECT_FALSE(covered({-1, 0, 0}));
}

TEST(TetSolid, APlateThinnerThanACellIsCoveredWhereItIsNotCut) {
  const TriMesh plate = make_box({1.0, 0.01, 1.0}, 4);
  const auto solid = fill_with_tets(plate, {.cell = 0.25});
  ASSERT_TRUE(solid);
  EXPECT_EQ(tet_pieces(solid->mesh.tets).count, 1);
  const auto cut = fill_with_tets(plate, {.cell = 0.27, .cut = true});
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().text().find("thinner than a cell of 0.27 m (smaller cells, for instance 0.0"),
            std::string::npos)
      << cut.error().text();
}

TEST(TetSolid, ACutSolidHasNearlyTheVolumeAndGoodAngles) {
  const TriMesh mesh = three_solids();
  const auto solid = fill_with_tets(mesh, {.cell = 0.1, .cut = true});
  ASSERT_TRUE(solid) << solid.error().text();
  ASSERT_TRUE(check_tet_mesh(solid->mesh));
  const TetQuality quality = tet_quality(solid->mesh);
  EXPECT_GT(quality.smallest_dihedral, 10.0);
  EXPECT_LT(quality.largest_dihedral, 165.0);
  EXPECT_NEAR(quality.volume / solid->enclosed, 1.0, 0.03);
  EXPECT_TRUE(has_note(*solid, "dihedral angles"));
  EXPECT_TRUE(build_topology(solid->skin.triangles, Index(solid->skin.positions.size())));
  EXPECT_NEAR(enclosed(solid->skin.triangles, solid->skin.positions).volume, quality.volume, 1e-12);
}

TEST(TetSolid, NeighboursNearerThanACellAreToldToMoveTogether) {
  TriMesh mesh = make_box({0.5, 0.5, 0.5}, 1);
  const TriMesh other = mesh;
  for (const glm::dvec3& x : other.positions) mesh.positions.push_back(x + glm::dvec3(1.01, 0, 0));
  for (const Triangle& t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  const auto solid = fill_with_tets(mesh, {.cell = 0.3});
  ASSERT_TRUE(solid);
  EXPECT_TRUE(has_note(*solid, "2 closed surfaces share one piece"));
}

TEST(TetSolid, RefusesWithANumberThatHelps) {
  TriMesh open = make_box({0.5, 0.5, 0.5}, 1);
  open.triangles.pop_back();
  const auto refused = fill_with_tets(open, {.cell = 0.1});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("3 border edges"), std::string::npos) << refused.error().text();

  const TriMesh cube = make_box({0.5, 0.5, 0.5}, 1);
  const auto tiny = fill_with_tets(cube, {.cell = 0.001});
  ASSERT_FALSE(tiny);
  EXPECT_NE(tiny.error().text().find("500000 is the most (cells of 0.03"), std::string::npos)
      << tiny.error().text();
  const auto diagonal = [] {  // its box is large, itself it is thin
    TriMesh needle = make_box({10.0, 0.01, 0.01}, 1);
    for (glm::dvec3& x : needle.positions) x = {x.x, x.x + x.y, x.x + x.z};
    return needle;
  }();
  const auto sparse = fill_with_tets(diagonal, {.cell = 0.02});
  ASSERT_FALSE(sparse);
  EXPECT_NE(sparse.error().text().find("in the box of the mesh"), std::string::npos) << sparse.error().text();
}

TEST(TetSolid, AnInsideOutMeshIsTurned) {
  TriMesh mesh = make_icosphere(2, 0.5);
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const auto solid = fill_with_tets(mesh, {.cell = 0.2});
  ASSERT_TRUE(solid);
  EXPECT_GT(enclosed(solid->skin.triangles, solid->skin.positions).volume, 0.0);
}

}  // namespace
}  // namespace limber::tet_solid_test
