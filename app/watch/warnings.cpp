#include "app/watch/warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "app/watch/far_joints.hpp"
#include "app/watch/fluid_starts.hpp"
#include "app/watch/friction_limits.hpp"
#include "app/watch/method_limits.hpp"
#include "app/watch/start_crossings.hpp"
#include "app/watch/start_overlaps.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/scene/build/choose_substeps.hpp"
#include "engine/scene/build/sheet_bending.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber {
namespace {

#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
printed(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

constexpr long most_substeps = 1000;

/// Remedy: twice as many substeps, up to most_substeps.
std::vector<SetValue> more_substeps(const SceneDesc& scene) {
  const long now = scene.solver.step->substeps;
  if (now >= most_substeps) return {};
  return {{"solver.substeps", std::clamp(2 * now, 10L, most_substeps)}};
}

std::string setting_of(const ObjectDesc& object, const char* name) {
  return "objects." + object.name + "." + name;
}

// Kinds found at the start.

/// Reports the changes that the reader made to meshes.
void find_mesh_notes(const Sight& sight, std::vector<Warning>& out) {
  for (const std::string& note : sight.simulation.model()->notes) out.push_back({{}, note, 0.0, {}});
}

/// Objects that start inside a collider, the first few by name: "cloth: 12 vertices start inside a collider
/// ...".
void find_inside(const Sight& sight, std::vector<Warning>& out) {
  constexpr std::size_t named = 3;
  constexpr double fastest = 100.0;  // m/s
  const std::vector<InsideObject>& inside = sight.measures.inside;
  if (inside.empty()) return;
  const SceneDesc& scene = sight.simulation.scene();
  std::string names;
  std::int64_t vertices = 0;
  double depth = 0.0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (i < named) names += (i > 0 ? ", " : "") + scene.objects[std::size_t(inside[i].object)].name;
    vertices += inside[i].particles;
    depth = std::max(depth, inside[i].depth);
  }
  if (inside.size() > named) names += " and " + std::to_string(inside.size() - named) + " more";
  const double speed = scene.solver.contact->depenetration_speed;
  Warning warning{names,
                  names + printed(": %lld %s inside a collider, up to %.3g m deep: pushed out at %.3g m/s "
                                  "(solver.depenetration_speed)",
                                  static_cast<long long>(vertices),
                                  vertices == 1 ? "vertex starts" : "vertices start", depth, speed),
                  depth,
                  {}};
  if (speed < fastest)
    warning.remedies.push_back({"solver.depenetration_speed", std::clamp(4.0 * speed, 0.1, fastest)});
  out.push_back(std::move(warning));
}

void find_overlaps(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = overlap_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

void find_fluid_starts(const Sight& sight, std::vector<Warning>& out) {
  for (std::string text :
       {displaced_fluid_note(sight.simulation), dense_fluid_note(sight.simulation, sight.measures)})
    if (!text.empty()) out.push_back({{}, std::move(text), 0.0, {}});
}

void find_far_joints(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = far_joint_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

void find_start_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = crossing_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

/// Mean edge length, m, over the object's triangles (an edge of two triangles counts twice).
double mean_edge(const ObjectModel& object, std::span<const glm::dvec3> positions) {
  double sum = 0.0;
  for (const Triangle& triangle : object.triangles)
    for (int k = 0; k < 3; ++k)
      sum += glm::distance(positions[std::size_t(triangle[std::size_t(k)])],
                           positions[std::size_t(triangle[std::size_t((k + 1) % 3)])]);
  return object.triangles.empty() ? 0.0 : sum / (3.0 * double(object.triangles.size()));
}

/// Cloth thicker than its edges allow. Contact between layers uses at most half the shortest edge nearby,
/// because neighbours would push each other apart otherwise. Only contact with other things uses a larger
/// thickness.
void find_thick_cloth(const Sight& sight, std::vector<Warning>& out) {
  constexpr double fits = 0.75, wanted = 0.5;  // of an edge
  const SceneDesc& scene = sight.simulation.scene();
  if (!scene.solver.contact->cloth_collision) return;
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read_positions(std::span<glm::dvec3>(positions));
  for (std::size_t o = 0; o < scene.objects.size() && o < model.objects.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    if (!traits_of(object).surface) continue;
    const double edge = mean_edge(model.objects[o], positions), thickness = object.material->thickness;
    if (edge == 0.0 || thickness <= fits * edge) continue;
    const double fitting = std::stod(printed("%.1g", wanted * edge));
    out.push_back({object.name,
                   object.name + printed(": its material.thickness, %.3g m, is as much as its edges are long "
                                         "(%.3g m on average): between its layers only half of the shortest "
                                         "edge acts",
                                         thickness, edge),
                   thickness / edge,
                   {{setting_of(object, "material.thickness"), fitting}}});
  }
}

// Kinds found at the start and after a change of a setting.

/// Settings for which a frame is estimated to take seconds.
void find_long_frames(const Sight& sight, std::vector<Warning>& out) {
  constexpr double per_constraint = 5e-9, per_body = 2e-7;  // s a sweep, from the table in the README
  constexpr double long_frame = 1.0;                        // s
  const SolverSettings& solver = sight.simulation.scene().solver;
  double sweep = per_body * double(sight.simulation.body_count());
  for (const BatchCount& batch : sight.simulation.batches())
    sweep += per_constraint * double(batch.constraints);
  const double frame = sweep * solver.step->substeps * solver.step->iterations;
  if (frame < long_frame) return;
  const double fewer = std::sqrt(0.1 * long_frame / frame);
  Warning warning{{},
                  printed("%d substeps of %d iterations (solver.substeps, solver.iterations): expect about "
                          "%.0f s for a frame, or more",
                          solver.step->substeps, solver.step->iterations, frame),
                  frame,
                  {}};
  if (solver.step->iterations > 1)
    warning.remedies.push_back({"solver.iterations", std::max(1L, long(solver.step->iterations * fewer))});
  if (solver.step->substeps > 1)
    warning.remedies.push_back({"solver.substeps", std::max(1L, long(solver.step->substeps * fewer))});
  out.push_back(std::move(warning));
}

/// Fine cloth in mesh order with one sweep per substep, which becomes unstable and expensive to search. If a
/// sweep leaves the share p of an error, the error is multiplied per substep by z, z^2 = p (2 z - 1).
/// Coloured orders have real p, and |z| <= 1. A sweep in mesh order carries errors along and has complex p:
/// |z| = 1.2 for p = i/2. A second sweep squares p, and the cloth stays calm.
void find_wild_order(const Sight& sight, std::vector<Warning>& out) {
  constexpr long fine = 100;  // vertices
  const SceneDesc& scene = sight.simulation.scene();
  const SolverSettings& solver = scene.solver;
  if (is_coloured(solver.method->order) || solver.step->iterations > 1 ||
      sight.simulation.model()->vertex_count < fine || !has_any(scene.objects, &ObjectTraits::surface))
    return;
  out.push_back(
      {{},
       std::string("solver.iterations 1 with solver.order along the mesh: fine cloth grows wild") +
           (scene.solver.contact->cloth_collision ? ", and takes up to 25 times as long a frame" : ""),
       1.0,
       {{"solver.iterations", 2L}, {"solver.order", std::string("coloured")}}});
}

void find_method_limits(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = method_limits_text(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 1.0, {}});
}

/// Forces too stiff for the step: symplectic Euler gains energy without bound if h omega is 2 or more.
void find_fast_forces(const Sight& sight, std::vector<Warning>& out) {
  constexpr double safe = 1.8;  // of 2: omega is found from below
  const SceneDesc& scene = sight.simulation.scene();
  if (scene.solver.method->kind != SolverMethod::forces) return;
  const double turn = sight.simulation.fastest_swing() * scene.solver.step->dt;  // rad in a frame
  const int substeps = scene.solver.step->substeps;
  if (turn / substeps < safe) return;
  const double wanted = std::ceil(turn / safe);
  Warning warning{{},
                  printed("solver.method forces is stable below h omega = 2 and has %.3g here: what is stiff "
                          "gains energy until the frame is undone; %.0f substeps hold it",
                          turn / substeps, wanted),
                  turn / substeps,
                  {}};
  if (wanted <= double(most_substeps)) warning.remedies.push_back({"solver.substeps", long(wanted)});
  warning.remedies.push_back({"solver.method", std::string("xpbd")});
  out.push_back(std::move(warning));
}

/// Gradient descent with too few iterations. It takes about (h omega)^2 iterations to move vertices tied by
/// the stiffest elements; with far fewer, they hang in the air.
void find_stuck_descent(const Sight& sight, std::vector<Warning>& out) {
  constexpr double tolerated = 1e3, wanted = 1e2;  // (h omega)^2 for each iteration
  constexpr double largest_floor = 1e-2;           // m/N
  const SceneDesc& scene = sight.simulation.scene();
  const SolverSettings& solver = scene.solver;
  if (solver.method->kind != SolverMethod::descent) return;
  const double turn = sight.simulation.fastest_swing() * solver.step->dt / solver.step->substeps;
  const double stiffness = turn * turn / solver.step->iterations;
  if (!(stiffness > tolerated)) return;
  const double floor = solver.method->compliance_floor * stiffness / wanted;
  Warning warning{
      {},
      printed("solver.method descent would need about %.1g iterations a substep (now %d) for what is "
              "as stiff as this: it hardly moves, and may hang in the air",
              turn * turn, solver.step->iterations),
      stiffness,
      {}};
  if (floor <= largest_floor)
    warning.remedies.push_back({"solver.compliance_floor", std::stod(printed("%.1g", floor))});
  warning.remedies.push_back({"solver.method", std::string("newton")});
  out.push_back(std::move(warning));
}

void find_friction_limits(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = friction_limits_text(sight.simulation.scene()); !text.empty())
    out.push_back({{}, std::move(text), 1.0, {{"solver.friction_model", std::string("positional")}}});
}

/// Viscosity whose equations were left before they were solved.
void find_unsolved_viscosity(const Sight& sight, std::vector<Warning>& out) {
  constexpr double most = 1e-3;
  if (!(sight.viscosity_residual > most)) return;
  Warning warning{
      {},
      printed("implicit viscosity was solved to %.1g of the fluid's speed alone: what is so viscous "
              "flows slower or faster than it says; smaller steps help",
              sight.viscosity_residual),
      sight.viscosity_residual,
      more_substeps(sight.simulation.scene())};
  out.push_back(std::move(warning));
}

/// Cloth that sags more than its bend_compliance implies, because too few sweeps carry its stiffness.
void find_soft_bending(const Sight& sight, std::vector<Warning>& out) {
  const SceneDesc& scene = sight.simulation.scene();
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read_positions(std::span<glm::dvec3>(positions));
  for (const ObjectDesc& object : scene.objects) {
    const auto copy = std::find_if(model.objects.begin(), model.objects.end(),
                                   [&](const ObjectModel& m) { return m.name == object.name; });
    if ((traits_of(object).material & material_part::bending) == 0 || copy == model.objects.end()) continue;
    const auto of_object =
        std::span(positions).subspan(std::size_t(copy->first_vertex), std::size_t(copy->vertex_count));
    if (SheetBending::limp(scene, object, of_object)) continue;
    const std::optional<SheetBending> bending = SheetBending::of(scene, object);
    if (!bending) continue;
    const int now = scene.solver.step->substeps;
    const double excess = bending->excess(now), wanted = bending->substeps();
    if (excess <= SheetBending::tolerated) continue;
    Warning warning{object.name,
                    object.name + printed(": a strip of it sags about %.2g times as far as its "
                                          "material.bend_compliance says, with solver.substeps %d of %d "
                                          "iterations; %.0f substeps hold it",
                                          1.0 + excess, now, scene.solver.step->iterations, wanted),
                    excess,
                    {}};
    if (wanted <= double(most_substeps)) warning.remedies.push_back({"solver.substeps", long(wanted)});
    out.push_back(std::move(warning));
  }
}

/// Tethers on soft cloth. A tether bounds the distance of a vertex from its pin by the path along the mesh.
/// Cloth that stretches under its own weight by rho g h / (E t) would go further: then the tethers carry the
/// rows below the pins, and a crown stands above the edge.
void find_soft_tethers(const Sight& sight, std::vector<Warning>& out) {
  constexpr double soft = 0.1;
  const SceneDesc& scene = sight.simulation.scene();
  if (traits(scene.solver.method->kind).softness == Softness::stiffness) return;  // this method ignores
                                                                                  // compliance
  const double gravity = glm::length(scene.solver.motion->gravity);
  for (const ObjectDesc& object : scene.objects) {
    if (!object.tethers || !traits_of(object).surface) continue;
    const double height = std::max(object.cloth.width, object.cloth.height);
    const double strain = object.material->density * gravity * height * object.material->stretch_compliance;
    if (strain <= std::max(soft, 2.0 * (object.tether_slack - 1.0))) continue;
    out.push_back(
        {object.name,
         object.name + printed(": its material.stretch_compliance, %.3g m/N, lets it stretch by about "
                               "%.0f %% under its own weight, while its tethers hold every vertex at "
                               "its length at rest: near the pins they hold it up as a crown",
                               object.material->stretch_compliance, 100.0 * strain),
         strain,
         {{setting_of(object, "tethers"), false}, {setting_of(object, "material.stretch_compliance"), 0.0}}});
  }
}

// Kinds found between frames.

void find_undone(const Sight& sight, std::vector<Warning>& out) {
  if (!sight.undone) return;
  const SceneDesc& scene = sight.simulation.scene();
  Warning warning{{},
                  printed("a value became non-finite in frame %lld; the state kept is the last good one",
                          static_cast<long long>(sight.simulation.frame() + 1)),
                  1.0,
                  more_substeps(scene)};
  warning.remedies.push_back({"solver.dt", std::max(0.5 * scene.solver.step->dt, 1e-4)});
  out.push_back(std::move(warning));
}

/// A closed surface without stretch compliance whose pressure stretches it.
Warning asks_too_much(const ObjectDesc& object, double misfit) {
  return {
      object.name,
      object.name +
          printed(
              ": its pressure (%.3g) asks for more than its skin gives, whose edges are %.0f %% off their "
              "lengths on average: a lower objects.%.40s.pressure or a larger "
              "material.stretch_compliance (now 0) help",
              object.pressure, 100.0 * misfit, object.name.c_str()),
      misfit,
      {{setting_of(object, "material.stretch_compliance"), 0.02}}};
}

/// Mean strain that the material does not explain. The largest strain is no measure: the few edges beside a
/// pin carry the whole cloth, so their strain grows with the resolution. Woven cloth breaks at 10 to 30 %.
/// One shipped scene reaches 15 % for a moment, the others stay below 5. One substep per frame of 1/60 s
/// leaves 20 to 35 %, per frame of 0.1 s 30 to 110 %.
void find_off_length(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_much = 0.2, too_much_blown_up = 0.1;
  constexpr double share_of_slivers = 0.5;  // if edges of all lengths are strained, both means are similar
  const SceneDesc& scene = sight.simulation.scene();
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    const double misfit = sight.measures.object_misfit[o], by_length = sight.measures.object_length_misfit[o];
    // A sphere is stretched at most by the cube root of its volume factor. More than twice that strain has
    // another cause than the pressure.
    const bool blown_up = object.pressure > 1.0 && object.material->stretch_compliance == 0.0 &&
                          misfit < 2.0 * (std::cbrt(object.pressure) - 1.0);
    if (!traits_of(object).keeps_lengths || object.material->tear_strain != 0.0 ||
        !(misfit > (blown_up ? too_much_blown_up : too_much)))
      continue;
    if (blown_up) {
      out.push_back(asks_too_much(object, misfit));
      continue;
    }
    Warning warning{object.name, {}, misfit, {}};
    const Field* weld = field_of(object, "weld");
    if (weld && by_length < share_of_slivers * misfit) {
      const double now = std::get<double>(get(*weld, &object));
      warning.text =
          object.name + printed(
                            ": its edges are off their lengths by up to %.0f %% on average, weighted by "
                            "their lengths by %.0f %%: its mesh has edges far shorter than others (a larger "
                            "objects.%.40s.weld, now %.3g, takes more of them out)",
                            100.0 * misfit, 100.0 * by_length, object.name.c_str(), now);
      warning.remedies = {{setting_of(object, "weld"), now > 0.0 ? std::min(4.0 * now, 0.2) : 1e-3}};
    } else {
      warning.text =
          object.name +
          printed(
              ": its edges are off their lengths by up to %.0f %% on average, more than its material "
              "gives: more solver.substeps (now %d) or a shorter solver.dt (now %.3g s) help",
              100.0 * misfit, scene.solver.step->substeps, scene.solver.step->dt);
      warning.remedies = more_substeps(scene);
    }
    out.push_back(std::move(warning));
  }
}

void find_speed_limit(const Sight& sight, std::vector<Warning>& out) {
  const SolverSettings& solver = sight.simulation.scene().solver;
  if (!(sight.measures.max_speed >= 0.99 * solver.motion->max_speed)) return;
  out.push_back({{},
                 printed("something moves as fast as solver.max_speed lets it, %.3g m/s: where nothing was "
                         "thrown like that the solver has lost it (more solver.substeps, now %d, help)",
                         solver.motion->max_speed, solver.step->substeps),
                 1.0,
                 more_substeps(sight.simulation.scene())});
}

/// Solids with many inverted tetrahedra. A solid that is pressed flat has some for a while.
void find_inside_out(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_many = 0.05;
  const Measures& measures = sight.measures;
  if (measures.tets == 0 || double(measures.inverted_tets) <= too_many * double(measures.tets)) return;
  const SceneDesc& scene = sight.simulation.scene();
  out.push_back({{},
                 printed("%lld of %lld tetrahedra are inside out: more solver.substeps (now %d) or a larger "
                         "material.youngs_modulus keep them from it",
                         static_cast<long long>(measures.inverted_tets),
                         static_cast<long long>(measures.tets), scene.solver.step->substeps),
                 double(measures.inverted_tets) / double(measures.tets),
                 more_substeps(scene)});
}

/// Number of tetrahedra of `object` that are inverted at `positions`.
std::int64_t inverted_tets(const ObjectModel& object, std::span<const glm::dvec3> positions) {
  return std::count_if(object.tets.begin(), object.tets.end(),
                       [&](const Tet& tet) { return tet_volume(positions, tet) < 0.0; });
}

/// A few elements that stay inverted, too few for find_inside_out(). Thin elements that a blow inverted
/// recover if the substep is short compared with their oscillations, which `auto` provides. Elements that a
/// load presses through themselves do not recover with any number of substeps.
void find_kept_inside_out(const Sight& sight, std::vector<Warning>& out) {
  if (sight.measures.inverted_tets == 0) return;
  const SceneDesc& scene = sight.simulation.scene();
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read_positions(std::span<glm::dvec3>(positions));
  for (const ObjectModel& object : model.objects) {
    const std::int64_t inverted = inverted_tets(object, positions);
    if (inverted == 0) continue;
    const long now = scene.solver.step->substeps;
    const bool few_substeps = now < SubstepChoice::most;
    Warning warning{
        object.name,
        object.name + printed(": %lld of %lld tetrahedra stay inside out with %ld solver.substeps; %s",
                              static_cast<long long>(inverted), static_cast<long long>(object.tets.size()),
                              now,
                              few_substeps ? "up to 40 turn back what a blow has turned over"
                                           : "more do not turn them back: they are pressed by more than "
                                             "they can bear, which less load or a thicker solid mends"),
        double(inverted) / double(object.tets.size()),
        {}};
    if (few_substeps) warning.remedies.push_back({"solver.substeps", long(SubstepChoice::most)});
    out.push_back(std::move(warning));
  }
}

/// Spikes of a solid: a few thin tetrahedra whose corners are thrown about by the sweeps. The share of
/// inverted elements does not show them, because most of the mesh is intact. Measured on a dropped mesh of
/// 11,866 elements with dihedral angles from 2.5 degrees: some elements are 7 times as long with 10 substeps,
/// 3 times with the 40 that `auto` chooses.
void find_spikes(const Sight& sight, std::vector<Warning>& out) {
  constexpr double five_times = 4.0;
  constexpr long times = 4;
  const SceneDesc& scene = sight.simulation.scene();
  const Measures& measures = sight.measures;
  for (std::size_t o = 0; o < scene.objects.size() && o < measures.object_strain.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    const double strain = measures.object_strain[o].max;
    if ((traits_of(object).material & material_part::tets) == 0 || !(strain > five_times)) continue;
    const long now = scene.solver.step->substeps;
    Warning warning{
        object.name,
        object.name + printed(": a tetrahedron is stretched to %.3g times its length at rest, and "
                              "%lld are inside out: more solver.substeps (now %ld) mend it",
                              1.0 + strain, static_cast<long long>(measures.inverted_tets), now),
        strain,
        {}};
    if (now < most_substeps)
      warning.remedies.push_back({"solver.substeps", std::min(times * now, most_substeps)});
    out.push_back(std::move(warning));
  }
}

/// Joints without compliance whose anchors are apart.
void find_joints_apart(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_far_apart = 0.01;  // m
  const Measures& measures = sight.measures;
  if (measures.joint_farthest_apart < 0 || !(measures.joint_error_max > too_far_apart)) return;
  const SceneDesc& scene = sight.simulation.scene();
  const std::string& name = scene.joints[std::size_t(measures.joint_farthest_apart)].name;
  Warning warning{
      name,
      name + printed(": the joint's ends come as far as %.3g m apart (at frame %lld): what it does is not to "
                     "be trusted. A joints.%.40s.compliance of 1e-7 or more solver.substeps (now %d) may "
                     "hold it",
                     measures.joint_error_max, static_cast<long long>(sight.simulation.frame()), name.c_str(),
                     scene.solver.step->substeps),
      measures.joint_error_max, more_substeps(scene)};
  warning.remedies.push_back({"joints." + name + ".compliance", 1e-7});
  out.push_back(std::move(warning));
}

/// Surfaces that cross because cloth_collision is off.
void find_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (sight.crossings.value_or(0) == 0 || sight.simulation.scene().solver.contact->cloth_collision) return;
  out.push_back({{},
                 printed("%lld pairs of triangles cross each other: nothing keeps surfaces apart while "
                         "solver.cloth_collision is off",
                         static_cast<long long>(*sight.crossings)),
                 double(*sight.crossings),
                 {{"solver.cloth_collision", true}}});
}

/// Surfaces that stay crossed although contact pulls them apart. Contact can untangle a surface that hangs
/// over the other's border, but not two sheets that cross in their middles.
void find_kept_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (sight.crossings.value_or(0) == 0 || !sight.simulation.scene().solver.contact->cloth_collision) return;
  out.push_back(
      {{},
       printed("%lld pairs of triangles cross each other and stay so: contact keeps surfaces apart that "
               "start apart, and cannot part these; start them farther from each other",
               static_cast<long long>(*sight.crossings)),
       double(*sight.crossings),
       {}});
}

/// Whether nothing does work on the scene or stores energy that the measures do not count.
bool is_left_to_itself(const SceneDesc& scene) {
  const auto moves = [](const ColliderDesc& collider) {
    return !collider.frames.empty() || collider.linear_velocity != glm::dvec3(0.0) ||
           collider.angular_velocity != glm::dvec3(0.0) || collider.amplitude != glm::dvec3(0.0) ||
           collider.swing != glm::dvec3(0.0);
  };
  const auto springs = [](const JointDesc& joint) {
    return joint.compliance > 0.0 || joint.motor_torque > 0.0 || joint.motor_force > 0.0;
  };
  const auto stores = [](const ObjectDesc& object) {
    return object.pressure > 0.0 || traits_of(object).fluid || object.solid.cluster_size > 0.0 ||
           object.start != Start::rest || traits_of(object).rod;
  };
  return !scene.wind->enabled && scene.wind->forces.empty() && !scene.heat->enabled && scene.ties.empty() &&
         traits(scene.solver.method->kind).softness != Softness::stiffness &&
         std::none_of(scene.colliders.begin(), scene.colliders.end(), moves) &&
         std::none_of(scene.joints.begin(), scene.joints.end(), springs) &&
         std::none_of(scene.objects.begin(), scene.objects.end(), stores);
}

/// Energy gained by the solver: without external work, kinetic plus potential energy never exceeds its start
/// value plus the elastic energy of the start. A gain of a quarter of the largest kinetic energy is more than
/// rounding causes. Elastic energy counts only at the start, because a few iterations leave stiff elements
/// with errors that look like energy.
void find_made_energy(const Sight& sight, std::vector<Warning>& out) {
  constexpr double much = 0.25;
  if (!sight.alone || !sight.first_energy || !is_left_to_itself(sight.simulation.scene())) return;
  const Measures& m = sight.measures;
  const double made = m.kinetic_energy + m.potential_energy - m.elastic_energy - *sight.first_energy;
  if (!(made > much * sight.largest_kinetic_energy) || !m.inside.empty()) return;
  const int substeps = sight.simulation.scene().solver.step->substeps;
  out.push_back(
      {{},
       printed("the solver has made %.3g J (at frame %lld), where at most %.3g J moved before: what it "
               "does is not to be trusted; more solver.substeps (now %d) or iterations may hold it",
               made, static_cast<long long>(sight.simulation.frame()), sight.largest_kinetic_energy,
               substeps),
       made,
       more_substeps(sight.simulation.scene())});
}

/// Emitters blocked by fluid.
void find_blocked_mouths(const Sight& sight, std::vector<Warning>& out) {
  for (const WaitingMouth& mouth : sight.measures.waiting_mouths) {
    const std::string& name = sight.simulation.scene().objects[std::size_t(mouth.object)].name;
    out.push_back({name,
                   name + printed(": its mouth is blocked by fluid under pressure: it has waited for %.2g s, "
                                  "and lets particles out again where they have room",
                                  mouth.seconds),
                   mouth.seconds,
                   {}});
  }
}

constexpr std::array kinds{
    WarningKind{"mesh", "", Moment::start, 1, find_mesh_notes},
    WarningKind{"inside", "", Moment::start, 1, find_inside},
    WarningKind{"overlap", "", Moment::start, 1, find_overlaps},
    WarningKind{"fluid_starts", "", Moment::start, 1, find_fluid_starts},
    WarningKind{"far_joints", "", Moment::start, 1, find_far_joints},
    WarningKind{"start_crossings", "", Moment::start, 1, find_start_crossings},
    WarningKind{"thickness", "", Moment::start, 1, find_thick_cloth},
    WarningKind{"long_frame", "", Moment::setting, 1, find_long_frames},
    WarningKind{"order", "", Moment::setting, 1, find_wild_order},
    WarningKind{"method", "", Moment::setting, 1, find_method_limits},
    WarningKind{"forces", "unstable forces", Moment::setting, 1, find_fast_forces},
    WarningKind{"descent", "hardly moves", Moment::setting, 1, find_stuck_descent},
    WarningKind{"friction", "", Moment::setting, 1, find_friction_limits},
    WarningKind{"bending", "", Moment::setting, 1, find_soft_bending},
    WarningKind{"tethers", "", Moment::setting, 1, find_soft_tethers},
    WarningKind{"viscosity", "viscosity unsolved", Moment::running, 2, find_unsolved_viscosity},
    WarningKind{"undone", "frame undone", Moment::running, 1, find_undone},
    WarningKind{"off_length", "stretched", Moment::running, 2, find_off_length},
    WarningKind{"speed_limit", "at the speed limit", Moment::running, 2, find_speed_limit},
    WarningKind{"inside_out", "inside out", Moment::running, 2, find_inside_out},
    WarningKind{"kept_inside_out", "inside out", Moment::running, 3, find_kept_inside_out},
    WarningKind{"spikes", "tetrahedra stretched", Moment::running, 2, find_spikes},
    WarningKind{"crossings", "crosses itself", Moment::running, 1, find_crossings},
    WarningKind{"kept_crossings", "crosses itself", Moment::running, 18, find_kept_crossings},
    WarningKind{"made_energy", "gains energy", Moment::running, 2, find_made_energy},
    WarningKind{"blocked_mouth", "mouth blocked", Moment::running, 1, find_blocked_mouths},
    WarningKind{"joints", "joint apart", Moment::running, 1, find_joints_apart},
};

}  // namespace

std::span<const WarningKind> warning_kinds() { return kinds; }

std::vector<Warning> find_warnings(Moment moment, const Sight& sight) {
  std::vector<Warning> out;
  for (const WarningKind& kind : kinds)
    if (kind.moment == moment) kind.find(sight, out);
  return out;
}

std::string label_of(const SetValue& remedy) {
  std::string name = remedy.path.substr(remedy.path.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name + " = " + to_text(remedy.value);
}

std::string told_on_console(const Warning& warning) {
  std::string text = warning.text;
  for (std::size_t i = 0; i < warning.remedies.size(); ++i)
    text += (i == 0 ? " (--set " : " or --set ") + warning.remedies[i].path + "=" +
            to_text(warning.remedies[i].value);
  return warning.remedies.empty() ? text : text + ")";
}

}  // namespace limber
