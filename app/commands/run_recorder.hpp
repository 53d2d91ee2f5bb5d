// Times and contacts of every frame of a run, condensed when somebody asks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"
#include "engine/verify/measures.hpp"

namespace limber {

/// How a sample is spread.
struct Spread {
  double min = 0.0, median = 0.0, p95 = 0.0, max = 0.0, total = 0.0;
};

/// The spread of `sample` (any order); p95 is the smallest value that at least 95 % do not exceed.
Spread spread_of(std::vector<double> sample);

class RunRecorder {
 public:
  /// Notes one frame; call it after every Simulation::step(). Counts intersections where the scene promises
  /// that there are none.
  void add(const StepReport& step, const Simulation& simulation);

  std::int64_t frames() const { return std::int64_t(wall_ms_.size()); }
  std::int64_t nonfinite_frames() const { return nonfinite_frames_; }
  Spread wall_ms() const { return spread_of(wall_ms_); }
  std::map<std::string, double> stage_medians() const;           ///< ms by stage name
  MeanMax contacts() const;                                      ///< per frame
  std::int64_t intersections() const { return intersections_; }  ///< most in any frame
  /// s, after the last frame that had any; 0: none had.
  double last_intersection() const { return last_intersection_; }
  /// Particles in impact zones in the last frame, summed over its substeps: those that contacts did not keep
  /// apart.
  double in_zones() const { return in_zones_; }

 private:
  void note_intersections(std::int64_t count, double time);

  std::vector<double> wall_ms_;
  std::map<std::string, std::vector<double>, std::less<>> stages_ms_;
  double contacts_total_ = 0.0, contacts_max_ = 0.0, last_intersection_ = 0.0, in_zones_ = 0.0;
  std::int64_t nonfinite_frames_ = 0, intersections_ = 0;
};

}  // namespace limber
