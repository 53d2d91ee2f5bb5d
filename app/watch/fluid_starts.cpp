#include "app/watch/fluid_starts.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

/// "oil, water": names of objects, whose copies share one.
std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string displaced_fluid_note(const Simulation& simulation) {
  const SceneModel& model = *simulation.model();
  std::vector<Index> absent;
  simulation.read_absent(absent);
  std::set<std::string> names;
  long gone = 0, all = 0;
  for (const ObjectModel& object : model.objects) {
    if (!object.fluid || simulation.scene().objects[std::size_t(object.source)].fluid.emit_count > 0)
      continue;
    const auto first = std::lower_bound(absent.begin(), absent.end(), object.first_vertex);
    const auto end = std::lower_bound(first, absent.end(), object.first_vertex + object.vertex_count);
    if (2 * (end - first) <= object.vertex_count) continue;
    names.insert(object.name);
    gone += end - first, all += object.vertex_count;
  }
  if (names.empty()) return {};
  return listed(names) + ": " + std::to_string(gone) + " of " + std::to_string(all) +
         " particles start inside colliders or bodies and are left out; give it another position";
}

std::string dense_fluid_note(const Simulation& simulation, const Measures& measures) {
  constexpr double dense = 0.3;  // 0.02 is the largest error of a block that fills space
  if (measures.density_error.max <= dense) return {};
  std::set<std::string> names;
  for (const ObjectModel& object : simulation.model()->objects)
    if (object.fluid) names.insert(object.name);
  char times[32];
  std::snprintf(times, sizeof times, "%.2g", 1.0 + measures.density_error.max);
  return listed(names) + ": up to " + times +
         " times as dense at the start as at rest, where fluids start inside each other or closer than two "
         "particle radii: the pressure throws them apart; give them other positions";
}

}  // namespace limber
