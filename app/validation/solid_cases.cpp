// Solids of tetrahedra under their own weight, compared with beams, bars and uniaxial stress.
#include <cmath>
#include <string>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

/// A bar clamped at its left end.
ObjectDesc clamped_bar(const glm::dvec3& size, const glm::ivec3& cells, SolidModel model, double young,
                       double poisson, double density) {
  ObjectDesc bar;
  bar.name = "bar";
  bar.type = ObjectType::tets;
  bar.tets->shape = TetShape::bar;
  bar.tets->dimensions = size;
  bar.tets->cells = glm::dvec3(cells);
  bar.density = density;
  bar.pins = {std::string("left")};
  bar.material->model = model;
  bar.material->youngs_modulus = young;
  bar.material->poisson_ratio = poisson;
  return bar;
}

/// Mean displacement of the right end.
glm::dvec3 way_of_tip(SceneDesc scene, const glm::ivec3& cells, int frames) {
  const auto simulation = start(std::move(scene));
  const auto right = *bar_vertices("right", cells);
  const auto before = positions_of(*simulation);
  run_frames(*simulation, frames);
  const auto after = positions_of(*simulation);
  glm::dvec3 way(0.0);
  for (const Index v : right) way += (after[std::size_t(v)] - before[std::size_t(v)]) / double(right.size());
  return way;
}

/// Elongation rho g L^2/(2 E) for small strains. Here strains reach 8 %, for which the models differ; the
/// stress of the corotated model is linear in the stretch.
ValidationCase bar_under_its_weight() {
  const glm::ivec3 cells(10, 1, 1);
  SceneDesc scene = still_scene(g);
  scene.objects.push_back(clamped_bar({1, 0.1, 0.1}, cells, SolidModel::corotated, 1.25e5, 0.0, 1000.0));
  scene.solver.motion->gravity = {g, 0.0, 0.0};
  return {"bar under its own weight, tip (m)", 1000.0 * g / (2.0 * 1.25e5),
          way_of_tip(std::move(scene), cells, 100).x, 1e-3 * 0.0392};
}

/// Small deflection of a cantilever under its own weight: rho g A L^4/(8 E I) = 3 rho g L^4/(2 E h^2).
/// Tetrahedra of constant strain are too stiff in bending, by a share that falls with the square of the cell
/// size.
ValidationCases cantilever() {
  constexpr double young = 1e6, height = 0.1, density = 100.0;
  const double exact = 3.0 * density * g / (2.0 * young * height * height);
  const auto sinks = [&](int layers) {
    const glm::ivec3 cells(10 * layers, layers, layers);
    SceneDesc scene = still_scene(g);
    scene.objects.push_back(
        clamped_bar({1, height, height}, cells, SolidModel::neo_hookean, young, 0.0, density));
    return -way_of_tip(std::move(scene), cells, 60).y / exact;
  };
  const double share[] = {sinks(1), sinks(2), sinks(3)};
  const auto excess = [&](int n) { return 1.0 / share[n] - 1.0; };
  return {{"cantilever, excess stiffness of 2 layers over that of 1", 1.0 / 4.0, excess(1) / excess(0), 0.06},
          {"cantilever, excess stiffness of 3 layers over that of 2", 4.0 / 9.0, excess(2) / excess(1), 0.05},
          {"cantilever of 3 layers, share of the beam's sag", 1.0, share[2], 0.4}};
}

/// A soft block, pressed by its own weight to two thirds of its height at the bottom, on a smooth ground:
/// each slice is in uniaxial stress. With q = rho g H/E, s from 0 at the top to 1 at the bottom, and the
/// nominal stress of corotated elasticity linear in the stretches, a slice has the volume (1 - q s)(1 + nu q
/// s)^2.
ValidationCases pressed_block() {
  constexpr double young = 1e4, nu = 0.1, height = 0.3, density = 1000.0, q = density * g * height / young;
  const auto volume = [&](SolidModel model) {
    SceneDesc scene = still_scene(g);
    scene.solver.method->kind = SolverMethod::xpbd;
    scene.solver.step->substeps = 20, scene.solver.step->iterations = 1;
    scene.solver.motion->damping = 0.99;
    ObjectDesc block;
    block.name = "block";
    block.type = ObjectType::tets;
    block.tets->shape = TetShape::block;
    block.tets->dimensions = glm::dvec3(height);
    block.tets->resolution = 4;
    block.pose.position.y = 0.5 * height + 0.005;
    block.density = density;
    block.material->model = model;
    block.material->youngs_modulus = young, block.material->poisson_ratio = nu;
    block.material->thickness = 0.005, block.material->friction = 0.0;
    scene.objects.push_back(std::move(block));
    ColliderDesc ground;
    ground.name = "ground", ground.shape = ColliderShape::plane;
    scene.colliders.push_back(ground);
    const auto simulation = start(std::move(scene));
    run_frames(*simulation, 300);
    return simulation->measure().volume_ratios.at(0).ratio;
  };
  const double corotated =
      1.0 + (2.0 * nu - 1.0) * q / 2.0 + (nu * nu - 2.0 * nu) * q * q / 3.0 - nu * nu * q * q * q / 4.0;
  // The neo-Hookean energy (constraints/neo_hookean.hpp) by Newton's method on 4,000 slices, a program apart.
  return {{"corotated block of nu 0.1 pressed by its weight, volume", corotated,
           volume(SolidModel::corotated), 5e-4},
          {"neo-Hookean block of nu 0.1 pressed by its weight, volume", 0.86259,
           volume(SolidModel::neo_hookean), 1e-3}};
}

}  // namespace

ValidationCases solid_cases() {
  ValidationCases cases{bar_under_its_weight()};
  for (ValidationCase& row : pressed_block()) cases.push_back(std::move(row));
  for (ValidationCase& row : cantilever()) cases.push_back(std::move(row));
  return cases;
}

}  // namespace limber
