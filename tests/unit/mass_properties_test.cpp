#include "engine/geometry/mesh/mass_properties.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/mesh/shapes.hpp"
#include "tests/vectors.hpp"

namespace limber::mass_properties_test {
namespace {

void expect_near(const glm::dmat3& a, const glm::dmat3& b, double tolerance) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a[i][j], b[i][j], tolerance) << i << ", " << j;
}

void expect_near(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.center[k], b.center[k], tolerance);
  expect_near(a.second, b.second, tolerance * (b.second[0][0] + b.second[1][1] + b.second[2][2]));
}

TEST(MassProperties, WorkedBoxAndSphere) {
  const auto c = test::vector_case("rigid_box_inertia");
  const MassProperties box =
      solid_mass_properties(ConvexKind::box, 0.5 * test::to_vec3<double>(c.inputs.at("dims")));
  const double density = c.inputs.at("m").get<double>() / box.volume;
  const glm::dvec3 expected = test::to_vec3<double>(c.expected.at("I_body"));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(density * box.second[k][k], expected[k], 1e-15);
  Placement turned;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      turned.rotation[column][row] =
          c.expected.at("R").at(std::size_t(row)).at(std::size_t(column)).get<double>();
  const glm::dmat3 world = density * moved(box, turned).second;
  expect_near(world,
              turned.rotation * glm::dmat3(expected.x, 0, 0, 0, expected.y, 0, 0, 0, expected.z) *
                  glm::transpose(turned.rotation),
              1e-15);
  const PrincipalInertia principal = principal_inertia(world);
  std::array<double, 3> found{principal.moments.x, principal.moments.y, principal.moments.z};
  std::sort(found.begin(), found.end());
  EXPECT_NEAR(found[0], 0.05, 1e-15);
  EXPECT_NEAR(found[1], 0.1, 1e-15);
  EXPECT_NEAR(found[2], 0.13, 1e-15);
  EXPECT_NEAR(glm::determinant(principal.axes), 1.0, 1e-14);
  const MassProperties sphere = solid_mass_properties(ConvexKind::sphere, {0.5, 0, 0});
  EXPECT_NEAR(2.0 / sphere.volume * sphere.second[0][0], 0.2, 1e-15);
}

/// Vertices say where the surface is; how many there are on which side says nothing.
TEST(MassProperties, AreNotThoseOfTheVertices) {
  TriMesh box = make_box({0.5, 0.75, 1.0}, 3);
  const MassProperties expected = mesh_mass_properties(box);
  for (int i = 0; i < 100; ++i) box.positions.push_back({0.5, 0.3, 0.2});
  expect_near(mesh_mass_properties(box), expected, 1e-12);
}

TEST(MassProperties, OfAMeshAreThoseOfTheSolid) {
  TriMesh box = make_box({0.5, 0.75, 1.0}, 3);
  for (glm::dvec3& p : box.positions) p += glm::dvec3(10.0, -4.0, 3.0);
  MassProperties expected = solid_mass_properties(ConvexKind::box, {0.5, 0.75, 1.0});
  expected.center = {10.0, -4.0, 3.0};
  expect_near(mesh_mass_properties(box), expected, 1e-13);
  // A fine polygon of n sides inside a circle is short of its area by (2 pi / n)^2 / 6.
  const MassProperties capsule = mesh_mass_properties(make_capsule(0.3, 0.8, 200, 60));
  expect_near(capsule, solid_mass_properties(ConvexKind::capsule, {0.3, 0.8, 0}),
              2.0 * std::pow(6.283 / 200, 2) / 6.0);
  const auto hull = convex_hull(make_icosphere(2, 1.0).positions);
  expect_near(mesh_mass_properties(hull_mesh(*hull)), mesh_mass_properties(make_icosphere(2, 1.0)), 1e-6);
}

/// A cylinder by slicing: the same integral summed over thin boxes along z.
TEST(MassProperties, OfACylinderBySlices) {
  const double r = 0.4, h = 0.7;
  std::vector<MassProperties> slices;
  const int count = 2000;
  for (int i = 0; i < count; ++i) {
    const double z = r * (2.0 * (i + 0.5) / count - 1.0), half = std::sqrt(r * r - z * z);
    slices.push_back(
        moved(solid_mass_properties(ConvexKind::box, {half, h, r / count}), {{0, 0, z}, glm::dmat3(1.0)}));
  }
  // the ends of the slices round off like sqrt: the midpoint rule errs by count^-1.5
  expect_near(compound(slices), solid_mass_properties(ConvexKind::cylinder, {r, h, 0}),
              std::pow(count, -1.5));
}

TEST(MassProperties, HalvesMakeAWhole) {
  const MassProperties half = solid_mass_properties(ConvexKind::box, {0.25, 0.3, 0.4});
  const MassProperties parts[2] = {moved(half, {{-0.25, 0, 0}, glm::dmat3(1.0)}),
                                   moved(half, {{0.25, 0, 0}, glm::dmat3(1.0)})};
  expect_near(compound(parts), solid_mass_properties(ConvexKind::box, {0.5, 0.3, 0.4}), 1e-14);
  const double densities[2] = {1.0, 3.0};
  EXPECT_NEAR(compound(parts, densities).center.x, 0.125, 1e-15);
}

TEST(MassProperties, ACubesAxesAreItsOwn) {
  Placement turned;
  turned.rotation = turn_about(glm::normalize(glm::dvec3(1, 2, 3)), 0.1);
  const MassProperties cube = moved(solid_mass_properties(ConvexKind::box, glm::dvec3(0.5)), turned);
  EXPECT_EQ(principal_inertia(cube.second).axes, glm::dmat3(1.0)) << "not a matter of rounding";
}

}  // namespace
}  // namespace limber::mass_properties_test
