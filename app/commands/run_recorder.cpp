#include "app/commands/run_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limber {

Spread spread_of(std::vector<double> sample) {
  if (sample.empty()) return {};
  std::sort(sample.begin(), sample.end());
  const std::size_t n = sample.size();
  Spread spread;
  spread.min = sample.front();
  spread.max = sample.back();
  spread.median = 0.5 * (sample[(n - 1) / 2] + sample[n / 2]);
  spread.p95 = sample[(95 * n + 99) / 100 - 1];
  spread.total = std::accumulate(sample.begin(), sample.end(), 0.0);
  return spread;
}

void RunRecorder::add(const StepReport& step, const Simulation& simulation) {
  wall_ms_.push_back(step.solver_ms);
  for (const StepReport::Stage& stage : step.stages) {
    auto found = stages_ms_.find(stage.name);
    if (found == stages_ms_.end()) found = stages_ms_.emplace(stage.name, std::vector<double>()).first;
    found->second.push_back(stage.ms);
  }
  const double contacts = double(step.contacts);
  contacts_total_ += contacts;
  contacts_max_ = std::max(contacts_max_, contacts);
  last_ = {.in_zones = step.in_zones, .nonfinite_frames = step.nonfinite ? 1 : 0};
  if (crossings_.count(simulation, true)) last_.intersections = crossings_.last();
  last_.last_intersection = last_.intersections > 0 ? simulation.time() : counts_.last_intersection;
  counts_ = {.intersections = std::max(counts_.intersections, last_.intersections),
             .last_intersection = last_.last_intersection,
             .in_zones = last_.in_zones,
             .nonfinite_frames = counts_.nonfinite_frames + last_.nonfinite_frames};
}

std::map<std::string, double> RunRecorder::stage_medians() const {
  std::map<std::string, double> medians;
  for (const auto& [name, sample] : stages_ms_) medians[name] = spread_of(sample).median;
  return medians;
}

MeanMax RunRecorder::contacts() const {
  if (wall_ms_.empty()) return {};
  return {contacts_total_ / double(wall_ms_.size()), contacts_max_};
}

}  // namespace limber
