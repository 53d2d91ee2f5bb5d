// Materials that bodies and colliders are drawn with: wood, stone, metal, glass.
#pragma once

#include <array>
#include <string_view>

namespace limber {

/// The colour tints the grain of wood, the speckles of stone, the reflection of metal and what is seen
/// through glass.
enum class Look : int { plain, wood, stone, metal, glass };
inline constexpr std::array<std::string_view, 5> look_names{"plain", "wood", "stone", "metal", "glass"};

}  // namespace limber
