// Forward declaration of HeatMap, for headers that only pass one on. heat_map.hpp has the list.
#pragma once

namespace limber {

enum class HeatMap : int;

inline constexpr HeatMap no_heat_map{};  ///< HeatMap::none

}  // namespace limber
