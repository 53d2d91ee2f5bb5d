// Young's modulus, Poisson ratio and shear modulus of tetrahedra, measured.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/settings/material.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/tets.hpp"
#include "engine/state/elements.hpp"
#include "tests/verification/rig.hpp"

#if LIMBER_DOUBLE
namespace limber { inline namespace LIMBER_PRECISION { namespace tet_constants_test { namespace {

constexpr double young = 2e5, strain = 1e-4;

/// A solid with its energy after an affine deformation. A homogeneous strain is the static solution of a
/// solid pulled or sheared at its surface, since all its elements have one material.
class Sample {
 public:
  Sample(TetShape shape, SolidModel model, double poisson) : rig_(scene_of(shape, model, poisson)) {
    for (const real v : rig_.world.topology->tet_volumes) volume_ += double(v);
  }
  /// J/m^3.
  double density_after(const glm::dmat3& F) {
    double sum = 0.0;
    for_each_constraint(rig_.world, [&](auto, const auto& batch, std::size_t slot) {
      auto e = element_at(rig_.world, batch, slot, 0.0);
      for (auto& x : e.x) x = F * x;
      sum += energy(e);
    });
    return sum / volume_;
  }
  /// Sides that are free to move take the width of least energy.
  double free_width(const glm::dvec3& axis) {
    double low = 1.0 - strain, high = 1.0 + strain;
    const auto at = [&](double width) { return density_after(pulled(axis, width)); };
    for (int k = 0; k < 25; ++k) {
      const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      at(a) < at(b) ? high = b : low = a;
    }
    return 0.5 * (low + high);
  }
  /// 1 + strain along an axis, `width` across it.
  static glm::dmat3 pulled(const glm::dvec3& axis, double width) {
    return glm::dmat3(width) + (1.0 + strain - width) * glm::outerProduct(axis, axis);
  }

 private:
  static SceneDesc scene_of(TetShape shape, SolidModel model, double poisson) {
    SceneDesc scene;
    ObjectDesc object;
    object.name = "sample";
    object.type = ObjectType::tets;
    object.tets->shape = shape;
    object.tets->dimensions = {0.4, 0.3, 0.15};
    object.tets->cells = {3, 2, 2};
    object.tets->resolution = 2;
    object.material->model = model;
    object.material->youngs_modulus = young;
    object.material->poisson_ratio = poisson;
    scene.objects.push_back(object);
    return scene;
  }
  Rig rig_;
  double volume_ = 0.0;
};

/// All models, a lattice of boxes and a ball, along and across the axes: the constants that were asked for.
TEST(TetConstants, AreThoseOfTheMaterial) {
  const double bound = 1e-3;  // second order in a strain of 1e-4, times (lambda + mu)/mu
  for (const SolidModel model : {SolidModel::neo_hookean, SolidModel::stvk, SolidModel::corotated,
                                 SolidModel::strain, SolidModel::volume})
    for (const TetShape shape : {TetShape::bar, TetShape::ball})
      for (const double poisson : {0.0, 0.3, 0.45}) {
        Sample sample(shape, model, poisson);
        for (const glm::dvec3& axis :
             {glm::dvec3(1, 0, 0), glm::dvec3(0, 0, 1), glm::dvec3(0.6, 0.64, 0.48)}) {
          const double width = sample.free_width(axis);
          EXPECT_NEAR((1.0 - width) / strain, poisson, bound) << int(model) << " nu " << poisson;
          EXPECT_NEAR(2.0 * sample.density_after(Sample::pulled(axis, width)) / (strain * strain) / young,
                      1.0, bound)
              << int(model) << " nu " << poisson;
        }
        const double shear = young / (2.0 * (1.0 + poisson));
        for (int a = 0; a < 3; ++a) {
          glm::dmat3 F(1.0);
          F[a][(a + 1) % 3] = strain;
          EXPECT_NEAR(2.0 * sample.density_after(F) / (strain * strain) / shear, 1.0, bound)
              << int(model) << " nu " << poisson;
        }
      }
}

}}}}  // namespace limber::LIMBER_PRECISION::tet_constants_test
#endif
