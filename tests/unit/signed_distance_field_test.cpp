// Distance fields against exact shapes, and their cache.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <numbers>

#include "engine/geometry/field/field_cache.hpp"
#include "engine/geometry/field/signed_distance_field.hpp"
#include "engine/geometry/files/obj_reader.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "engine/geometry/queries/triangle_tree.hpp"
#include "engine/parallel/random.hpp"
#include "tests/source_folder.hpp"
#include "tests/torus.hpp"

namespace limber::signed_distance_field_test {
namespace {

namespace fs = std::filesystem;

SignedDistanceField field_of(const TriMesh& mesh, int resolution, int threads = 2) {
  Pool pool(threads);
  auto field = build_distance_field(mesh, resolution, pool);
  EXPECT_TRUE(bool(field)) << (field ? "" : field.error().message);
  return field ? *field : SignedDistanceField{};
}

glm::dvec3 random_point(std::uint64_t i, double reach) {
  return reach *
         glm::dvec3(random_signed(7, 3 * i), random_signed(7, 3 * i + 1), random_signed(7, 3 * i + 2));
}

/// The winding number without a tree: the sum of all solid angles.
double plain_winding(const TriMesh& mesh, const glm::dvec3& p) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const glm::dvec3 a = mesh.positions[std::size_t(t[0])] - p, b = mesh.positions[std::size_t(t[1])] - p,
                     c = mesh.positions[std::size_t(t[2])] - p;
    const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
    sum += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)),
                            la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb);
  }
  return sum / (4.0 * std::numbers::pi);
}

/// Within two cells of the surface: trilinear interpolation errs by cell^2/8 times the sum of the second
/// derivatives along the axes, at most 3 times the largest curvature `k` there; `mesh_error` is how far the
/// mesh is off the shape.
template <class Exact>
void expect_close(const SignedDistanceField& field, Exact exact, double k, double mesh_error) {
  int tested = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const glm::dvec3 p = random_point(i, 1.5);
    const double d = exact(p);
    if (std::abs(d) > 2.0 * field.cell) continue;
    const auto found = field.at(p);
    ASSERT_NEAR(found.d, d, 3.0 / 8.0 * field.cell * field.cell * k + mesh_error + 1e-6);
    ASSERT_NEAR(glm::length(found.n), 1.0, 1e-12);
    ASSERT_NEAR(glm::length(field.at(glm::vec3(p)).n), 1.0f, 1e-6f);
    ++tested;
  }
  EXPECT_GT(tested, 200);
}

TEST(DistanceField, Sphere) {
  const SignedDistanceField field = field_of(make_icosphere(4, 1.0), 48);
  // two cells inside the radius of curvature is 1 - 2 cell; an edge of 0.075 r lies e^2/8 (its middle e^2/6)
  // inside
  expect_close(
      field, [](const auto& p) { return sphere_distance(p, 1.0).d; }, 1.0 / (1.0 - 2.0 * field.cell), 0.001);
}

/// A square of side 2 in the xz plane, open.
TriMesh square() {
  TriMesh mesh;
  mesh.positions = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

/// From a cell off the sheet on, trilinear interpolation of a distance to a plane is exact.
TEST(DistanceField, AShellIsASheetWithTwoSides) {
  Pool pool(2);
  const auto field = build_distance_field(square(), 32, pool, 0.2);
  ASSERT_TRUE(field);
  for (const double y : {-0.3, -0.15, -0.1, 0.1, 0.13, 0.25}) {
    const auto found = field->at(glm::dvec3(0.21, y, -0.34));
    EXPECT_NEAR(found.d, std::abs(y) - 0.1, 1e-6) << y;
    EXPECT_NEAR(found.n.y, y > 0 ? 1.0 : -1.0, 1e-6) << y;
  }
  // Around the edge, 0.2 away from it, the distance bends by 1 / 0.2: interpolated over a cell of 1/16 it
  // errs by cell^2 / 8 / 0.2, and its direction by half a cell of arc.
  const auto beside = field->at(glm::dvec3(1.2, 0.0, 0.0));
  EXPECT_NEAR(beside.d, 0.1, 0.0025);
  EXPECT_GT(beside.n.x, std::cos(0.16));
}

TEST(DistanceField, AnOpenMeshNeedsAShellOfTwoCells) {
  Pool pool(1);
  const auto open = build_distance_field(square(), 32, pool);
  ASSERT_FALSE(open);
  EXPECT_NE(open.error().text().find("shell"), std::string::npos) << open.error().text();
  const auto thin = build_distance_field(square(), 32, pool, 0.1);  // a cell is 1/16
  ASSERT_FALSE(thin);
  EXPECT_NE(thin.error().text().find("'resolution' of 40"), std::string::npos) << thin.error().text();
  EXPECT_TRUE(build_distance_field(square(), 40, pool, 0.1));
  EXPECT_FALSE(build_distance_field(square(), 32, pool, 1.0)) << "the grid would grow without bound";
}

TEST(DistanceField, SaysHowFarItIs) {
  Pool pool(2);
  std::vector<double> shares;
  ASSERT_TRUE(build_distance_field(make_icosphere(2, 1.0), 16, pool, 0.0,
                                   [&](double s) { return shares.push_back(s), true; }));
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_GT(shares.size(), 100u);
  EXPECT_EQ(shares.back(), 1.0);
}

TEST(DistanceField, IsGivenUpWhenItIsTold) {
  Pool pool(3);
  int told = 0;
  const auto given_up =
      build_distance_field(make_icosphere(2, 1.0), 32, pool, 0.0, [&](double) { return ++told < 3; });
  EXPECT_FALSE(given_up);
  EXPECT_EQ(told, 3);
}

TEST(DistanceField, Torus) {
  const SignedDistanceField field = field_of(make_torus(0.9, 0.4, 96, 48), 64);
  const double sag =
      0.4 * (1.0 - std::cos(std::numbers::pi / 48)) + 1.3 * (1.0 - std::cos(std::numbers::pi / 96));
  expect_close(
      field, [](const glm::dvec3& p) { return std::hypot(std::hypot(p.x, p.z) - 0.9, p.y) - 0.4; },
      1.0 / (0.4 - 2.0 * field.cell), sag);
}

/// Flat faces are exact. At edges and corners the distance is only Lipschitz, so the error is below its
/// change over half a cell's diagonal.
TEST(DistanceField, BoxIsExactAwayFromItsEdges) {
  const glm::dvec3 half(0.6, 1.0, 0.4);
  const SignedDistanceField field = field_of(make_box(half, 4), 40);
  int flat = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const glm::dvec3 p = random_point(i, 1.4);
    const double d = box_distance(p, half).d;
    if (std::abs(d) > 2.0 * field.cell) continue;
    ASSERT_NEAR(field.at(p).d, d, 0.5 * std::sqrt(3.0) * field.cell);
    int inner = 0;  // axes along which p is far from the edges
    for (int axis = 0; axis < 3; ++axis) inner += std::abs(p[axis]) < half[axis] - 4.0 * field.cell;
    if (inner < 2) continue;
    ASSERT_NEAR(field.at(p).d, d, 1e-6);
    ++flat;
  }
  EXPECT_GT(flat, 100);
}

TEST(DistanceField, FarAwayNeverExceedsTheTrueDistance) {
  const SignedDistanceField field = field_of(make_icosphere(3, 1.0), 24);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const glm::dvec3 p = random_point(i, 20.0);
    const auto found = field.at(p);
    if (glm::length(p) < 3.0) continue;
    ASSERT_LE(found.d, glm::length(p) - 1.0 + field.cell * field.cell + 0.01);
    ASSERT_GT(glm::dot(found.n, glm::normalize(p)), 0.8);
  }
}

TEST(DistanceField, SignIsTheWindingNumbersOnEveryMesh) {
  for (const char* name : {"star.obj", "creature.obj"}) {
    auto read = read_obj(test::source("assets/") + std::string(name));
    ASSERT_TRUE(bool(read));
    Pool pool(2);
    const auto field = build_distance_field(read->mesh, 32, pool);
    if (std::string(name) == "star.obj") {  // flat and open
      ASSERT_FALSE(bool(field));
      EXPECT_NE(field.error().message.find("boundary edges"), std::string::npos);
      continue;
    }
    ASSERT_TRUE(bool(field));
    int inside = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      const glm::dvec3 p = glm::dvec3(0.0, 0.6, 0.0) + random_point(i, 0.7);
      const double d = field->at(p).d;
      if (std::abs(d) < field->cell) continue;  // where interpolation may decide
      const double w = plain_winding(read->mesh, p);
      ASSERT_NEAR(w, std::round(w), 1e-6);
      EXPECT_EQ(d<0.0, w> 0.5);
      inside += d < 0.0;
    }
    EXPECT_GT(inside, 10);
  }
}

TEST(DistanceField, InwardWindingAndThreadsChangeNothing) {
  TriMesh mesh = make_torus(0.9, 0.4, 24, 12);
  const SignedDistanceField field = field_of(mesh, 20, 1);
  EXPECT_EQ(field_of(mesh, 20, 3).values, field.values);
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  const SignedDistanceField inward = field_of(mesh, 20);
  for (std::size_t i = 0; i < field.values.size(); ++i)
    ASSERT_NEAR(inward.values[i], field.values[i], 1e-6f) << i;
}

TEST(DistanceField, NodesAreExact) {
  const TriMesh mesh = make_torus(0.9, 0.4, 24, 12);
  const SignedDistanceField field = field_of(mesh, 12);
  const TriangleTree tree(mesh);
  for (int z = 0; z < field.nodes.z; ++z)
    for (int y = 0; y < field.nodes.y; ++y)
      for (int x = 0; x < field.nodes.x; ++x) {
        const glm::dvec3 p = field.origin + field.cell * glm::dvec3(x, y, z);
        const double d = tree.distance(p, 1e9), w = plain_winding(mesh, p);
        ASSERT_NEAR(std::abs(field.values[field.index(x, y, z)]), d, 1e-6);
        if (d > 1e-6) {
          ASSERT_EQ(field.values[field.index(x, y, z)]<0.0f, w> 0.5);
        }
      }
}

class FieldCache : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path only_file() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    EXPECT_EQ(files.size(), 1u);
    return files.front();
  }
  fs::path folder_ =
      fs::temp_directory_path() /
      ("limber_field_cache_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
       std::to_string(getpid()));
  TriMesh mesh_ = make_icosphere(2, 1.0);
};

TEST_F(FieldCache, SharesAndStores) {
  const auto first = cached_distance_field(mesh_, 12, folder_.string());
  ASSERT_TRUE(bool(first));
  EXPECT_EQ(*cached_distance_field(mesh_, 12, folder_.string()), *first);
  EXPECT_NE(*cached_distance_field(mesh_, 13, ""), *first);
  EXPECT_GT(fs::file_size(only_file()), (*first)->values.size() * sizeof(float));
}

TEST_F(FieldCache, ReadsBackTheSameAndIgnoresWhatIsDamaged) {
  const std::vector<float> values =
      (*cached_distance_field(mesh_, 12, folder_.string()))->values;  // alive no more
  const fs::path file = only_file();
  const auto size = fs::file_size(file);
  EXPECT_EQ((*cached_distance_field(mesh_, 12, folder_.string()))->values, values);
  const auto damage = [&](std::uintmax_t at) {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(std::streamoff(at));
    out.put('\x5a');
  };
  for (const std::uintmax_t at : {std::uintmax_t(0), std::uintmax_t(20), size / 2, size - 2}) {
    damage(at);
    EXPECT_EQ((*cached_distance_field(mesh_, 12, folder_.string()))->values, values) << at;
    EXPECT_EQ(fs::file_size(only_file()), size);  // written anew
  }
  fs::resize_file(file, size / 3);
  EXPECT_EQ((*cached_distance_field(mesh_, 12, folder_.string()))->values, values);
}

TEST_F(FieldCache, NeedsNoFolder) {
  std::ofstream(folder_.string()) << "a file where the folder should be";
  EXPECT_TRUE(bool(cached_distance_field(mesh_, 12, folder_.string())));
}

}  // namespace
}  // namespace limber::signed_distance_field_test
