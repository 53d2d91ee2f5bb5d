// Finds faults of a running scene, between its frames.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/finders.hpp"
#include "engine/core/measures.hpp"
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
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/solid.hpp"

namespace limber::finders {

/// Warns if the equations of implicit viscosity were not solved to the tolerance.
void find_unsolved_viscosity(const Sight& sight, std::vector<Warning>& out) {
  constexpr double most = 1e-3;
  if (!(sight.viscosity_residual > most)) return;
  Warning warning{
      {},
      printed("implicit viscosity was solved to %.1g of the fluid's speed only: the fluid flows slower or "
              "faster than its viscosity implies; more solver.substeps help",
              sight.viscosity_residual),
      sight.viscosity_residual,
      more_substeps(sight.simulation.scene())};
  out.push_back(std::move(warning));
}

void find_undone(const Sight& sight, std::vector<Warning>& out) {
  if (!sight.undone) return;
  const SceneDesc& scene = sight.simulation.scene();
  Warning warning{{},
                  printed("a value became non-finite in frame %lld, which was undone; smaller steps help",
                          static_cast<long long>(sight.simulation.frame() + 1)),
                  1.0,
                  more_substeps(scene)};
  warning.remedies.push_back({"solver.dt", std::max(0.5 * scene.solver.step->dt, 1e-4)});
  out.push_back(std::move(warning));
}

namespace {

/// The warning for a closed surface that cannot stretch (no stretch_compliance) and that its pressure
/// stretches.
Warning asks_too_much(const ObjectDesc& object, double misfit) {
  return {
      object.name,
      object.name +
          printed(
              ": its pressure (%.3g) asks for more than its skin gives: edges of the skin are %.0f %% off "
              "their rest lengths on average; a lower objects.%.40s.pressure or a larger "
              "material.stretch_compliance (now 0) helps",
              object.pressure, 100.0 * misfit, object.name.c_str()),
      misfit,
      {{setting_of(object, "material.stretch_compliance"), 0.02}}};
}

}  // namespace

/// Mean strain of an object that its material does not explain, beyond which its lengths are not held. Woven
/// cloth breaks at 10 to 30 %.
constexpr double off_on_average = 0.2;

/// Warns of strain that the material does not explain, by the mean over an object. The largest strain is no
/// measure: the few edges beside a pin carry the whole cloth, so their strain grows with the resolution.
/// One shipped scene reaches 15 % for a moment, all others stay below 5 %.
/// With one substep per frame the strain is 20 to 35 % for frames of 1/60 s, and 30 to 110 % for frames of
/// 0.1 s.
void find_off_length(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_much_blown_up = 0.1;
  constexpr double share_of_slivers = 0.5;  // strained edges of all lengths give two similar means
  const SceneDesc& scene = sight.simulation.scene();
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    const double misfit = sight.measures.object_misfit[o], by_length = sight.measures.object_length_misfit[o];
    // A pressure stretches a sphere at most by the cube root of its volume factor. If the strain is more than
    // twice as large, it has another cause.
    const bool blown_up = object.pressure > 1.0 && object.material->stretch_compliance == 0.0 &&
                          misfit < 2.0 * (std::cbrt(object.pressure) - 1.0);
    if (!traits_of(object).keeps_lengths || object.material->tear_strain != 0.0 ||
        !(misfit > (blown_up ? too_much_blown_up : off_on_average)))
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
                            ": its edges are off their lengths by %.0f %% on average, but only by %.0f %% if "
                            "long edges count more: the mesh has edges far shorter than others; a larger "
                            "objects.%.40s.weld (now %.3g) removes more of them",
                            100.0 * misfit, 100.0 * by_length, object.name.c_str(), now);
      warning.remedies = {{setting_of(object, "weld"), now > 0.0 ? std::min(4.0 * now, 0.2) : 1e-3}};
    } else {
      warning.text =
          object.name + printed(
                            ": its edges are off their lengths by %.0f %% on average, more than its material "
                            "gives; more solver.substeps (now %d) or a shorter solver.dt (now %.3g s) help",
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
                 printed("something moves at solver.max_speed, %.3g m/s: unless it was thrown at this speed, "
                         "the solver has lost it; more solver.substeps (now %d) help",
                         solver.motion->max_speed, solver.step->substeps),
                 1.0,
                 more_substeps(sight.simulation.scene())});
}

/// Warns of solids with many inverted tetrahedra. A solid that is pressed flat has some for a while.
void find_inside_out(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_many = 0.05;
  const Measures& measures = sight.measures;
  if (measures.tets == 0 || double(measures.inverted_tets) <= too_many * double(measures.tets)) return;
  const SceneDesc& scene = sight.simulation.scene();
  out.push_back({{},
                 printed("%lld of %lld tetrahedra are inverted (inside out); more solver.substeps (now %d) "
                         "or a larger material.youngs_modulus help",
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

/// Warns of a few elements that stay inverted, too few for find_inside_out(). Thin elements that an impact
/// inverted recover if the substep is short compared with their oscillations, which `auto` provides. Elements
/// that a load inverts do not recover with any number of substeps.
void find_kept_inside_out(const Sight& sight, std::vector<Warning>& out) {
  if (sight.measures.inverted_tets == 0) return;
  const SceneDesc& scene = sight.simulation.scene();
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  for (const ObjectModel& object : model.objects) {
    const std::int64_t inverted = inverted_tets(object, positions);
    if (inverted == 0) continue;
    const long now = scene.solver.step->substeps;
    const bool few_substeps = now < SubstepChoice::most;
    Warning warning{
        object.name,
        object.name + printed(": %lld of %lld tetrahedra stay inverted with %ld solver.substeps; %s",
                              static_cast<long long>(inverted), static_cast<long long>(object.tets.size()),
                              now,
                              few_substeps ? "up to 40 turn tetrahedra back that an impact inverted"
                                           : "more do not help, because the load is more than the solid can "
                                             "bear: reduce the load or thicken the solid"),
        double(inverted) / double(object.tets.size()),
        {}};
    if (few_substeps) warning.remedies.push_back({"solver.substeps", long(SubstepChoice::most)});
    out.push_back(std::move(warning));
  }
}

/// Warns of spikes of a solid: a few thin tetrahedra whose corners the sweeps throw about. The share of
/// inverted elements does not show them, because most of the mesh is intact. Measured on a dropped mesh of
/// 11,866 elements with dihedral angles from 2.5 degrees: with 10 substeps some elements are 7 times as long,
/// with the 40 that `auto` chooses 3 times.
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
    Warning warning{object.name,
                    object.name + printed(": a tetrahedron is stretched to %.3g times its rest length, and "
                                          "%lld are inverted; more solver.substeps (now %ld) help",
                                          1.0 + strain, static_cast<long long>(measures.inverted_tets), now),
                    strain,
                    {}};
    if (now < most_substeps)
      warning.remedies.push_back({"solver.substeps", std::min(times * now, most_substeps)});
    out.push_back(std::move(warning));
  }
}

namespace {

/// Whether the settings of an object let it stretch like rubber: sheets and springs of 1,000 N/m and less,
/// rods of 10 MPa and less.
bool is_rubber(const SceneDesc& scene, const ObjectDesc& object) {
  constexpr double compliance = 1e-3, modulus = 1e7, stiffness = 0.1;  // m/N, Pa, share per iteration
  if (traits_of(object).rod) return object.material->youngs_modulus <= modulus;
  if (traits(scene.solver.method->kind).softness == Softness::stiffness)
    return object.material->stretch_stiffness <= stiffness;
  return object.material->stretch_compliance >= compliance;
}

}  // namespace

/// Warns of single edges that are stretched to several times their length, in objects that are no rubber. The
/// mean over an object does not show where a sheet is torn out at one corner; where it does,
/// find_off_length() tells.
void find_gross_strain(const Sight& sight, std::vector<Warning>& out) {
  constexpr double six_times = 5.0;
  const SceneDesc& scene = sight.simulation.scene();
  const Measures& measures = sight.measures;
  for (std::size_t o = 0; o < scene.objects.size() && o < measures.object_strain.size(); ++o) {
    const ObjectDesc& object = scene.objects[o];
    const double strain = measures.object_strain[o].max;
    const bool tears = object.material->tear_strain > 0.0;  // an edge is long before it tears
    if ((traits_of(object).material & material_part::tets) != 0 || !(strain > six_times) || tears ||
        measures.object_misfit[o] > off_on_average || is_rubber(scene, object))
      continue;
    out.push_back(
        {object.name,
         object.name + printed(": an edge is stretched to %.3g times its rest length, far more than "
                               "its material gives; more solver.substeps (now %d), or less load on "
                               "it, help",
                               1.0 + strain, scene.solver.step->substeps),
         strain, more_substeps(scene)});
  }
}

/// Warns of joints without compliance whose anchors are apart.
void find_joints_apart(const Sight& sight, std::vector<Warning>& out) {
  constexpr double too_far_apart = 0.01;  // m
  const Measures& measures = sight.measures;
  if (measures.joint_farthest_apart < 0 || !(measures.joint_error_max > too_far_apart)) return;
  const SceneDesc& scene = sight.simulation.scene();
  const std::string& name = scene.joints[std::size_t(measures.joint_farthest_apart)].name;
  Warning warning{
      name,
      name + printed(": the joint's ends come as far as %.3g m apart (in frame %lld), so its motion is "
                     "wrong; a joints.%.40s.compliance of 1e-7 or more solver.substeps (now %d) may help",
                     measures.joint_error_max, static_cast<long long>(sight.simulation.frame()), name.c_str(),
                     scene.solver.step->substeps),
      measures.joint_error_max, more_substeps(scene)};
  warning.remedies.push_back({"joints." + name + ".compliance", 1e-7});
  out.push_back(std::move(warning));
}

/// Warns of nets that resist bending and are solved by sweeps alone, which leave them softer than their
/// joints: those with joints that break, give or turn.
void find_soft_nets(const Sight& sight, std::vector<Warning>& out) {
  if (sight.measures.swept_joints == 0) return;
  const std::vector<JointDesc>& joints = sight.simulation.scene().joints;
  const auto is_stiff = [](const JointDesc& joint) {
    return joint.type == JointType::fixed || joint.type == JointType::slider;
  };
  const auto is_braced = [&](const JointDesc& joint) {
    return is_stiff(joint) && !(joint.break_force > 0.0) && joint.compliance == 0.0 &&
           joint.angular_compliance == 0.0;
  };
  if (std::all_of(joints.begin(), joints.end(), is_braced)) return;
  for (const JointDesc& joint : joints)
    if (is_stiff(joint))
      return out.push_back(
          {joint.name,
           joint.name + printed(": part of a net of %lld joints that sweeps solve; nets with "
                                "fixed joints or sliders bend more than they should",
                                static_cast<long long>(sight.measures.swept_joints)),
           double(sight.measures.swept_joints),
           {{"solver.joints", std::string("direct")}}});
}

/// Warns of surfaces that cross because cloth_collision is off.
void find_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (sight.crossings.value_or(0) == 0 || sight.simulation.scene().solver.contact->cloth_collision) return;
  out.push_back({{},
                 printed("%lld pairs of triangles cross each other, because solver.cloth_collision is off "
                         "and nothing keeps surfaces apart",
                         static_cast<long long>(*sight.crossings)),
                 double(*sight.crossings),
                 {{"solver.cloth_collision", true}}});
}

/// Warns of surfaces that stay crossed although cloth_collision is on. Contact can separate surfaces if one
/// hangs over the border of the other, but not two sheets that cross in their middles.
void find_kept_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (sight.crossings.value_or(0) == 0 || !sight.simulation.scene().solver.contact->cloth_collision) return;
  out.push_back(
      {{},
       printed("%lld pairs of triangles cross each other and stay so: contact keeps surfaces apart only if "
               "they start apart; start them farther from each other",
               static_cast<long long>(*sight.crossings)),
       double(*sight.crossings),
       {}});
}

namespace {

/// True if nothing does work on the scene or has stored energy at the start that the measures do not count.
/// (Soft solids begin in their rest shape.)
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
    return object.pressure > 0.0 || traits_of(object).fluid || object.start != Start::rest ||
           traits_of(object).rod;
  };
  return !scene.wind->enabled && scene.wind->forces.empty() && !scene.heat->enabled && scene.ties.empty() &&
         traits(scene.solver.method->kind).softness != Softness::stiffness &&
         std::none_of(scene.colliders.begin(), scene.colliders.end(), moves) &&
         std::none_of(scene.joints.begin(), scene.joints.end(), springs) &&
         std::none_of(scene.objects.begin(), scene.objects.end(), stores);
}

}  // namespace

/// Warns of energy that the solver added. Without external work, kinetic plus potential energy never exceeds
/// its start value plus the elastic energy of the start. A gain of a quarter of the largest kinetic energy is
/// more than rounding causes. Elastic energy counts only at the start, because after a few iterations stiff
/// elements have errors that look like energy.
void find_made_energy(const Sight& sight, std::vector<Warning>& out) {
  constexpr double much = 0.25;
  if (!sight.alone || !sight.first_energy || !is_left_to_itself(sight.simulation.scene())) return;
  const Measures& m = sight.measures;
  const double made = m.kinetic_energy + m.potential_energy - m.elastic_energy - *sight.first_energy;
  if (!(made > much * sight.largest_kinetic_energy) || !m.inside.empty()) return;
  const int substeps = sight.simulation.scene().solver.step->substeps;
  out.push_back(
      {{},
       printed("the solver has added %.3g J (in frame %lld), while the kinetic energy was at most %.3g J "
               "before: the motion is wrong; more solver.substeps (now %d) or iterations may help",
               made, static_cast<long long>(sight.simulation.frame()), sight.largest_kinetic_energy,
               substeps),
       made,
       more_substeps(sight.simulation.scene())});
}

/// Warns of emitters whose mouth is blocked by fluid.
void find_blocked_mouths(const Sight& sight, std::vector<Warning>& out) {
  for (const WaitingMouth& mouth : sight.measures.waiting_mouths) {
    const std::string& name = sight.simulation.scene().objects[std::size_t(mouth.object)].name;
    out.push_back({name,
                   name + printed(": its mouth is blocked by fluid under pressure: it has waited for %.2g s "
                                  "and emits particles again when they have room",
                                  mouth.seconds),
                   mouth.seconds,
                   {}});
  }
}

}  // namespace limber::finders
