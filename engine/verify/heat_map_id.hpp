// HeatMap for headers that pass one on: heat_map.hpp, which says which there are, is for those that ask.
#pragma once

namespace limber {

enum class HeatMap : int;

inline constexpr HeatMap no_heat_map{};  ///< HeatMap::none

}  // namespace limber
