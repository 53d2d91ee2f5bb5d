#include "app/watch/method_limits.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/core/methods.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

constexpr std::size_t most_named = 3;

/// Joins names as "a, b and c", or "a, b, c and 4 more".
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() && names.size() <= most_named ? " and " : ", ") + names[i];
  if (names.size() > most_named) text += " and " + std::to_string(names.size() - most_named) + " more";
  return text;
}

template <class Asked>
std::string objects_that(const SceneDesc& scene, const Asked& asked) {
  std::vector<std::string> names;
  for (const ObjectDesc& object : scene.objects)
    if (asked(object)) names.push_back(object.name);
  return joined(names);
}

bool is_sheet_of_triangles(const ObjectDesc& object) {
  return traits_of(object).material & material_part::triangles &&
         object.material->sheet_model != SheetModel::springs;
}
bool is_of_tets(const ObjectDesc& object) { return traits_of(object).material & material_part::tets; }

/// Adds the constants of materials that PBD does not use.
void add_stiffness_limits(const SceneDesc& scene, std::vector<std::string>& out) {
  const std::string elastic =
      objects_that(scene, [](const ObjectDesc& o) { return is_of_tets(o) || is_sheet_of_triangles(o); });
  if (!elastic.empty())
    out.push_back("takes a stiffness for each iteration in place of the elastic constants of " + elastic);
  const std::string soft = objects_that(scene, [](const ObjectDesc& o) {
    return traits_of(o).material & material_part::stretch && !is_sheet_of_triangles(o) &&
           o.material->stretch_compliance > 0.0;
  });
  if (!soft.empty()) out.push_back("takes stretch_stiffness in place of the stretch_compliance of " + soft);
}

/// Whether the scene offers the setting to its user, who may also choose the method with which it acts.
bool is_offered(const SceneDesc& scene, const std::string& path) {
  return std::find(scene.tunables.begin(), scene.tunables.end(), path) != scene.tunables.end();
}

/// Adds settings that the scene changed and that act only with other methods.
void add_unheeded(const SceneDesc& scene, std::vector<std::string>& out) {
  const int kind = int(scene.solver.method->kind);
  const auto add = [&](const Field& row, const std::string& what) {
    out.push_back("ignores " + what + ", which acts only with " + std::string(row.methods.name));
  };
  const SolverSettings usual;
  for (const Field& row : solver_fields()) {
    const std::string path = "solver." + std::string(row.name);
    if (!row.methods.has(kind) && get(row, &scene.solver) != get(row, &usual) && !is_offered(scene, path))
      add(row, path);
  }
  const Material plain;
  for (const Field& row : material_fields()) {
    if (row.methods.has(kind) || row.methods.values != stiff_methods.values) continue;
    const std::string names = objects_that(scene, [&](const ObjectDesc& o) {
      return applies_to_material(o, row) && get(row, &*o.material) != get(row, &plain) &&
             !is_offered(scene, "objects." + o.name + ".material." + std::string(row.name));
    });
    if (!names.empty()) add(row, "the " + std::string(row.name) + " of " + names);
  }
}

void add_energy_limits(const SceneDesc& scene, std::vector<std::string>& out) {
  const SolverSettings& solver = scene.solver;
  const std::string rigid = objects_that(scene, [&](const ObjectDesc& o) {
    return traits_of(o).springs && o.material->stretch_compliance < solver.method->compliance_floor;
  });
  if (!rigid.empty()) {
    char text[96];
    std::snprintf(text, sizeof text,
                  "takes solver.compliance_floor, %.2g m/N, for the smaller stretch compliance of ",
                  solver.method->compliance_floor);
    out.push_back(text + rigid);
  }
  if (!scene.colliders.empty() || !scene.bodies.empty() || solver.contact->cloth_collision)
    out.push_back(
        "does not minimise contacts with everything else: it sweeps over them between its iterations, as "
        "XPBD does");
}

}  // namespace

std::vector<std::string> method_limits(const Simulation& simulation) {
  const SceneDesc& scene = simulation.scene();
  const SolverSettings& solver = scene.solver;
  const MethodTraits& method = traits(solver.method->kind);
  std::vector<std::string> out;
  if (!any_has_method(scene.objects)) {
    if (solver.method->kind != MethodSettings{}.kind)
      out.push_back(
          "has nothing to solve here: bodies, joints, grains, clusters and fluids have solvers of their own");
    return out;
  }
  if (method.softness == Softness::stiffness) add_stiffness_limits(scene, out);
  add_unheeded(scene, out);
  const std::string damped = objects_that(scene, [](const ObjectDesc& o) {
    return traits_of(o).material & material_part::elastic && o.material->damping_time > 0.0;
  });
  if (!method.damps && !damped.empty()) out.push_back("leaves out the damping_time of " + damped);
  if (solver.method->kind == SolverMethod::projective) {
    std::vector<std::string> swept;
    for (const BatchCount& batch : simulation.batches())
      if (!batch.projects) swept.emplace_back(batch.type);
    if (!swept.empty()) out.push_back("sweeps over what has no local step, as XPBD does: " + joined(swept));
  }
  if (solver.method->kind == SolverMethod::hierarchical) {
    const std::string solids = objects_that(scene, is_of_tets);
    const std::string skins = objects_that(scene, [](const ObjectDesc& o) { return o.pressure > 0.0; });
    for (const std::string& names : {solids, skins})
      if (!names.empty()) out.push_back("has no coarser levels for " + names + " and solves it as PBD does");
  }
  if (method.chebyshev && solver.step->iterations == 1)
    out.push_back("acts as jacobi with solver.iterations 1: there is no earlier iteration to carry on");
  if (!method.iterates && solver.step->iterations > 1) out.push_back("does nothing in further iterations");
  if (sweeps_back(solver) && solver.method->order != Order::symmetric)
    out.push_back("sweeps there and back in its one iteration, which bdf2 needs to stay stable");
  const std::string first_order = objects_that(scene, [](const ObjectDesc& o) { return o.pressure > 0.0; });
  if (solver.method->integrator == Integrator::bdf2 && !first_order.empty())
    out.push_back("takes steps of first order for the pressure of " + first_order);
  if (method.softness == Softness::energy) add_energy_limits(scene, out);
  return out;
}

std::string method_limits_text(const Simulation& simulation) {
  const std::vector<std::string> limits = method_limits(simulation);
  std::string text;
  for (std::size_t i = 0; i < limits.size(); ++i)
    text += (i == 0 ? "" : i + 1 < limits.size() ? ", " : ", and ") + limits[i];
  return text.empty() ? text
                      : "solver.method " + std::string(traits(simulation.scene().solver.method->kind).name) +
                            " " + text;
}

}  // namespace limber
