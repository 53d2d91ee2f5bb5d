
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <string>

#include "engine/core/rates.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/scene_keys.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "tests/vectors.hpp"

namespace limber::settings_test { namespace {

/// Writing a default back fails if it lies outside its own row's range.
template <class Settings>
void check_table(std::span<const Field> fields) {
  Settings settings;
  std::set<std::string_view> names;
  for (const Field& field : fields) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " appears twice";
    EXPECT_FALSE(field.label.empty() || field.tooltip.empty()) << field.name;
    EXPECT_LE(field.min, field.max) << field.name;
    const Expected<void> done = set(field, &settings, get(field, &settings));
    EXPECT_TRUE(done) << done.error().text();
  }
}

TEST(Settings, EveryDefaultLiesInItsRange) {
  check_table<SolverSettings>(solver_fields());
  check_table<Material>(material_fields());
  check_table<AttachmentDesc>(attachment_fields());
  check_table<ObjectDesc>(object_fields());
  check_table<ColliderDesc>(collider_fields());
  check_table<CameraDesc>(camera_fields());
  check_table<SceneDesc>(scene_fields());
  check_table<PointDesc>(point_fields());
  check_table<ExpectDesc>(expect_fields());
}

TEST(Settings, StiffnessPerIterationMatchesWorkedCases) {
  const test::VectorCase c = test::vector_case("stiffness_k_prime");
  for (const double k : {0.0, 0.1, 0.5, 0.9, 0.99, 1.0})
    for (const int n : {1, 4, 10, 20, 160}) {
      char key[32];
      std::snprintf(key, sizeof key, "k=%g,ns=%d", k, n);
      const double got = stiffness_per_iteration(k, n), wanted = c.expected[key]["k_prime"];
      EXPECT_NEAR(got, wanted, 1e-14 * wanted) << key;
      EXPECT_NEAR(std::pow(1.0 - got, n), c.expected[key]["error_ratio_after_ns"].get<double>(), 1e-13)
          << key;
    }
}

TEST(Settings, StiffnessEndsAreExact) {
  for (const int n : {1, 2, 7, 1000}) {
    EXPECT_EQ(stiffness_per_iteration(0.0, n), 0.0);
    EXPECT_EQ(stiffness_per_iteration(1.0, n), 1.0);
  }
  EXPECT_EQ(stiffness_per_iteration(0.3, 1), 0.3);
  EXPECT_EQ(damping_per_substep(1.0, 1e-5), 1.0);
  EXPECT_EQ(damping_per_substep(0.0, 0.1), 0.0);
}

/// The reference has 64 bits of mantissa, so its own error does not show; the polynomials promise a few ulp.
TEST(Settings, ComplementOfPowerIsAccurateOverTheWholeRange) {
  double worst = 0.0;
  for (int i = 1; i < 4000; ++i) {
    const double t = i / 4000.0;
    for (const double k : {t, std::pow(10.0, -16.0 * t), 1.0 - std::pow(10.0, -15.0 * t)})
      for (const double h : {1e-7, 1e-4, 1.0 / 600.0, 0.1, 0.99}) {
        if (!(k > 0.0 && k < 1.0)) continue;
        const long double exact =
            -std::expm1(static_cast<long double>(h) * std::log1p(-static_cast<long double>(k)));
        worst = std::max(worst, static_cast<double>(std::abs(damping_per_substep(k, h) / exact - 1)));
      }
  }
  EXPECT_LT(worst, 8 * 2.2e-16);  // about eight roundings from k to the result
}

TEST(Settings, PlatePresetsFollowFromModulusAndThickness) {
  struct Plate {
    Preset preset;
    double modulus, thickness, density;  // Pa, m, kg/m^3
  };
  for (const Plate& plate :
       {Plate{Preset::leather, 15e6, 1.2e-3, 860.0}, Plate{Preset::rubber, 1.5e6, 1e-3, 1100.0}}) {
    Material material;
    material.preset = plate.preset;
    apply_preset(material);
    const double stretch = plate.modulus * plate.thickness;
    const double bend = stretch * plate.thickness * plate.thickness / 12.0;
    EXPECT_NEAR(material.stretch_compliance * stretch, 1.0, 0.01);  // the table has two digits
    EXPECT_NEAR(material.bend_compliance * bend, 1.0, 0.03);
    EXPECT_NEAR(material.density, plate.density * plate.thickness, 0.005);
  }
}

TEST(Settings, DampingComposesOverSubsteps) {
  const double rate = 0.4, h = 1.0 / 60.0;
  double kept = 1.0;
  for (int substep = 0; substep < 60; ++substep) kept *= 1.0 - damping_per_substep(rate, h);
  EXPECT_NEAR(kept, 1.0 - rate, 60 * 2.2e-16);  // one rounding per factor
}

}}  // namespace limber::settings_test
