// Faults that show between the frames of a running scene.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/finders.hpp"
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
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::finders {

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

namespace {

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

}  // namespace

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

namespace {

/// Number of tetrahedra of `object` that are inverted at `positions`.
std::int64_t inverted_tets(const ObjectModel& object, std::span<const glm::dvec3> positions) {
  return std::count_if(object.tets.begin(), object.tets.end(),
                       [&](const Tet& tet) { return tet_volume(positions, tet) < 0.0; });
}

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace limber::finders
