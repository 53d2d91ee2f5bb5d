#include "app/watch/fluid_starts.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

/// "water, oil": names of objects. Copies follow each other and share one.
class Names {
 public:
  void add(const std::string& name) {
    if (name == last_) return;
    text_ += (text_.empty() ? "" : ", ") + name;
    last_ = name;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_, last_;
};

}  // namespace

std::string displaced_fluid_note(const Simulation& simulation) {
  const SceneModel& model = *simulation.model();
  std::vector<Index> absent;
  simulation.read(reading::Absent{absent});
  Names names;
  long gone = 0, all = 0;
  for (const ObjectModel& object : model.objects) {
    if (!object.fluid) continue;
    const FluidDesc& fluid = *simulation.scene().objects[std::size_t(object.source)].fluid;
    if (fluid.emit_count > 0 || !fluid.melt_of.empty()) continue;  // it comes later
    const auto first = std::lower_bound(absent.begin(), absent.end(), object.first_vertex);
    const auto end = std::lower_bound(first, absent.end(), object.first_vertex + object.vertex_count);
    if (2 * (end - first) <= object.vertex_count) continue;
    names.add(object.name);
    gone += end - first, all += object.vertex_count;
  }
  if (names.text().empty()) return {};
  return names.text() + ": " + std::to_string(gone) + " of " + std::to_string(all) +
         " particles start inside colliders or bodies and are left out; give it another position";
}

std::string dense_fluid_note(const Simulation& simulation, const Measures& measures) {
  constexpr double dense = 0.3;  // 0.02 is the largest error of a block that fills space
  if (measures.density_error.max <= dense) return {};
  Names names;
  for (const ObjectModel& object : simulation.model()->objects)
    if (object.fluid) names.add(object.name);
  char times[32];
  std::snprintf(times, sizeof times, "%.2g", 1.0 + measures.density_error.max);
  return names.text() + ": up to " + times +
         " times as dense at the start as at rest, where fluids start inside each other or closer than two "
         "particle radii: the pressure throws them apart; give them other positions";
}

}  // namespace limber
