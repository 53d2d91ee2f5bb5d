// Which number per vertex a heat map shows; precision-neutral, filled by heat.cpp.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace limber {

/// What is shown in colours over the surface.
enum class HeatMap : int { none, strain, residual, phase, velocity };

struct HeatMapInfo {
  HeatMap map;
  std::string_view name;   ///< on the command line
  std::string_view label;  ///< what a person reads
  std::string_view unit;   ///< of the numbers; "" when dimensionless
};
inline constexpr std::array heat_maps{
    HeatMapInfo{HeatMap::none, "none", "None", ""},
    HeatMapInfo{HeatMap::strain, "strain", "Strain |len/rest - 1|", ""},
    HeatMapInfo{HeatMap::residual, "residual", "Correction still owed", "m"},
    HeatMapInfo{HeatMap::phase, "phase", "Last phase of the sweep", ""},
    HeatMapInfo{HeatMap::velocity, "velocity", "Speed", "m/s"},
};
constexpr const HeatMapInfo& info_of(HeatMap map) { return heat_maps[std::size_t(map)]; }
constexpr std::optional<HeatMap> heat_map_named(std::string_view name) {
  for (const HeatMapInfo& info : heat_maps)
    if (info.name == name) return info.map;
  return std::nullopt;
}

}  // namespace limber
