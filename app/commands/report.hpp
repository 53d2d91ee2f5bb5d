// What a run says about itself: the JSON report and the rows of the CSV series.
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

/// The report of a run: its settings (`set`: those of --set, "path=value" each) and sizes, then the numbers
/// of report_table(). Of systems that a scene does not have counts are 0, lists empty and measures null. (The
/// JSON library stays behind a pointer: it costs seconds wherever it is included.)
class Report {
 public:
  Report(const Simulation& simulation, const RunRecorder& run, std::span<const std::string> set = {});

  /// The number that `path` names, for instance "strain.max" or "momentum.x"; true and false count 1 and 0.
  /// Fails with the nearest name that exists where the path leaves the report, and where nobody measured it.
  Expected<double> value(std::string_view path) const;

  /// Whether `path` is a number of report_table() that nobody measured in this run.
  bool unmeasured(std::string_view path) const;

  /// The text called `key`, for instance "state_hash"; it must be one.
  std::string word(const std::string& key) const;

  /// The JSON text.
  std::string text() const;

  bool nonfinite() const { return nonfinite_; }  ///< whether any frame of the run became non-finite

 private:
  std::shared_ptr<const nlohmann::ordered_json> json_;
  bool nonfinite_;
};

/// The objective in a table of a trace: empty under a method that has none.
std::string objective_cell(SolverMethod method, const Convergence& state);

/// The imbalance likewise: empty under a method without multipliers.
std::string imbalance_cell(SolverMethod method, const Convergence& state);

/// The scalar values of one frame by name; none where nobody measured it in that frame.
using SeriesRow = std::vector<std::pair<std::string, std::optional<double>>>;

/// Always the same names in the same order for one scene; `counts` are that frame's.
SeriesRow series_row(const Simulation& simulation, const StepReport& step, const FrameCounts& counts);

}  // namespace limber
