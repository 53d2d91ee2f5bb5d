// Finds faults of settings: time step, method, material.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/finders.hpp"
#include "app/watch/friction_limits.hpp"
#include "app/watch/method_limits.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/build/sheet_bending.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/rod.hpp"

namespace limber::finders {

/// Warns of settings for which a frame is estimated to take seconds.
void find_long_frames(const Sight& sight, std::vector<Warning>& out) {
  constexpr double per_constraint = 5e-9, per_body = 2e-7;  // s per constraint and sweep, per body and sweep
  constexpr double long_frame = 1.0;                        // s
  const SolverSettings& solver = sight.simulation.scene().solver;
  double sweep = per_body * double(sight.simulation.body_count());
  for (const BatchCount& batch : sight.simulation.batches())
    sweep += per_constraint * double(batch.constraints);
  const double frame = sweep * solver.step->substeps * solver.step->iterations;
  if (frame < long_frame) return;
  const double fewer = std::sqrt(0.1 * long_frame / frame);
  Warning warning{{},
                  printed("%d substeps of %d iterations take long: expect about %.0f s per frame or more; "
                          "reduce solver.substeps or solver.iterations",
                          solver.step->substeps, solver.step->iterations, frame),
                  frame,
                  {}};
  if (solver.step->iterations > 1)
    warning.remedies.push_back({"solver.iterations", std::max(1L, long(solver.step->iterations * fewer))});
  if (solver.step->substeps > 1)
    warning.remedies.push_back({"solver.substeps", std::max(1L, long(solver.step->substeps * fewer))});
  out.push_back(std::move(warning));
}

/// Warns of fine cloth with the orders sequential or alternating and a single iteration: the cloth becomes
/// unstable, and its contacts expensive to find. If a sweep leaves the share p of an error, the error is
/// multiplied per substep by z, with z^2 = p (2 z - 1). Coloured orders have real p and |z| <= 1. A sweep
/// along the mesh carries errors with it and has complex p: |z| = 1.2 for p = i/2. A second sweep squares p,
/// and the cloth is stable.
void find_wild_order(const Sight& sight, std::vector<Warning>& out) {
  constexpr long fine = 100;  // vertices
  const SceneDesc& scene = sight.simulation.scene();
  const SolverSettings& solver = scene.solver;
  if (is_coloured(solver.method->order) || solver.step->iterations > 1 ||
      sight.simulation.model()->vertex_count < fine || !has_any(scene.objects, &ObjectTraits::surface))
    return;
  out.push_back(
      {{},
       std::string("solver.order follows the mesh with solver.iterations 1: fine cloth becomes unstable") +
           (scene.solver.contact->cloth_collision ? ", and a frame takes up to 25 times as long" : ""),
       1.0,
       {{"solver.iterations", 2L}, {"solver.order", std::string("coloured")}}});
}

void find_method_limits(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = method_limits_text(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 1.0, {}});
}

/// Warns of forces too stiff for the step: symplectic Euler gains energy without bound if h omega is 2 or
/// more.
void find_fast_forces(const Sight& sight, std::vector<Warning>& out) {
  constexpr double safe = 1.8;  // instead of 2, because fastest_swing() estimates omega from below
  const SceneDesc& scene = sight.simulation.scene();
  if (scene.solver.method->kind != SolverMethod::forces) return;
  const double turn = sight.simulation.fastest_swing() * scene.solver.step->dt;  // rad, omega dt
  const int substeps = scene.solver.step->substeps;
  if (turn / substeps < safe) return;
  const double wanted = std::ceil(turn / safe);
  Warning warning{{},
                  printed("solver.method forces is stable below h omega = 2, which is %.3g here: stiff parts "
                          "gain energy until the frame is undone; %.0f solver.substeps are stable",
                          turn / substeps, wanted),
                  turn / substeps,
                  {}};
  if (wanted <= double(most_substeps)) warning.remedies.push_back({"solver.substeps", long(wanted)});
  warning.remedies.push_back({"solver.method", std::string("xpbd")});
  out.push_back(std::move(warning));
}

/// Warns of gradient descent with too few iterations. Vertices of the stiffest elements need about (h
/// omega)^2 iterations to move; with far fewer they hang in the air. Where all elements are alike, all does:
/// chains of 20 links fall by 98 % or more of their way in 40 frames at up to 1 (h omega)^2 per iteration, by
/// 57 to 100 % at 3 to 5, by -17 to 98 % at 11 to 28, by 13 % or less from 100 on.
void find_stuck_descent(const Sight& sight, std::vector<Warning>& out) {
  constexpr double tolerated = 10.0, wanted = 3.0;  // (h omega)^2 per iteration
  constexpr double largest_floor = 1e-2;            // m/N
  const SceneDesc& scene = sight.simulation.scene();
  const SolverSettings& solver = scene.solver;
  if (solver.method->kind != SolverMethod::descent) return;
  const double turn = sight.simulation.fastest_swing() * solver.step->dt / solver.step->substeps;
  const double stiffness = turn * turn / solver.step->iterations;
  if (!(stiffness > tolerated)) return;
  const double floor = solver.method->compliance_floor * stiffness / wanted;
  Warning warning{
      {},
      printed("solver.method descent needs about %.1g iterations per substep (now %d) for the stiffest "
              "elements: such an element hardly moves and may hang in the air",
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

/// Warns of cloth that sags more than its bend_compliance implies, because too few sweeps carry its
/// stiffness.
void find_soft_bending(const Sight& sight, std::vector<Warning>& out) {
  const SceneDesc& scene = sight.simulation.scene();
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
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
    Warning warning{
        object.name,
        object.name +
            printed(": held at one end it sags about %.2g times as far as its material.bend_compliance "
                    "implies, with %d solver.substeps of %d iterations; %.0f substeps are enough",
                    1.0 + excess, now, scene.solver.step->iterations, wanted),
        excess,
        {}};
    if (wanted <= double(most_substeps)) warning.remedies.push_back({"solver.substeps", long(wanted)});
    out.push_back(std::move(warning));
  }
}

/// Warns of tethers on soft cloth. A tether bounds the distance of a vertex from its pin by the path along
/// the mesh. Cloth that its own weight stretches, by a strain of rho g h / (E t), would hang lower: the
/// tethers then carry the rows of vertices below the pins, and these rows stand up as a crown.
void find_soft_tethers(const Sight& sight, std::vector<Warning>& out) {
  constexpr double soft = 0.1;
  const SceneDesc& scene = sight.simulation.scene();
  if (traits(scene.solver.method->kind).softness == Softness::stiffness) return;  // ignores compliance
  const double gravity = glm::length(scene.solver.motion->gravity);
  for (const ObjectDesc& object : scene.objects) {
    if (!object.tethers || !traits_of(object).surface) continue;
    const double height = std::max(object.cloth->width, object.cloth->height);
    const double strain = object.material->density * gravity * height * object.material->stretch_compliance;
    if (strain <= std::max(soft, 2.0 * (object.tether_slack - 1.0))) continue;
    out.push_back(
        {object.name,
         object.name + printed(": its material.stretch_compliance, %.3g m/N, lets it stretch by about %.0f "
                               "%% under its own weight, but its tethers keep the rest distance of every "
                               "vertex from the pins: there the cloth stands up as a crown",
                               object.material->stretch_compliance, 100.0 * strain),
         strain,
         {{setting_of(object, "tethers"), false}, {setting_of(object, "material.stretch_compliance"), 0.0}}});
  }
}

/// Warns of rods that are tied to something, with one iteration: ties and rods answer each other in turn, and
/// a stiff one whose load is tied to it then throws it away.
void find_hasty_ties(const Sight& sight, std::vector<Warning>& out) {
  constexpr int fewest = 2, enough = 4;
  const SceneDesc& scene = sight.simulation.scene();
  if (scene.solver.step->iterations >= fewest) return;
  for (const ObjectDesc& object : scene.objects) {
    const auto names = [&](const std::string& end) {  // "rope" or "rope[3]"
      return end.substr(0, end.find('[')) == object.name;
    };
    const bool tied = std::any_of(scene.ties.begin(), scene.ties.end(),
                                  [&](const TieDesc& tie) { return names(tie.a) || names(tie.b); });
    if (!traits_of(object).rod || !tied) continue;
    out.push_back({object.name,
                   object.name + printed(": a tied rod and its ties answer each other by iteration "
                                         "(solver.iterations, now %d): with one, a heavy load can fly away; "
                                         "%d iterations are enough",
                                         scene.solver.step->iterations, enough),
                   1.0,
                   {{"solver.iterations", long(enough)}}});
  }
}

/// Warns of rods that a weight at their end stretches to twice their length or more. A real rod would break;
/// here it follows its law. Rods without a preset have the modulus of a jelly.
void find_weak_rods(const Sight& sight, std::vector<Warning>& out) {
  constexpr double most_strain = 1.0, falls = 3.0, remedied = 0.01;
  const SceneDesc& scene = sight.simulation.scene();
  const double g = glm::length(scene.solver.motion->gravity);
  for (const ObjectDesc& object : scene.objects) {
    if (!traits_of(object).rod || !(object.rod->end_mass > 0.0) || object.material->break_tension > 0.0)
      continue;
    const double area = rod_section(object.rod->radius, object.rod->flatness, object.rod->hollow).area,
                 strain = object.rod->end_mass * g / (object.material->youngs_modulus * area);
    if (strain < most_strain) continue;
    out.push_back({object.name,
                   object.name + printed(": %.3g kg at its end (end_mass) would stretch it to %.3g times its "
                                         "length, if it did not break: %sa youngs_modulus (now %.3g Pa) like "
                                         "that of real matter (made_of) or less weight helps",
                                         object.rod->end_mass, 1.0 + strain,
                                         strain < falls ? "" : "the weight falls almost freely; ",
                                         object.material->youngs_modulus),
                   strain,
                   {{setting_of(object, "end_mass"), object.rod->end_mass * remedied / strain}}});
  }
}

/// Warns of towers of small boxes in long substeps. What happens depends on h^2 g / l alone, with l the
/// height of a box: towers of 5 fall over from 0.006 on, towers of 10 from 0.0008, at 1 m as at 1 cm, which
/// is about 0.7 over the cube of the number of boxes.
void find_small_towers(const Sight& sight, std::vector<Warning>& out) {
  constexpr double most = 0.6, wanted = 0.4, beside = 1.1;
  const SceneDesc& scene = sight.simulation.scene();
  const double h = scene.solver.step->dt / scene.solver.step->substeps,
               fall = h * h * glm::length(scene.solver.motion->gravity);
  for (const BodyDesc& body : scene.bodies) {
    const double height = 2.0 * body.half_extents.y, boxes = std::round(body.copies.y);
    if (body.shape != BodyShape::box || body.fixed || body.arrangement != Arrangement::lattice ||
        boxes < 3.0 || !(body.spacing.y <= beside * height) ||
        !(fall * boxes * boxes * boxes > most * height))
      continue;
    const double substeps =
        std::ceil(scene.solver.step->substeps * std::sqrt(fall * boxes * boxes * boxes / (wanted * height)));
    Warning warning{
        body.name,
        body.name + printed(": a tower of %.0f boxes of %.2g m falls over with %d solver.substeps, "
                            "because small things move far for their size in a substep; %.0f are "
                            "enough",
                            boxes, height, scene.solver.step->substeps, substeps),
        fall / height,
        {}};
    if (substeps <= double(most_substeps)) warning.remedies.push_back({"solver.substeps", long(substeps)});
    out.push_back(std::move(warning));
  }
}

/// Tetrahedra that stand above others of a small share of their density. With one sweep per substep a block
/// 100 times as dense rocks, more and more, until it falls, in float and double and with 10 to 40 substeps;
/// probably because a sweep passes a load on from light vertices to heavy ones a substep late. Ten iterations
/// hold it at its static strain.
void find_heavy_loads(const Sight& sight, std::vector<Warning>& out) {
  constexpr double heavy = 30.0;
  constexpr int enough = 10;
  const SceneDesc& scene = sight.simulation.scene();
  const SceneModel& model = *sight.simulation.model();
  if (!scene.solver.contact->cloth_collision || scene.solver.step->automatic_iterations ||
      scene.solver.step->iterations >= enough || !traits(scene.solver.method->kind).iterates)
    return;
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  const auto box_of = [&](const ObjectModel& object) {
    std::array<glm::dvec3, 2> box{glm::dvec3(std::numeric_limits<double>::max()),
                                  glm::dvec3(std::numeric_limits<double>::lowest())};
    for (Index i = object.first_vertex; i < object.first_vertex + object.vertex_count; ++i) {
      box[0] = glm::min(box[0], positions[std::size_t(i)]);
      box[1] = glm::max(box[1], positions[std::size_t(i)]);
    }
    return box;
  };
  std::vector<std::size_t> blocks;
  for (std::size_t o = 0; o < model.objects.size(); ++o)
    if (traits_of(scene.objects[std::size_t(model.objects[o].source)]).material & material_part::tets)
      blocks.push_back(o);
  for (const std::size_t above : blocks)
    for (const std::size_t below : blocks) {
      const ObjectDesc &load = scene.objects[std::size_t(model.objects[above].source)],
                       &base = scene.objects[std::size_t(model.objects[below].source)];
      const double ratio = load.density / base.density;
      if (!(ratio >= heavy)) continue;
      const auto high = box_of(model.objects[above]), low = box_of(model.objects[below]);
      const bool over = high[0].x < low[1].x && low[0].x < high[1].x && high[0].z < low[1].z &&
                        low[0].z < high[1].z && high[0].y + high[1].y > low[0].y + low[1].y;
      if (!over) continue;
      out.push_back(
          {base.name,
           load.name + " is above " + base.name +
               printed(" and %.3g times as dense: with %d of %d solver.iterations the lower block may "
                       "let it rock and fall",
                       ratio, scene.solver.step->iterations, enough),
           ratio,
           {{"solver.iterations", long(enough)}}});
    }
}

}  // namespace limber::finders
