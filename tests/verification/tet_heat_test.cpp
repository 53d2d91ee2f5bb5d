// Heat maps of solids of tetrahedra against uniform deformations.
#include "engine/verify/tet_heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>
#include <glm/mat3x3.hpp>
#include <vector>

#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace tet_heat_test { namespace {

constexpr double youngs_modulus = 1e5, poisson_ratio = 0.3;

SceneDesc block(SolidModel model) {
  SceneDesc scene;
  ObjectDesc object;
  object.name = "block";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->dimensions = {0.4, 0.3, 0.3};
  object.tets->cells = {2, 2, 2};
  object.material->model = model;
  object.material->youngs_modulus = youngs_modulus;
  object.material->poisson_ratio = poisson_ratio;
  scene.objects.push_back(object);
  return scene;
}

using HeatWriter = void (*)(const World&, std::span<float>);

/// The smallest and the largest number after every place x went to A x.
std::pair<double, double> range_of(HeatWriter write, SolidModel model, const glm::dmat3& A,
                                   SolverMethod method = SolverMethod::xpbd) {
  SceneDesc scene = block(model);
  scene.solver.method->kind = method;
  Rig rig(scene);
  const std::size_t vertices = rig.world.topology->external_to_internal.size();
  for (std::size_t v = 0; v < vertices; ++v) {
    const vec4 x = rig.x(Index(v));
    put_particle(rig.world.particles, rig.inside(Index(v)), vec4(vec3(A * glm::dvec3(x)), x.w));
  }
  std::vector<float> heat(vertices, 0.0f);
  write(rig.world, heat);
  const auto [low, high] = std::minmax_element(heat.begin(), heat.end());
  return {double(*low), double(*high)};
}

/// 1 % longer along x and as much thinner as nothing else pulls: a bar in tension.
glm::dmat3 tension() {
  const double e = 0.01;
  return {1.0 + e, 0.0, 0.0, 0.0, 1.0 - poisson_ratio * e, 0.0, 0.0, 0.0, 1.0 - poisson_ratio * e};
}

glm::dmat3 turn() { return {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6}; }

TEST(TetHeat, ABarInTensionHasTheStressOfHooksLaw) {
  for (const SolidModel model : {SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated}) {
    const auto [low, high] = range_of(write_stress, model, turn() * tension());
    // Hooke's law up to second order in a strain of 1 %
    EXPECT_NEAR(low, 0.01 * youngs_modulus, 0.03 * 0.01 * youngs_modulus) << int(model);
    EXPECT_NEAR(high, 0.01 * youngs_modulus, 0.03 * 0.01 * youngs_modulus) << int(model);
  }
}

/// PBD has stiffnesses in place of the constants of a material; the stress of a deformation is the
/// material's.
TEST(TetHeat, StressIsThatOfTheMaterialUnderAnyMethod) {
  for (const SolverMethod method :
       {SolverMethod::pbd, SolverMethod::hierarchical, SolverMethod::projective}) {
    const auto [low, high] = range_of(write_stress, SolidModel::corotated, turn() * tension(), method);
    EXPECT_NEAR(low, 0.01 * youngs_modulus, 0.03 * 0.01 * youngs_modulus) << traits(method).name;
    EXPECT_NEAR(high, 0.01 * youngs_modulus, 0.03 * 0.01 * youngs_modulus) << traits(method).name;
  }
}

TEST(TetHeat, ATurnHasNoStress) {
  const double rounding = LIMBER_DOUBLE ? 1e-6 : 20.0;  // Pa: E times a float's epsilon over a cell's size
  for (const SolidModel model : {SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated})
    EXPECT_LT(range_of(write_stress, model, turn()).second, rounding) << int(model);
}

TEST(TetHeat, StrainAndVolumeChangeAreThoseOfTheDeformation) {
  const double rounding = LIMBER_DOUBLE ? 1e-7 : 1e-5;
  const auto [least_strain, most_strain] =
      range_of(write_tet_strain, SolidModel::neo_hookean, turn() * tension());
  EXPECT_NEAR(least_strain, 0.01, rounding);
  EXPECT_NEAR(most_strain, 0.01, rounding);
  const auto [least, most] = range_of(write_volume_change, SolidModel::neo_hookean, turn() * tension());
  const double change = 1.01 * 0.997 * 0.997 - 1.0;
  EXPECT_NEAR(least, change, rounding);
  EXPECT_NEAR(most, change, rounding);
}

}}}}  // namespace limber::LIMBER_PRECISION::tet_heat_test
