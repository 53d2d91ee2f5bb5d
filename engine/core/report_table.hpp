// The table of a report's numbers: one row each. `limber run --report` and `--series`, the `expect` blocks,
// the schema and the diagnostics panel all read this table.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/measures.hpp"

namespace limber {

using ReportValue = std::variant<double, std::int64_t, bool, MeanMax, glm::dvec3>;

/// When the diagnostics panel of the window shows a number.
enum class Panel {
  never,
  always,
  with_constraints,
  with_bodies,
  with_joints,
  with_grains,
  with_tets,
  with_fluids,
  with_heat,
  with_air,
  with_rods
};

struct ReportRow {
  std::string_view name;     ///< a key of the report
  std::string_view unit;     ///< "" for numbers without one
  std::string_view meaning;  ///< a sentence for schema and tooltip
  ReportValue (*read)(const Measures& state, const FrameCounts& frames);
  Panel panel = Panel::never;
  /// Whether the number of `read` was measured; null: always.
  bool (*was_measured)(const Measures& state, const FrameCounts& frames) = nullptr;

  bool measured(const Measures& state, const FrameCounts& frames) const {
    return !was_measured || was_measured(state, frames);
  }
};

/// All rows, in the order of the report.
std::span<const ReportRow> report_table();

/// The row of `path`, a name alone or with the part behind its dot ("strain.max"); null for other numbers.
const ReportRow* report_row(std::string_view path);

/// A value as single numbers: "strain.mean" and "strain.max" of a MeanMax, true as 1, "momentum.x", ".y",
/// ".z" and ".length" of a vector.
std::vector<std::pair<std::string, double>> scalars_of(const ReportRow& row, const ReportValue& value);

/// Below this mean speed (m/s) a scene counts as at rest: at 60 frames a second a point moves less than a
/// tenth of a millimetre per frame.
inline constexpr double rest_speed = 5e-3;

}  // namespace limber
