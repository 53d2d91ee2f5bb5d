// Tetrahedral meshes: volumes, faces, generated bars and balls, the lattice and its cuts.
#include "engine/geometry/tets/tet_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <numeric>

#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/tets/bcc_lattice.hpp"
#include "engine/geometry/tets/tet_cut.hpp"
#include "engine/geometry/tets/tet_quality.hpp"
#include "engine/geometry/tets/tet_repair.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"

namespace limber::tet_mesh_test {
namespace {

constexpr double pi = std::numbers::pi;

/// V - E + F - T of a mesh whose vertices are all used; 1 for anything without holes.
long euler(const TetMesh& mesh) {
  const std::vector<TetFace> faces = sorted_tet_faces(mesh.tets);
  long distinct = 0;
  for (std::size_t f = 0; f < faces.size(); ++f) distinct += f == 0 || faces[f].key != faces[f - 1].key;
  return long(mesh.positions.size()) - long(tet_edges(mesh.tets).size()) + distinct - long(mesh.tets.size());
}

/// The volume inside the boundary, which is checked to be a closed surface wound outwards.
double volume_inside(const TetMesh& mesh) {
  const TetSurface surface = tet_surface(mesh);
  const auto topology = build_topology(surface.triangles, Index(surface.vertices.size()));
  EXPECT_TRUE(topology) << topology.error().text();
  if (!topology) return 0.0;
  EXPECT_EQ(topology->boundary_edges, 0);
  const TriMesh skin = surface_mesh(mesh, surface);
  return enclosed(skin.triangles, skin.positions).volume;
}

/// All that holds for any mesh without holes.
void expect_sound(const TetMesh& mesh) {
  const auto sound = check_tet_mesh(mesh);
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_EQ(euler(mesh), 1);
  const double volume = total_volume(mesh);
  EXPECT_NEAR(volume_inside(mesh), volume, 1e-12 * volume);
  const std::vector<double> masses = tet_vertex_masses(mesh, 250.0);
  EXPECT_NEAR(std::accumulate(masses.begin(), masses.end(), 0.0), 250.0 * volume, 250.0 * 1e-11 * volume);
  for (const double mass : masses) EXPECT_GT(mass, 0.0);
}

TetMesh one_tet() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}; }

TEST(TetMesh, OneTetrahedron) {
  TetMesh mesh = one_tet();
  expect_sound(mesh);
  EXPECT_DOUBLE_EQ(total_volume(mesh), 1.0 / 6.0);
  EXPECT_EQ(tet_edges(mesh.tets).size(), 6u);
  const TetQuality quality = tet_quality(mesh);
  EXPECT_NEAR(quality.smallest_dihedral, std::atan(std::sqrt(2.0)) * 180.0 / pi, 1e-12);
  EXPECT_NEAR(quality.largest_dihedral, 90.0, 1e-12);
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_LT(tet_volume(mesh.positions, mesh.tets[0]), 0.0);
  EXPECT_EQ(turn_inverted_tets(mesh), 1);
  expect_sound(mesh);
}

TEST(TetMesh, ARegularTetrahedronIsTheMeasureOfShape) {
  const TetMesh mesh{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 3, 2}}};
  const TetQuality quality = tet_quality(mesh);
  EXPECT_NEAR(quality.worst_shape, 1.0, 1e-12);
  EXPECT_NEAR(quality.smallest_dihedral, std::acos(1.0 / 3.0) * 180.0 / pi, 1e-12);
  EXPECT_NEAR(quality.largest_dihedral, quality.smallest_dihedral, 1e-12);
}

TEST(TetMesh, RefusesWhatCannotBeSimulated) {
  const auto message = [](const TetMesh& mesh) {
    const auto sound = check_tet_mesh(mesh);
    return sound ? "sound" : sound.error().text();
  };
  TetMesh mesh = one_tet();
  mesh.tets[0] = {0, 1, 2, 4};
  EXPECT_NE(message(mesh).find("vertex 4, which does not exist"), std::string::npos) << message(mesh);
  mesh.tets[0] = {0, 1, 2, 2};
  EXPECT_NE(message(mesh).find("vertex 2 twice"), std::string::npos) << message(mesh);
  mesh.tets[0] = {0, 2, 1, 3};
  EXPECT_NE(message(mesh).find("inside out"), std::string::npos) << message(mesh);
  mesh = one_tet();
  mesh.positions[3] = {1, 1, 1e-12};
  EXPECT_NE(message(mesh).find("flat"), std::string::npos) << message(mesh);
  mesh = one_tet();
  mesh.positions.push_back({0.2, 0.2, 2.0});
  mesh.tets.push_back({0, 1, 2, 4});
  EXPECT_NE(message(mesh).find("overlap"), std::string::npos) << message(mesh);
  mesh.positions.push_back({0, 0, -1});
  mesh.tets[1] = {0, 2, 1, 5};
  EXPECT_EQ(message(mesh), "sound");
  EXPECT_EQ(message({}), "the mesh has no tetrahedra");
}

TEST(TetMesh, BarsFillTheirBox) {
  const glm::ivec3 cells(5, 2, 3);
  const glm::dvec3 size(2.0, 0.5, 0.9);
  for (const TetSplit split : {TetSplit::five, TetSplit::six}) {
    const TetMesh bar = make_tet_bar(cells, size, split);
    expect_sound(bar);
    EXPECT_EQ(bar.tets.size(), std::size_t(30 * (split == TetSplit::five ? 5 : 6)));
    EXPECT_NEAR(total_volume(bar), 0.9, 1e-14);
    EXPECT_EQ(tet_surface(bar).triangles.size(), 2u * 2u * (5 * 2 + 5 * 3 + 2 * 3));
    EXPECT_EQ(bar.positions[std::size_t(bar_vertex(cells, 5, 0, 3))], glm::dvec3(1.0, -0.25, 0.45));
  }
  const auto of_cubes = [](TetSplit split) { return tet_quality(make_tet_bar({2, 2, 2}, {1, 1, 1}, split)); };
  EXPECT_NEAR(of_cubes(TetSplit::five).smallest_dihedral, 54.7356, 1e-4);
  EXPECT_NEAR(of_cubes(TetSplit::six).smallest_dihedral, 45.0, 1e-9);
}

TEST(TetMesh, SidesOfABarHaveNames) {
  const glm::ivec3 cells(3, 2, 1);
  const TetMesh bar = make_tet_bar(cells, {3, 2, 1});
  const auto right = bar_vertices("right", cells), all = bar_vertices("all", cells);
  ASSERT_TRUE(right && all);
  EXPECT_EQ(right->size(), 6u);
  for (const Index v : *right) EXPECT_DOUBLE_EQ(bar.positions[std::size_t(v)].x, 1.5);
  EXPECT_EQ(all->size(), bar.positions.size());
  EXPECT_FALSE(bar_vertices("rigth", cells));
}

TEST(TetMesh, BallsAreWellShapedAndNearlyRound) {
  double missing = 0.0;
  for (const int layers : {1, 3, 6}) {
    const TetMesh ball = make_tet_ball(0.5, layers);
    expect_sound(ball);
    EXPECT_EQ(ball.tets.size(), std::size_t(20 * layers * layers * layers));
    for (const Index v : tet_surface(ball).vertices)
      EXPECT_NEAR(glm::length(ball.positions[std::size_t(v)]), 0.5, 1e-14);
    const double lost = 1.0 - total_volume(ball) / (4.0 / 3.0 * pi * 0.125);
    if (layers == 6) {  // an inscribed surface: with the square
      EXPECT_NEAR(lost / missing, 0.25, 0.02);
    }
    missing = lost;
  }
  EXPECT_LT(missing, 0.016);
  const TetQuality quality = tet_quality(make_tet_ball(1.0, 8));
  EXPECT_GT(quality.smallest_dihedral, 38.0);
  EXPECT_LT(quality.largest_dihedral, 120.0);
}

TEST(TetMesh, TheLatticeHasAnglesOf60And90Degrees) {
  const BccLattice lattice = lattice_around(glm::dvec3(0.0), glm::dvec3(0.9, 0.5, 0.7), 0.3);
  const TetMesh whole = cut_lattice(lattice, [](const glm::dvec3&) { return -1.0; });
  expect_sound(whole);
  const TetQuality quality = tet_quality(whole);
  EXPECT_NEAR(quality.smallest_dihedral, 60.0, 1e-9);
  EXPECT_NEAR(quality.largest_dihedral, 90.0, 1e-9);
  for (const double volume : tet_volumes(whole)) EXPECT_NEAR(volume, 0.027 / 12.0, 1e-15);
}

TEST(TetMesh, EveryPointOfTheLatticeIsInTheTetrahedronThatIsNamed) {
  const BccLattice lattice = lattice_around(glm::dvec3(-1.0), glm::dvec3(1.0), 0.4);
  for (int i = 0; i < 2000; ++i) {
    const auto fraction = [&](double step) { return 2.0 * (i * step - std::floor(i * step)) - 1.0; };
    const glm::dvec3 p(fraction(0.754877666), fraction(0.569840291), fraction(0.327543890));
    const BccLattice::Number tet = lattice.tet_at(p);
    ASSERT_TRUE(lattice.exists(tet));
    TetMesh one;
    for (const BccLattice::Number v : lattice.tet(tet)) one.positions.push_back(lattice.position(v));
    const double whole = tet_volume(one.positions, {0, 1, 2, 3});
    ASSERT_GT(whole, 0.0);
    for (std::size_t k = 0; k < 4; ++k) {  // p in place of each corner
      TetMesh part = one;
      part.positions[k] = p;
      ASSERT_GT(tet_volume(part.positions, {0, 1, 2, 3}), -1e-12 * whole);
    }
  }
}

TEST(TetMesh, ACutLatticeFollowsTheSurface) {
  double missing = 0.0;
  for (const double cell : {0.4, 0.2, 0.1}) {
    const TetMesh ball = cut_lattice(lattice_around(glm::dvec3(-1.0), glm::dvec3(1.0), cell),
                                     [](const glm::dvec3& p) { return glm::length(p) - 1.0; });
    expect_sound(ball);
    for (const Index v : tet_surface(ball).vertices)
      ASSERT_NEAR(glm::length(ball.positions[std::size_t(v)]), 1.0, 1e-9);
    const TetQuality quality = tet_quality(ball);
    EXPECT_GT(quality.smallest_dihedral, 15.0);
    EXPECT_LT(quality.largest_dihedral, 150.0);
    const double lost = 1.0 - quality.volume / (4.0 / 3.0 * pi);
    if (missing > 0.0) {
      EXPECT_LT(lost, 0.4 * missing);
    }
    missing = lost;
  }
  EXPECT_LT(missing, 0.003);
}

TEST(TetMesh, ACutThroughANoisySurfaceIsStillASurface) {
  const auto bumpy = [](const glm::dvec3& p) {
    return glm::length(p) - 0.7 +
           0.15 * std::sin(17.0 * p.x) * std::sin(13.0 * p.y + 1.0) * std::sin(19.0 * p.z);
  };
  TetMesh mesh = cut_lattice(lattice_around(glm::dvec3(-1.0), glm::dvec3(1.0), 0.17), bumpy);
  make_manifold(mesh);
  const auto sound = check_tet_mesh(mesh);
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_NEAR(volume_inside(mesh), total_volume(mesh), 1e-12);
  EXPECT_GT(tet_quality(mesh).smallest_dihedral, 10.0);
}

TEST(TetMesh, PartsThatShareAVertexOrAnEdgeAreParted) {
  TetMesh mesh = one_tet();  // a second one at its vertex 0
  for (const glm::dvec3& x : {glm::dvec3(-1, 0, 0), glm::dvec3(0, -1, 0), glm::dvec3(0, 0, -1)})
    mesh.positions.push_back(x);
  mesh.tets.push_back({0, 5, 4, 6});
  EXPECT_EQ(tet_pieces(mesh.tets).count, 2);
  EXPECT_EQ(make_manifold(mesh).split_vertices, 1);
  EXPECT_EQ(mesh.positions.size(), 8u);
  EXPECT_NEAR(volume_inside(mesh), 2.0 / 6.0, 1e-15);
  EXPECT_EQ(drop_small_pieces(mesh, 0.6), 2);

  mesh = one_tet();  // one at its edge 0-1, connected by nothing else
  mesh.positions.push_back({0, -1, 0}), mesh.positions.push_back({0, 0, -1});
  mesh.tets.push_back({0, 1, 4, 5});
  EXPECT_EQ(make_manifold(mesh).split_vertices, 2);
  EXPECT_NEAR(volume_inside(mesh), 2.0 / 6.0, 1e-15);
}

/// Vertices that lie in the place of another one.
int shared_places(const TetMesh& mesh) {
  int shared = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    for (std::size_t w = 0; w < v; ++w) shared += mesh.positions[v] == mesh.positions[w];
  return shared;
}

TEST(TetMesh, PartsThatTouchAreDrawnApart) {
  // a lattice in which balls on threads thinner than a cell are left: they touch in single vertices
  const auto threads = [](const glm::dvec3& p) {
    return glm::length(p) - 0.6 +
           0.5 * std::sin(17.0 * p.x) * std::sin(13.0 * p.y + 1.0) * std::sin(19.0 * p.z);
  };
  TetMesh mesh = cut_lattice(lattice_around(glm::dvec3(-1.0), glm::dvec3(1.0), 0.17), threads);
  EXPECT_GT(make_manifold(mesh).split_vertices, 0);
  const double volume = total_volume(mesh);
  const int shared = shared_places(mesh);
  ASSERT_GT(shared, 0);
  EXPECT_GE(part_touching_vertices(mesh, 0.02 * 0.17), shared);
  EXPECT_EQ(shared_places(mesh), 0);
  const auto sound = check_tet_mesh(mesh);
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_NEAR(total_volume(mesh), volume, 0.02 * volume);
}

TEST(TetMesh, AnEdgeOfFourTrianglesLosesASide) {
  // two whole layers of four cells, between them only two cells across from each other
  TetMesh mesh = make_tet_bar({2, 2, 3}, {2, 2, 3});
  std::erase_if(mesh.tets, [&](const Tet& tet) {
    glm::dvec3 middle(0.0);
    for (const Index v : tet) middle += 0.25 * mesh.positions[std::size_t(v)];
    return std::abs(middle.z) < 0.5 && middle.x * middle.y < 0.0;
  });
  const TetSurface surface = tet_surface(mesh);
  EXPECT_FALSE(build_topology(surface.triangles, Index(surface.vertices.size())));
  const ManifoldRepair repair = make_manifold(mesh);
  EXPECT_GT(repair.dropped_tets, 0);
  EXPECT_LE(repair.dropped_tets, 5);  // a cell
  EXPECT_NEAR(volume_inside(mesh), total_volume(mesh), 1e-12);
  EXPECT_TRUE(check_tet_mesh(mesh));
}

}  // namespace
}  // namespace limber::tet_mesh_test
