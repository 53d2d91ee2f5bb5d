// Stiffness of cloth in pull, shear and bend, measured on strips in equilibrium and on uniform strains.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <glm/mat2x2.hpp>
#include <vector>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/sheet_bending.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/state/elements.hpp"
#include "tests/verification/newton_reference.hpp"
#include "tests/verification/rig.hpp"

#if LIMBER_DOUBLE
namespace limber { inline namespace LIMBER_PRECISION { namespace cloth_constants_test { namespace {

constexpr double tensile = 1e6;   // E t, N/m
constexpr double rigidity = 1.0;  // B, N m
constexpr double density = 0.2;   // kg/m^2

/// Least squares: the coefficients of `terms` that give `value` best.
template <std::size_t N>
class Fit {
 public:
  void add(const std::array<double, N>& terms, double value) {
    for (std::size_t i = 0; i < N; ++i) {
      right_[i] += terms[i] * value;
      for (std::size_t j = 0; j < N; ++j) matrix_[i][j] += terms[i] * terms[j];
    }
  }
  /// The coefficient of the last term, by elimination.
  double last() const {
    auto m = matrix_;
    auto r = right_;
    for (std::size_t i = 0; i + 1 < N; ++i)
      for (std::size_t j = i + 1; j < N; ++j) {
        const double share = m[j][i] / m[i][i];
        for (std::size_t k = i; k < N; ++k) m[j][k] -= share * m[i][k];
        r[j] -= share * r[i];
      }
    return r[N - 1] / m[N - 1][N - 1];
  }

 private:
  std::array<std::array<double, N>, N> matrix_{};
  std::array<double, N> right_{};
};

/// A strip along x from 0 to `length`, flat in y = 0: its vertices with x <= `held` are fixed.
struct Strip {
  SceneDesc scene;
  double length = 0.0, held = 0.0;
};

/// A strip of the program's own grid, along u or along v. Cells of `along` x `across` m, `cells` of them
/// along the strip.
Strip grid_strip(int cells, int columns, double along, double across, bool along_u) {
  Strip strip;
  strip.length = cells * along, strip.held = 1.01 * along;
  ObjectDesc object;
  object.name = "strip";
  object.cloth->columns = along_u ? cells + 1 : columns;
  object.cloth->rows = along_u ? columns : cells + 1;
  object.cloth->width = along_u ? strip.length : across * (columns - 1);
  object.cloth->height = along_u ? across * (columns - 1) : strip.length;
  object.cloth->upright = false;
  object.pose.position.x = 0.5 * strip.length;
  if (!along_u) object.pose.rotation_degrees.y = 90.0;
  strip.scene.objects.push_back(object);
  return strip;
}

/// A mesh file: equilateral triangles of side 1/40 m whose inner corners are moved by up to `amount`
/// sides.
Strip free_strip(double amount, std::string file) {
  constexpr int cells = 40, rows = 9;
  constexpr double side = 1.0 / cells, height = 0.8660254 * side;
  Strip strip;
  strip.length = 1.0, strip.held = 1.8 * side;
  std::ofstream out(file);
  unsigned seed = 7;
  const auto random = [&] {  // -1 to 1
    seed = seed * 1664525u + 1013904223u;
    return double(seed >> 8) / double(1u << 23) - 1.0;
  };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c <= cells; ++c) {
      const bool end = c == 0 || c == cells, rim = r == 0 || r == rows - 1;
      const double x =
          c * side + (r % 2 == 1 && !end ? 0.5 * side : 0.0) + (end ? 0.0 : amount * side * random());
      out << "v " << x << " 0 " << r * height + (rim ? 0.0 : amount * height * random()) << '\n';
    }
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c < cells; ++c) {
      const int a = r * (cells + 1) + c + 1, b = a + 1, d = a + cells + 1, e = d + 1;
      if (r % 2 == 0)
        out << "f " << a << ' ' << d << ' ' << b << "\nf " << b << ' ' << d << ' ' << e << '\n';
      else
        out << "f " << a << ' ' << d << ' ' << e << "\nf " << a << ' ' << e << ' ' << b << '\n';
    }
  ObjectDesc object;
  object.name = "strip";
  object.mesh = file;
  object.cloth->weld = 0.0;
  strip.scene.objects.push_back(object);
  return strip;
}

/// Every vertex before and in equilibrium under `gravity`, m.
struct Moved {
  glm::dvec3 from, to;
};
std::vector<Moved> equilibrium(Strip strip, const glm::dvec3& gravity, bool bending) {
  Material& material = *strip.scene.objects[0].material;
  material.density = density;
  material.stretch_compliance = 1.0 / tensile;
  material.bend_compliance = 1.0 / rigidity;
  material.bending = bending;
  strip.scene.solver.motion->gravity = gravity;
  strip.scene.solver.contact->cloth_collision = false;
  {
    const Rig loose(strip.scene);
    for (std::size_t v = 0; v < loose.world.topology->external_to_internal.size(); ++v) {
      const std::size_t i = loose.inside(Index(v));
      if (double(loose.world.particles.position[i].x) <= strip.held)
        strip.scene.objects[0].pins.emplace_back(long(v));
    }
  }
  const Rig rig(strip.scene);
  NewtonReference newton(rig.world, std::vector<glm::dvec3>(std::size_t(rig.world.particles.count)), 0.0);
  newton.minimise(10);
  std::vector<Moved> out;
  for (std::size_t v = 0; v < rig.world.topology->external_to_internal.size(); ++v) {
    const std::size_t i = rig.inside(Index(v));
    out.push_back({glm::dvec3(rig.world.particles.position[i]), newton.x[i]});
  }
  return out;
}

struct Pulled {
  double stiffness;  ///< over E t
  double poisson;
};
/// A bar under its own weight: u(x) = c + rho g/(E t) (L x - x^2/2), away from the clamp.
Pulled pull(const Strip& strip) {
  const double g = 10.0, start = 0.3 * strip.length;
  const std::vector<Moved> vertices = equilibrium(strip, {g, 0.0, 0.0}, false);
  Fit<2> stretch, shrink;
  const auto strain = [&](double x) { return strip.length - x; };  // times rho g/(E t)
  for (const Moved& v : vertices)
    if (v.from.x > start)
      stretch.add({1.0, strip.length * v.from.x - 0.5 * v.from.x * v.from.x}, v.to.x - v.from.x);
  for (const Moved& v : vertices)
    if (v.from.x > start && v.from.x < 0.9 * strip.length)
      shrink.add({strain(v.from.x), -v.from.z * strain(v.from.x)}, v.to.z - v.from.z);
  return {density * g / tensile / stretch.last(), shrink.last() / stretch.last()};
}

/// A cantilever under its own weight: w(x) = c + d x + rho g/(24 B) (s^4 - 4 L s^3 + 6 L^2 s^2), away from
/// the clamp, whose own turn is d. Over B.
double bend(const Strip& strip) {
  const double g = 0.2, start = strip.held, length = strip.length - start;
  Fit<3> sag;
  for (const Moved& v : equilibrium(strip, {0.0, -g, 0.0}, true)) {
    const double s = v.from.x - start;
    if (s > 0.15 * length)
      sag.add({1.0, s, s * s * (s * s - 4.0 * length * s + 6.0 * length * length) / 24.0}, v.from.y - v.to.y);
  }
  return density * g / rigidity / sag.last();
}

/// Square cells, 2 to 20 of them across: an edge at the rim stands for one triangle.
TEST(ClothConstants, SpringsOfSquareCellsPullAsTheSheet) {
  for (const bool along_u : {true, false}) {
    for (const int columns : along_u ? std::vector<int>{3, 4, 6, 21} : std::vector<int>{3, 11}) {
      const double cell = 0.01;
      const Pulled is = pull(grid_strip(std::max(24, 3 * columns), columns, cell, cell, along_u));
      EXPECT_NEAR(is.stiffness, 1.0, 0.02) << columns << " columns " << along_u;
      if (columns >= 11) {
        EXPECT_NEAR(is.poisson, 1.0 / 3.0, 0.03) << columns << " columns " << along_u;
      }
    }
  }
}

TEST(ClothConstants, HingesOfSquareCellsBendAsTheSheet) {
  for (const bool along_u : {true, false})
    for (const int columns : along_u ? std::vector<int>{3, 11} : std::vector<int>{6})
      EXPECT_NEAR(bend(grid_strip(50, columns, 0.02, 0.02, along_u)), 1.0, 0.02)
          << columns << " columns " << along_u;
}

TEST(ClothConstants, LongCellsPullAndBendAsTheSheet) {
  for (const bool along_u : {true, false})
    for (const double aspect : {0.5, 2.0}) {
      const Strip strip =
          grid_strip(aspect > 1.0 ? 30 : 60, 7, 0.02 * std::sqrt(aspect), 0.02 / std::sqrt(aspect), along_u);
      EXPECT_NEAR(pull(strip).stiffness, 1.0, 0.1) << aspect << along_u;
      EXPECT_NEAR(bend(strip), 1.0, 0.1) << aspect << along_u;
    }
}

TEST(ClothConstants, FreeMeshesPullAndBendAsTheSheet) {
  const std::string file = (std::filesystem::temp_directory_path() / "cloth_constants_strip.obj").string();
  for (const double amount : {0.0, 0.2}) {
    const Strip strip = free_strip(amount, file);
    EXPECT_NEAR(pull(strip).stiffness, 1.0, 0.15) << amount;
    EXPECT_NEAR(bend(strip), 1.0, 0.15) << amount;
  }
  std::filesystem::remove(file);
}

/// IsometricBending has the hinges of Bending.
TEST(ClothConstants, IsometricHingesBendAsTheSheet) {
  Strip strip = grid_strip(50, 6, 0.02, 0.02, true);
  strip.scene.objects[0].material->bending_model = BendingModel::isometric;
  EXPECT_NEAR(bend(strip), 1.0, 0.02);
}

/// J/m^2 of a sheet of triangles after x, z go to F (x, z).
class Sheet {
 public:
  explicit Sheet(const Material& material) : rig_(scene_of(material)) {}
  double density_after(const glm::dmat2& F) {
    double sum = 0.0;
    for_each_constraint(rig_.world, [&](auto, const auto& batch, std::size_t slot) {
      auto e = element_at(rig_.world, batch, slot, 0.0);
      for (auto& x : e.x) {
        const glm::dvec2 p = F * glm::dvec2(x.x, x.z);
        x = {p.x, x.y, p.y};
      }
      sum += energy(e);
    });
    return sum;
  }
  /// N/m per strain along a direction, its sides free, and the Poisson ratio.
  std::array<double, 2> pulled(const glm::dvec2& axis) {
    const double strain = 1e-4;
    const auto at = [&](double width) {
      return density_after(glm::dmat2(width) + (1.0 + strain - width) * glm::outerProduct(axis, axis));
    };
    double low = 1.0 - strain, high = 1.0 + strain;
    for (int k = 0; k < 30; ++k) {
      const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      at(a) < at(b) ? high = b : low = a;
    }
    const double width = 0.5 * (low + high);
    return {2.0 * at(width) / (strain * strain), (1.0 - width) / strain};
  }
  double sheared(double angle) {
    const double strain = 1e-4, c = std::cos(angle), s = std::sin(angle);
    const glm::dvec2 a(c, s), b(-s, c);
    return 2.0 * density_after(glm::dmat2(1.0) + strain * glm::outerProduct(a, b)) / (strain * strain);
  }

 private:
  static SceneDesc scene_of(const Material& material) {
    SceneDesc scene;
    ObjectDesc object;
    object.name = "sheet";
    object.cloth->columns = 6, object.cloth->rows = 4;
    object.cloth->width = 1.25, object.cloth->height = 0.8;  // 1 m^2
    object.cloth->upright = false;
    *object.material = material;
    object.material->bending = false;
    scene.objects.push_back(object);
    return scene;
  }
  Rig rig_;
};

TEST(ClothConstants, StvkSheetsHaveTheirModuliInEveryDirection) {
  Material material;
  material.sheet_model = SheetModel::stvk;
  material.youngs_modulus = 2e6;
  material.membrane_thickness = 5e-4;
  for (const PlaneState plane : {PlaneState::stress, PlaneState::strain})
    for (const double nu : {0.0, 0.3, 0.45}) {
      material.plane = plane;
      material.poisson_ratio = nu;
      Sheet sheet(material);
      const bool slice = plane == PlaneState::strain;
      const double et = 1e3 / (slice ? 1.0 - nu * nu : 1.0), wide = slice ? nu / (1.0 - nu) : nu;
      for (const double angle : {0.0, 0.4, 0.785, 1.2, 1.571}) {
        const auto [stiffness, poisson] = sheet.pulled({std::cos(angle), std::sin(angle)});
        EXPECT_NEAR(stiffness / et, 1.0, 1e-3) << nu << ' ' << angle;
        EXPECT_NEAR(poisson, wide, 1e-3) << nu << ' ' << angle;
        EXPECT_NEAR(sheet.sheared(angle) / (1e3 / (2.0 * (1.0 + nu))), 1.0, 1e-3) << nu << ' ' << angle;
      }
    }
}

TEST(ClothConstants, StrainSheetsHaveThreeStiffnesses) {
  Material material;
  material.sheet_model = SheetModel::strain;
  material.warp_compliance = 1e-3, material.weft_compliance = 2e-3, material.shear_compliance = 1e-2;
  Sheet sheet(material);
  EXPECT_NEAR(sheet.pulled({1.0, 0.0})[0] * material.warp_compliance, 1.0, 1e-3);
  EXPECT_NEAR(sheet.pulled({0.0, 1.0})[0] * material.weft_compliance, 1.0, 1e-3);
  EXPECT_NEAR(sheet.sheared(0.0) * material.shear_compliance, 1.0, 1e-3);
}

/// m below its clamp, the tip of a strip of 8 cm and 16 rows of a preset, with that many substeps; 0: in
/// equilibrium.
double tip(SceneDesc scene, int substeps) {
  scene.solver.step->substeps = std::max(1, substeps);
  Rig rig(scene);
  if (substeps > 0) {
    rig.run(150);
    return -double(rig.x(0).y);
  }
  rig.run(60);  // so that Newton's method starts below the clamp
  NewtonReference newton(rig.world, std::vector<glm::dvec3>(std::size_t(rig.world.particles.count)), 0.0);
  newton.minimise(60);
  return -newton.x[rig.inside(0)].y;
}

/// Sweeps that do not converge let stiff cloth sag: the number of substeps that `auto` asks for holds it.
TEST(SheetBending, AsksForTheSubstepsThatAPresetNeeds) {
  for (const Preset preset : {Preset::silk, Preset::cotton, Preset::denim, Preset::leather, Preset::rubber}) {
    Strip strip = grid_strip(15, 5, 0.08 / 15.0, 0.08 / 15.0, false);
    ObjectDesc& object = strip.scene.objects[0];
    object.material->preset = preset;
    apply_preset(*object.material);
    for (int v = 70; v < 80; ++v) object.pins.emplace_back(long(v));
    strip.scene.solver.motion->damping = 0.9;
    const Expected<ObjectGeometry> geometry = build_geometry(strip.scene, object);
    ASSERT_TRUE(geometry);
    const double wanted = SheetBending(strip.scene, object, *geometry).substeps();
    const double exact = tip(strip.scene, 0);
    EXPECT_NEAR(tip(strip.scene, std::max(10, int(wanted))) / exact, 1.0, 0.2)
        << int(preset) << ": " << wanted << " substeps";
  }
}

}}}}  // namespace limber::LIMBER_PRECISION::cloth_constants_test
#endif
