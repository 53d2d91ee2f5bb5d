// History of every number of the report, for plots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/measures.hpp"

namespace limber {

/// A number of the report, or a component of a vector: "momentum.x", "momentum.length".
struct NumberCurve {
  std::string name, unit;
  std::vector<float> values;  ///< one per time; NaN where it was not measured
};

struct NumberHistory {
  std::vector<float> times;  ///< s, simulated, ascending
  std::vector<NumberCurve> curves;

  const NumberCurve* find(const std::string& name) const;
};

/// Names of all numbers that can be plotted, in the order of the report.
const std::vector<std::string>& plottable_numbers();

/// A copy of `history` (may be null) with the numbers at `time` appended. Drops samples at later times, and
/// the oldest ones beyond `most` samples.
std::shared_ptr<const NumberHistory> with_sample(const std::shared_ptr<const NumberHistory>& history,
                                                 const Measures& measures, float time, std::size_t most);

}  // namespace limber
