// Material constants of cloth (tension, shear, bending) and of tetrahedra (shear), compared with formulas.
#include <cmath>
#include <string>
#include <vector>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/tets/tet_shapes.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/tets.hpp"

namespace limber {
namespace {

constexpr double tensile = 1e3;       // E t, N/m
constexpr double areal = 0.2;         // kg/m^2
constexpr double shear_length = 0.4;  // m, between the clamps of a panel

ObjectDesc grid(int columns, int rows, double cell) {
  ObjectDesc sheet;
  sheet.name = "sheet";
  sheet.cloth->columns = columns, sheet.cloth->rows = rows;
  sheet.cloth->width = cell * (columns - 1), sheet.cloth->height = cell * (rows - 1);
  sheet.material->density = areal;
  sheet.material->stretch_compliance = 1.0 / tensile;
  sheet.material->youngs_modulus = 1e6;
  sheet.material->membrane_thickness = tensile / 1e6;
  sheet.material->bending = false;
  return sheet;
}

using Vertices = std::vector<Index>;

/// Distance, m, by which the mean of each group of vertices sinks until the scene rests.
std::vector<double> sinks(SceneDesc scene, const std::vector<Vertices>& groups, int frames) {
  const auto simulation = start(std::move(scene));
  const auto before = positions_of(*simulation);
  run_frames(*simulation, frames);
  const auto after = positions_of(*simulation);
  std::vector<double> ways;
  for (const Vertices& group : groups) {
    double way = 0.0;
    for (const Index v : group) way += before[std::size_t(v)].y - after[std::size_t(v)].y;
    ways.push_back(way / double(group.size()));
  }
  return ways;
}

std::vector<Index> row_of(int columns, int row) {
  std::vector<Index> vertices;
  for (int c = 0; c < columns; ++c) vertices.push_back(Index(row * columns + c));
  return vertices;
}

/// A strip that hangs from its upper end: the part from the lower end up to the height L - a stretches by rho
/// g (L - a)^2/(2 E t). Over the length a, three widths, the clamp holds its sides.
double pulled(SheetModel model) {
  const int columns = 6, rows = 41, from = 15;
  const double cell = 0.05;
  SceneDesc scene = still_scene(g);
  scene.objects.push_back(grid(columns, rows, cell));
  scene.objects[0].material->sheet_model = model;
  scene.objects[0].pins = {std::string("top")};
  const double length = cell * (rows - 1 - from);
  const auto way = sinks(std::move(scene), {row_of(columns, from), row_of(columns, rows - 1)}, 200);
  return areal * g * length * length / (2.0 * (way[1] - way[0]));
}

/// A panel held along both sides, four times as high as wide: its middle sinks by rho g L^2/(8 G t).
double sheared(SheetModel model) {
  const int columns = 9, rows = 33;
  SceneDesc scene = still_scene(g);
  scene.objects.push_back(grid(columns, rows, shear_length / (columns - 1)));
  scene.objects[0].material->sheet_model = model;
  scene.objects[0].pins = {std::string("left"), std::string("right")};
  const Index middle = Index((rows / 2) * columns + columns / 2);
  return areal * g * shear_length * shear_length / (8.0 * sinks(std::move(scene), {{middle}}, 100)[0]);
}

/// A block of tetrahedra held along both sides: its middle sinks by rho g L^2/(8 G).
double sheared_block(SolidModel model) {
  const glm::ivec3 cells(4, 16, 1);
  constexpr double young = 1e5, density = 100.0;
  SceneDesc scene = still_scene(g);
  ObjectDesc block;
  block.name = "block";
  block.type = ObjectType::tets;
  block.tets->shape = TetShape::bar;
  block.tets->dimensions = {shear_length, 4.0 * shear_length, 0.1};
  block.tets->cells = glm::dvec3(cells);
  block.density = density;
  block.pins = {std::string("left"), std::string("right")};
  block.material->model = model;
  block.material->youngs_modulus = young;
  block.material->poisson_ratio = 0.3;
  scene.objects.push_back(block);
  const auto simulation = start(std::move(scene));
  const auto before = positions_of(*simulation);
  run_frames(*simulation, 100);
  const auto after = positions_of(*simulation);
  double sag = 0.0, count = 0.0;
  for (std::size_t v = 0; v < before.size(); ++v)
    if (std::abs(before[v].x) < 1e-9 && std::abs(before[v].y) < 1e-9)
      sag += before[v].y - after[v].y, ++count;
  return density * g * shear_length * shear_length / (8.0 * sag / count);
}

/// A cantilever under its weight: w = c + d s + q/B (s^4/24 - L s^3/6 + L^2 s^2/4). The constants c and d
/// belong to the clamp, near which a strip cannot curve across; they are eliminated by comparing w at three
/// rows beyond it.
double bent(BendingModel model) {
  const int columns = 5, rows = 34, clamped = 1, rows_at[] = {13, 23, 33};
  const double a = 0.03, gravity = 0.2, rigidity = 1.0, length = (rows - 1 - clamped) * a;
  SceneDesc scene = still_scene(gravity);
  ObjectDesc strip = grid(columns, rows, a);
  strip.cloth->upright = false;
  strip.material->bending = true;
  strip.material->bending_model = model;
  strip.material->bend_compliance = 1.0 / rigidity;
  strip.material->stretch_compliance = 1e-6;
  for (int v = 0; v < (clamped + 1) * columns; ++v) strip.pins.emplace_back(long(v));
  scene.objects.push_back(strip);
  std::vector<Vertices> groups;
  double beam[3];
  for (int k = 0; k < 3; ++k) {
    groups.push_back(row_of(columns, rows_at[k]));
    const double s = (rows_at[k] - clamped) * a;
    beam[k] = s * s * (s * s / 24.0 - length * s / 6.0 + length * length / 4.0);
  }
  const auto w = sinks(std::move(scene), groups, 300);
  return areal * gravity * (beam[2] - 2.0 * beam[1] + beam[0]) / (w[2] - 2.0 * w[1] + w[0]);
}

/// A round membrane held at its rim: its middle sinks by a g(nu) (q a / (E t))^(1/3) under a load q per area,
/// if that is much less than the radius a (H. Hencky, "Über den Spannungszustand in kreisrunden Platten",
/// 1915; g from seven terms of his series). Vertices at the radius and beyond form the rim.
double membrane(SheetModel model, double hencky) {
  constexpr int cells = 24;
  constexpr double radius = 1.0, load = 0.1;  // m, Pa
  SceneDesc scene = still_scene(load / areal);
  ObjectDesc sheet = grid(cells + 1, cells + 1, 2.0 * radius / cells);
  sheet.cloth->upright = false;
  sheet.material->sheet_model = model;
  for (int r = 0; r <= cells; ++r)
    for (int c = 0; c <= cells; ++c)
      if (std::hypot(r - cells / 2, c - cells / 2) >= cells / 2)
        sheet.pins.emplace_back(long(r * (cells + 1) + c));
  scene.objects.push_back(std::move(sheet));
  const Index middle = Index((cells / 2) * (cells + 1) + cells / 2);
  return sinks(std::move(scene), {{middle}}, 80)[0] / (radius * hencky * std::cbrt(load * radius / tensile));
}

}  // namespace

ValidationCases material_cases() {
  const double shear_of_a_third = tensile * 3.0 / 8.0, shear = tensile / 2.6;
  return {
      {"cloth of springs, E t of a pulled strip (N/m)", tensile, pulled(SheetModel::springs), 5e-4 * tensile},
      {"cloth of springs, G t of a panel, nu 1/3 (N/m)", shear_of_a_third, sheared(SheetModel::springs),
       0.01 * shear_of_a_third},
      {"StVK sheet, E t of a pulled strip (N/m)", tensile, pulled(SheetModel::stvk), 0.006 * tensile},
      {"StVK sheet, G t of a panel, nu 0.3 (N/m)", shear, sheared(SheetModel::stvk), 0.02 * shear},
      {"round membrane of springs, sag / Hencky's, nu 1/3", 1.0, membrane(SheetModel::springs, 0.64497),
       0.05},
      {"round StVK membrane, sag / Hencky's, nu 0.3", 1.0, membrane(SheetModel::stvk, 0.65368), 0.05},
      {"dihedral hinges, B of a strip (N m)", 1.0, bent(BendingModel::dihedral), 0.02},
      {"isometric hinges, B of a strip (N m)", 1.0, bent(BendingModel::isometric), 0.02},
      {"neo-Hookean block, G (Pa)", 1e5 / 2.6, sheared_block(SolidModel::neo_hookean), 0.0025 * 1e5 / 2.6},
      {"corotated block, G (Pa)", 1e5 / 2.6, sheared_block(SolidModel::corotated), 0.0025 * 1e5 / 2.6}};
}

}  // namespace limber
