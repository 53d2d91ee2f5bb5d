// Functions that each find one kind of warning, and the helpers they share. warnings.cpp has the table of
// kinds.
#pragma once

#include <string>
#include <vector>

#include "app/watch/warnings.hpp"

namespace limber {
struct ObjectDesc;
}  // namespace limber

namespace limber::finders {

// Each function appends its warnings to `out`.

// start_finders.cpp: once, after a scene is built
void find_mesh_notes(const Sight& sight, std::vector<Warning>& out);
void find_inside(const Sight& sight, std::vector<Warning>& out);
void find_overlaps(const Sight& sight, std::vector<Warning>& out);
void find_fluid_starts(const Sight& sight, std::vector<Warning>& out);
void find_particle_starts(const Sight& sight, std::vector<Warning>& out);
void find_far_joints(const Sight& sight, std::vector<Warning>& out);
void find_far_ties(const Sight& sight, std::vector<Warning>& out);
void find_start_crossings(const Sight& sight, std::vector<Warning>& out);
void find_thick_cloth(const Sight& sight, std::vector<Warning>& out);
void find_idle_settings(const Sight& sight, std::vector<Warning>& out);

// setting_finders.cpp: after a build, and after every change of a solver setting
void find_long_frames(const Sight& sight, std::vector<Warning>& out);
void find_wild_order(const Sight& sight, std::vector<Warning>& out);
void find_method_limits(const Sight& sight, std::vector<Warning>& out);
void find_fast_forces(const Sight& sight, std::vector<Warning>& out);
void find_stuck_descent(const Sight& sight, std::vector<Warning>& out);
void find_friction_limits(const Sight& sight, std::vector<Warning>& out);
void find_soft_bending(const Sight& sight, std::vector<Warning>& out);
void find_soft_tethers(const Sight& sight, std::vector<Warning>& out);
void find_hasty_ties(const Sight& sight, std::vector<Warning>& out);
void find_weak_rods(const Sight& sight, std::vector<Warning>& out);
void find_small_towers(const Sight& sight, std::vector<Warning>& out);
void find_heavy_loads(const Sight& sight, std::vector<Warning>& out);

// running_finders.cpp: between frames
void find_unsolved_viscosity(const Sight& sight, std::vector<Warning>& out);
void find_undone(const Sight& sight, std::vector<Warning>& out);
void find_off_length(const Sight& sight, std::vector<Warning>& out);
void find_speed_limit(const Sight& sight, std::vector<Warning>& out);
void find_inside_out(const Sight& sight, std::vector<Warning>& out);
void find_kept_inside_out(const Sight& sight, std::vector<Warning>& out);
void find_spikes(const Sight& sight, std::vector<Warning>& out);
void find_gross_strain(const Sight& sight, std::vector<Warning>& out);
void find_joints_apart(const Sight& sight, std::vector<Warning>& out);
void find_soft_nets(const Sight& sight, std::vector<Warning>& out);
void find_crossings(const Sight& sight, std::vector<Warning>& out);
void find_kept_crossings(const Sight& sight, std::vector<Warning>& out);
void find_made_energy(const Sight& sight, std::vector<Warning>& out);
void find_blocked_mouths(const Sight& sight, std::vector<Warning>& out);

constexpr long most_substeps = 1000;  ///< upper bound of a remedy

/// Text as std::printf writes it, of at most 511 characters.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
printed(const char* format, ...);

/// Remedy: twice as many substeps, up to most_substeps.
std::vector<SetValue> more_substeps(const SceneDesc& scene);

/// Path of a setting of an object: "objects.NAME.name".
std::string setting_of(const ObjectDesc& object, const char* name);

}  // namespace limber::finders
