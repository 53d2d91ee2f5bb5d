#include "app/watch/warnings.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "app/watch/finders.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace finders {

std::string printed(const char* format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

std::vector<SetValue> more_substeps(const SceneDesc& scene) {
  const long now = scene.solver.step->substeps;
  if (now >= most_substeps) return {};
  return {{"solver.substeps", std::clamp(2 * now, 10L, most_substeps)}};
}

std::string setting_of(const ObjectDesc& object, const char* name) {
  return "objects." + object.name + "." + name;
}

}  // namespace finders

namespace {

constexpr std::array kinds{
    WarningKind{"mesh", "", Moment::start, 1, finders::find_mesh_notes},
    WarningKind{"inside", "", Moment::start, 1, finders::find_inside},
    WarningKind{"overlap", "", Moment::start, 1, finders::find_overlaps},
    WarningKind{"fluid_starts", "", Moment::start, 1, finders::find_fluid_starts},
    WarningKind{"particle_starts", "", Moment::start, 1, finders::find_particle_starts},
    WarningKind{"far_joints", "", Moment::start, 1, finders::find_far_joints},
    WarningKind{"far_ties", "", Moment::start, 1, finders::find_far_ties},
    WarningKind{"start_crossings", "", Moment::start, 1, finders::find_start_crossings},
    WarningKind{"thickness", "", Moment::start, 1, finders::find_thick_cloth},
    WarningKind{"idle", "", Moment::start, 1, finders::find_idle_settings},
    WarningKind{"long_frame", "", Moment::setting, 1, finders::find_long_frames},
    WarningKind{"order", "", Moment::setting, 1, finders::find_wild_order},
    WarningKind{"method", "", Moment::setting, 1, finders::find_method_limits},
    WarningKind{"forces", "unstable forces", Moment::setting, 1, finders::find_fast_forces},
    WarningKind{"descent", "hardly moves", Moment::setting, 1, finders::find_stuck_descent},
    WarningKind{"friction", "", Moment::setting, 1, finders::find_friction_limits},
    WarningKind{"bending", "", Moment::setting, 1, finders::find_soft_bending},
    WarningKind{"tethers", "", Moment::setting, 1, finders::find_soft_tethers},
    WarningKind{"ties", "", Moment::setting, 1, finders::find_hasty_ties},
    WarningKind{"weak_rods", "", Moment::setting, 1, finders::find_weak_rods},
    WarningKind{"towers", "", Moment::setting, 1, finders::find_small_towers},
    WarningKind{"loads", "", Moment::setting, 1, finders::find_heavy_loads},
    WarningKind{"viscosity", "viscosity unsolved", Moment::running, 2, finders::find_unsolved_viscosity},
    WarningKind{"undone", "frame undone", Moment::running, 1, finders::find_undone},
    WarningKind{"off_length", "stretched", Moment::running, 2, finders::find_off_length},
    WarningKind{"speed_limit", "at the speed limit", Moment::running, 2, finders::find_speed_limit},
    WarningKind{"inside_out", "inside out", Moment::running, 2, finders::find_inside_out},
    WarningKind{"kept_inside_out", "inside out", Moment::running, 3, finders::find_kept_inside_out},
    WarningKind{"spikes", "tetrahedra stretched", Moment::running, 2, finders::find_spikes},
    WarningKind{"gross_strain", "stretched", Moment::running, 2, finders::find_gross_strain},
    WarningKind{"soft_nets", "net bends", Moment::running, 1, finders::find_soft_nets},
    WarningKind{"crossings", "crosses itself", Moment::running, 1, finders::find_crossings},
    WarningKind{"kept_crossings", "crosses itself", Moment::running, 18, finders::find_kept_crossings},
    WarningKind{"made_energy", "gains energy", Moment::running, 2, finders::find_made_energy},
    WarningKind{"blocked_mouth", "mouth blocked", Moment::running, 1, finders::find_blocked_mouths},
    WarningKind{"joints", "joint apart", Moment::running, 1, finders::find_joints_apart},
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
