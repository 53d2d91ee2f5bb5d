#include "engine/core/report_table.hpp"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

namespace limber {
namespace {

/// Reads a member of the state, or of the frames.
template <auto member>
ReportValue of(const Measures& state, const FrameCounts& frames) {
  if constexpr (requires { state.*member; })
    return state.*member;
  else if constexpr (requires { (frames.*member).has_value(); })
    return (frames.*member).value_or(0);
  else
    return frames.*member;
}

/// Whether the state has the subject of a number.
template <bool Measured::*subject>
bool has(const Measures& state, const FrameCounts&) {
  return state.measured.*subject;
}

bool counted(const Measures&, const FrameCounts& frames) { return frames.intersections.has_value(); }

std::int64_t all_nonfinite(const Measures& state, const FrameCounts& frames) {
  return state.nonfinite + frames.nonfinite_frames;
}

constexpr std::array table{
    ReportRow{"kinetic_energy", "J", "Of particles and bodies.", of<&Measures::kinetic_energy>,
              Panel::always},
    ReportRow{"potential_energy", "J",
              "Energy of gravity, counted from the origin, and of all that is stretched, bent or squeezed.",
              of<&Measures::potential_energy>, Panel::always},
    ReportRow{"momentum", "kg m/s", "Of particles and bodies.", of<&Measures::momentum>},
    ReportRow{"angular_momentum", "kg m^2/s", "About the origin.", of<&Measures::angular_momentum>},
    ReportRow{"strain", "1", "|length / rest length - 1| of edges, springs and ropes.", of<&Measures::strain>,
              Panel::with_constraints, has<&Measured::lengths>},
    ReportRow{"volume_error_max", "1", "Largest |V / (k_p V0) - 1| of objects under pressure.",
              of<&Measures::volume_error_max>, Panel::never, has<&Measured::pressure>},
    ReportRow{"intersections", "",
              "Largest number of intersecting pairs of triangles in any frame; counted in every frame with "
              "cloth_collision, else once a second.",
              of<&FrameCounts::intersections>, Panel::never, counted},
    ReportRow{"last_intersection", "s",
              "Time of the last counted frame with intersections; 0: there was none.",
              of<&FrameCounts::last_intersection>, Panel::never, counted},
    ReportRow{"in_zones", "",
              "Particles that had to move together in the last frame because they would have passed through "
              "each other.",
              of<&FrameCounts::in_zones>},
    ReportRow{"elastic_energy", "J",
              "Energy of constraints with compliance: of all that is stretched, bent or squeezed.",
              of<&Measures::elastic_energy>},
    ReportRow{"inverted_tets", "", "Tetrahedra that are inside out.", of<&Measures::inverted_tets>,
              Panel::with_tets},
    ReportRow{
        "plastic_strain_max", "",
        "Largest plastic strain of a cluster or tetrahedron: how far its rest shape is from its initial one.",
        of<&Measures::plastic_strain_max>, Panel::never},
    ReportRow{"skin_depth", "1",
              "Largest depth of a skin vertex of a soft solid in a collider or body, as a share of the "
              "solid's longest side.",
              of<&Measures::skin_depth>, Panel::never, has<&Measured::skins>},
    ReportRow{"tears", "", "Vertices that tears and cuts have made, and particles that have left clusters.",
              of<&Measures::tears>},
    ReportRow{"joint_error_max", "m",
              "Largest distance between the two points that a rigid joint should hold together.",
              of<&Measures::joint_error_max>, Panel::with_joints, has<&Measured::joints>},
    ReportRow{"broken_joints", "", "Joints that broke.", of<&Measures::broken_joints>},
    ReportRow{
        "swept_joints", "",
        "Joints of nets that sweeps solve, not exactly (solver.joints): joint_error_max is mostly theirs.",
        of<&Measures::swept_joints>, Panel::never},
    ReportRow{"tie_gap_max", "m",
              "Largest distance between the two points that a tie without compliance should hold together.",
              of<&Measures::tie_gap_max>, Panel::never, has<&Measured::ties>},
    ReportRow{"tie_force_max", "N", "Largest force of a tie, summed over its points.",
              of<&Measures::tie_force_max>, Panel::never, has<&Measured::all_ties>},
    ReportRow{"broken_ties", "", "Points of ties that came loose.", of<&Measures::broken_ties>},
    ReportRow{"rod_segments", "", "Segments of rods.", of<&Measures::rod_segments>},
    ReportRow{"rod_tension_max", "N", "Largest tension of a segment of a rod.",
              of<&Measures::rod_tension_max>, Panel::with_rods, has<&Measured::rods>},
    ReportRow{"rod_bend_energy", "J", "Energy of the bending of rods.", of<&Measures::rod_bend_energy>,
              Panel::with_rods, has<&Measured::rods>},
    ReportRow{"rod_twist_energy", "J", "Energy of the twist of rods.", of<&Measures::rod_twist_energy>,
              Panel::with_rods, has<&Measured::rods>},
    ReportRow{"end_force_max", "N",
              "Largest force of a rod's end on what holds it: a pin, a clamp, a tie or a mass.",
              of<&Measures::end_force_max>, Panel::with_rods, has<&Measured::rods>},
    ReportRow{"end_torque_max", "N m", "Largest torque of a rod on a clamp at its end.",
              of<&Measures::end_torque_max>, Panel::with_rods, has<&Measured::rods>},
    ReportRow{"rod_link", "turns",
              "Link of the first ring of up to 400 segments: its twist and its writhe together.",
              of<&Measures::rod_link>, Panel::never, has<&Measured::rings>},
    ReportRow{"rod_twist", "turns", "Twist of the first ring about its tangents.", of<&Measures::rod_twist>,
              Panel::never, has<&Measured::rings>},
    ReportRow{"rod_writhe", "turns", "Writhe of the first ring: how far it coils about itself in space.",
              of<&Measures::rod_writhe>, Panel::never, has<&Measured::rings>},
    ReportRow{"sleeping_bodies", "", "Bodies that sleep.", of<&Measures::sleeping_bodies>},
    ReportRow{"spin_max", "deg/s", "Angular speed of the body that turns fastest.", of<&Measures::spin_max>,
              Panel::never, has<&Measured::bodies>},
    ReportRow{"penetration_max", "m",
              "Deepest that a particle is in a collider, a body or a grain, or a body in another one. Pairs "
              "of which nothing can be moved do not count.",
              of<&Measures::penetration_max>, Panel::with_bodies},
    ReportRow{"grain_slope", "degrees", "Slope of the heap that the grains form.", of<&Measures::grain_slope>,
              Panel::with_grains, has<&Measured::grains>},
    ReportRow{"density_error", "1",
              "How much denser the fluid is than at rest: max(0, density / rest density - 1).",
              of<&Measures::density_error>, Panel::with_fluids, has<&Measured::fluids>},
    ReportRow{"fluid_gap", "1",
              "Mean distance of a fluid particle to its nearest neighbour (at most 2), in particle "
              "diameters: it is small where particles clump.",
              of<&Measures::fluid_gap>, Panel::never, has<&Measured::fluids>},
    ReportRow{"spray", "", "Drops of spray, foam and bubbles, which are drawn and act on nothing.",
              of<&Measures::spray>, Panel::with_fluids},
    ReportRow{"fluid_particles", "", "Particles of fluids in the scene.", of<&Measures::fluid_particles>,
              Panel::with_fluids},
    ReportRow{"emitted", "", "Fluid particles that emitters have added.", of<&Measures::emitted>},
    ReportRow{"drained", "", "Fluid particles that have run into a drain.", of<&Measures::drained>},
    ReportRow{"lost", "",
              "Fluid particles that fell or flew out of the scene, farther than can be computed with, and "
              "were removed.",
              of<&Measures::lost>, Panel::with_fluids},
    ReportRow{"heat", "J", "Enthalpy of particles and bodies above that of frozen matter at 0 degrees C.",
              of<&Measures::heat>, Panel::never, has<&Measured::heat>},
    ReportRow{"heat_supplied", "J", "Heat that air, colliders, held particles and brushes have given so far.",
              of<&Measures::heat_supplied>, Panel::never, has<&Measured::heat>},
    ReportRow{"temperature", "deg C",
              "Of particles and bodies; the mean is weighted with their heat capacity.",
              of<&Measures::temperature>, Panel::with_heat, has<&Measured::heat>},
    ReportRow{"molten_share", "1", "Molten share of the mass of what can melt.", of<&Measures::molten_share>,
              Panel::with_heat, has<&Measured::melts>},
    ReportRow{"chunks", "", "Rigid chunks of frozen particles.", of<&Measures::chunks>, Panel::never,
              has<&Measured::melts>},
    ReportRow{"phase_changes", "", "How often particles have melted or frozen.", of<&Measures::phase_changes>,
              Panel::never, has<&Measured::melts>},
    ReportRow{"heat_substeps", "", "Sub-steps that the exchange of heat needed in the last frame.",
              of<&Measures::heat_substeps>, Panel::never, has<&Measured::heat>},
    ReportRow{
        "heat_reached", "1",
        "Share of the last frame's time that the sub-steps of heat covered: below 1 where it would need "
        "more than 1000.",
        of<&Measures::heat_reached>, Panel::never, has<&Measured::heat>},
    ReportRow{"air_force", "N", "Force of the air on everything, at the end of the last frame.",
              of<&Measures::air_force>, Panel::never, has<&Measured::air>},
    ReportRow{"drag", "N",
              "Force of the air along the relative wind, summed over triangles, segments and bodies.",
              of<&Measures::drag>, Panel::with_air, has<&Measured::air>},
    ReportRow{"lift", "N", "Length of the sum of the forces of the air across the relative wind.",
              of<&Measures::lift>, Panel::with_air, has<&Measured::air>},
    ReportRow{"mean_speed", "m/s", "Mean over movable particles and bodies.", of<&Measures::mean_speed>,
              Panel::always},
    ReportRow{"max_speed", "m/s", "Fastest particle or body.", of<&Measures::max_speed>},
    ReportRow{"nonfinite", "", "Particles and frames with a value that is no number; frames are undone.",
              [](const Measures& state, const FrameCounts& frames) -> ReportValue {
                return all_nonfinite(state, frames);
              }},
    ReportRow{"at_rest", "", "Whether the mean speed is below 5 mm/s.",
              [](const Measures& state, const FrameCounts& frames) -> ReportValue {
                return all_nonfinite(state, frames) == 0 && state.mean_speed < rest_speed;
              }},
};

}  // namespace

std::span<const ReportRow> report_table() { return table; }

const ReportRow* report_row(std::string_view path) {
  const std::string_view name = path.substr(0, path.find('.'));
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const ReportRow& r) { return r.name == name; });
  return row == table.end() ? nullptr : &*row;
}

std::vector<std::pair<std::string, double>> scalars_of(const ReportRow& row, const ReportValue& value) {
  const std::string name(row.name);
  if (const auto* spread = std::get_if<MeanMax>(&value))
    return {{name + ".mean", spread->mean}, {name + ".max", spread->max}};
  if (const auto* vector = std::get_if<glm::dvec3>(&value))
    return {{name + ".x", vector->x},
            {name + ".y", vector->y},
            {name + ".z", vector->z},
            {name + ".length", glm::length(*vector)}};
  const double number = std::visit(
      [](const auto& single) {
        if constexpr (requires { double(single); }) return double(single);
        return 0.0;
      },
      value);
  return {{name, number}};
}

}  // namespace limber
