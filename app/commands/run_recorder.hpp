// Records times and contacts of every frame of a run and summarises them on demand.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/watch/crossings.hpp"
#include "engine/core/measures.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Summary of a sample.
struct Spread {
  double min = 0.0, median = 0.0, p95 = 0.0, max = 0.0, total = 0.0;
};

/// Summarises `sample` (any order). p95 is the smallest value that at least 95 % do not exceed.
Spread spread_of(std::vector<double> sample);

class RunRecorder {
 public:
  /// Records one frame. Must be called after every Simulation::step().
  void add(const StepReport& step, const Simulation& simulation);

  std::int64_t frames() const { return std::int64_t(wall_ms_.size()); }
  Spread wall_ms() const { return spread_of(wall_ms_); }
  std::map<std::string, double> stage_medians() const;      ///< ms by stage name
  MeanMax contacts() const;                                 ///< per frame
  const FrameCounts& counts() const { return counts_; }     ///< of all frames
  const FrameCounts& last_counts() const { return last_; }  ///< of the last frame
  const Crossings& crossings() const { return crossings_; }

 private:
  std::vector<double> wall_ms_;
  std::map<std::string, std::vector<double>, std::less<>> stages_ms_;
  double contacts_total_ = 0.0, contacts_max_ = 0.0;
  FrameCounts counts_, last_;
  Crossings crossings_;
};

}  // namespace limber
