// Stages: the ground, light and backdrop of a picture.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace limber {

enum class Stage : int { studio, checker, grid, table, night, paper };

struct StageInfo {
  Stage stage;
  std::string_view name;     ///< for scene files and the command line
  std::string_view label;    ///< for the user interface
  std::string_view meaning;  ///< for a tooltip
};
inline constexpr std::array stages{
    StageInfo{Stage::studio, "studio", "Studio",
              "Warm grey in soft light; the ground merges with the background."},
    StageInfo{Stage::checker, "checker", "Checker",
              "Squares of two similar greys, on which sliding is visible."},
    StageInfo{Stage::grid, "grid", "Grid",
              "A line every metre, and thin lines every tenth of a metre if they can be seen."},
    StageInfo{Stage::table, "table", "Table", "A wooden table in warm light."},
    StageInfo{Stage::night, "night", "Night", "A dark floor, a cool moon and a warm lamp."},
    StageInfo{Stage::paper, "paper", "Paper", "White, without shadows on the ground, for print."},
};
constexpr const StageInfo& info_of(Stage stage) { return stages[std::size_t(stage)]; }
constexpr std::optional<Stage> stage_named(std::string_view name) {
  for (const StageInfo& info : stages)
    if (info.name == name) return info.stage;
  return std::nullopt;
}

}  // namespace limber
