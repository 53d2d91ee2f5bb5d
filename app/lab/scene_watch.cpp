#include "app/lab/scene_watch.hpp"

#include <algorithm>

#include "engine/core/measures.hpp"

namespace limber {
namespace {

constexpr int frames_between_looks = 10;
// Looks without a fault after which it has ended; a single look would report intermittent faults repeatedly.
constexpr int looks_to_settle = 3;

}  // namespace

bool SceneWatch::due(const Simulation& simulation, bool undone) {
  return undone || simulation.frame() % frames_between_looks == 0;
}

SceneWatch::Change SceneWatch::look(const Sight& now_seen) {
  Change change;
  Sight sight = now_seen;
  sight.first_energy = first_energy_, sight.largest_kinetic_energy = largest_kinetic_energy_;
  for (Found& found : found_) ++found.missed;
  const auto kinds = warning_kinds();
  std::vector<Warning> now;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].moment != Moment::running) continue;
    now.clear();
    kinds[kind].find(sight, now);
    for (Warning& warning : now) note(kind, std::move(warning), change);
  }
  const Measures& m = sight.measures;
  if (!first_energy_) begin(m);
  largest_kinetic_energy_ = std::max(largest_kinetic_energy_, sight.measures.kinetic_energy);
  for (Found& found : found_) {
    if (found.missed > 0) found.in_a_row = 0;
    if (found.missed == looks_to_settle && found.told) change.settled.push_back(found.key());
  }
  std::erase_if(found_, [](const Found& found) { return found.missed >= looks_to_settle; });
  return change;
}

void SceneWatch::note(std::size_t kind, Warning warning, Change& change) {
  auto at = std::find_if(found_.begin(), found_.end(), [&](const Found& found) {
    return found.kind == kind && found.warning.subject == warning.subject;
  });
  if (at == found_.end()) {
    at = std::find_if(found_.begin(), found_.end(), [&](const Found& found) { return found.kind > kind; });
    at = found_.insert(at, {kind, {}});
  }
  at->warning = std::move(warning);
  at->missed = 0;
  if (++at->in_a_row < warning_kinds()[kind].looks) return;
  keep_worst(*at);
  if (std::exchange(at->told, true)) return;
  change.raised.push_back(*at);
}

void SceneWatch::keep_worst(const Found& found) {
  const auto at = std::find_if(worst_.begin(), worst_.end(),
                               [&](const Found& other) { return other.kind >= found.kind; });
  if (at == worst_.end() || at->kind != found.kind)
    worst_.insert(at, found);
  else if (found.warning.severity > at->warning.severity)
    *at = found;
}

std::vector<const SceneWatch::Found*> SceneWatch::standing() const {
  std::vector<const Found*> out;
  for (const Found& found : found_)
    if (found.told) out.push_back(&found);
  return out;
}

}  // namespace limber
