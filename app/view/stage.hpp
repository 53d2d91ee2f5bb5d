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
              "A sweep of warm grey in soft light: its ground has no end."},
    StageInfo{Stage::checker, "checker", "Checker",
              "Squares of two near greys: what slides on them is seen to."},
    StageInfo{Stage::grid, "grid", "Grid",
              "A line each metre, and thin ones each tenth where that can be seen."},
    StageInfo{Stage::table, "table", "Table", "A table of wood in warm light."},
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
