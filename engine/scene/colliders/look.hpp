// Materials that bodies and colliders are drawn with: wood, stone, metal.
#pragma once

#include <array>
#include <string_view>

namespace limber {

/// The colour tints the grain of wood, the speckles of stone and the reflection of metal.
enum class Look : int { plain, wood, stone, metal };
inline constexpr std::array<std::string_view, 4> look_names{"plain", "wood", "stone", "metal"};

}  // namespace limber
