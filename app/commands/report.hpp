// The report of a run: a JSON report and rows of a CSV series.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/run_recorder.hpp"
#include "engine/core/expected.hpp"
#include "engine/core/methods.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// The report of a run: its settings (`set`: the --set arguments, "path=value" each) and sizes, then the
/// numbers of report_table(). For systems that the scene lacks, counts are 0, lists are empty and measures
/// are null. The JSON library is hidden behind a pointer, because including it costs seconds of compile time.
class Report {
 public:
  Report(const Simulation& simulation, const RunRecorder& run, std::span<const std::string> set = {});

  /// The number at `path`, for instance "strain.max" or "momentum.x"; true and false count as 1 and 0. Fails
  /// if the path does not exist, with the nearest one, and if the number was not measured.
  Expected<double> value(std::string_view path) const;

  /// Whether `path` is a number of report_table() that was not measured in this run.
  bool unmeasured(std::string_view path) const;

  /// The text called `key`, for instance "state_hash". The value must be a text.
  std::string word(const std::string& key) const;

  /// The report as JSON text.
  std::string text() const;

  bool nonfinite() const { return nonfinite_; }  ///< a frame of the run became non-finite

 private:
  std::shared_ptr<const nlohmann::ordered_json> json_;
  bool nonfinite_;
};

/// The objective for a table of a trace; empty if the method has none.
std::string objective_cell(SolverMethod method, const Convergence& state);

/// The imbalance for a table of a trace; empty if the method has no multipliers.
std::string imbalance_cell(SolverMethod method, const Convergence& state);

/// The scalar values of one frame by name. A value not measured in that frame is absent.
using SeriesRow = std::vector<std::pair<std::string, std::optional<double>>>;

/// The row of one frame. For one scene, names and order are always the same. `counts`: of that frame.
SeriesRow series_row(const Simulation& simulation, const StepReport& step, const FrameCounts& counts);

}  // namespace limber
