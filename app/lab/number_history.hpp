// Every number of the report over time, for plots.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/measures.hpp"

namespace limber {

/// A number of the report, or a part of a vector: "momentum.x", "momentum.length".
struct NumberCurve {
  std::string name, unit;
  std::vector<float> values;  ///< one per time; not a number where it was not measured
};

struct NumberHistory {
  std::vector<float> times;  ///< s, simulated, ascending
  std::vector<NumberCurve> curves;

  const NumberCurve* find(const std::string& name) const;
};

/// The names that a plot can be of: all that a series of numbers has, in the report's order.
const std::vector<std::string>& plottable_numbers();

/// `history` (may be null) and the numbers at `time` behind it; what it has of later times is dropped, and of
/// more than `most` samples the oldest.
std::shared_ptr<const NumberHistory> with_sample(const std::shared_ptr<const NumberHistory>& history,
                                                 const Measures& measures, float time, std::size_t most);

}  // namespace limber
