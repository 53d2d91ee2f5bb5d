#include "app/watch/crossings.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

bool has_surfaces(const SceneModel& model) {
  return std::any_of(model.objects.begin(), model.objects.end(),
                     [](const ObjectModel& object) { return !object.triangles.empty(); });
}

bool ends_a_second(const Simulation& simulation) {
  const auto frames_a_second =
      std::max<std::int64_t>(std::llround(1.0 / simulation.scene().solver.step->dt), 1);
  return simulation.frame() % frames_a_second == 0;
}

}  // namespace

bool Crossings::count(const Simulation& simulation, bool promised) {
  const bool every = promised && simulation.scene().solver.contact->cloth_collision;
  if (!(every || ends_a_second(simulation)) || !has_surfaces(*simulation.model())) return false;
  last_ = simulation.count_intersections();
  return true;
}

}  // namespace limber
