// The look of a heat map: colours, isolines, end of the scale.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace limber {

/// viridis: dark violet, green, yellow. cividis: dark blue to yellow; looks the same to people who cannot
/// tell red from green. diverging: blue below the middle of the scale, red above it.
enum class ColorMap : int { viridis, cividis, diverging };
inline constexpr std::array<std::string_view, 3> color_map_names{"viridis", "cividis", "diverging"};
inline constexpr std::array<std::string_view, 3> color_map_labels{"Viridis", "Cividis", "Diverging"};

struct HeatLook {
  ColorMap colors = ColorMap::viridis;
  bool isolines = false;      ///< dark lines at each tenth of the scale, on surfaces
  std::optional<float> high;  ///< end of the scale, in its unit; none: it follows the numbers

  friend bool operator==(const HeatLook&, const HeatLook&) = default;
};

}  // namespace limber
