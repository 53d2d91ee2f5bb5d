// Parts of a scene, as bits of Field::needs: a setting that needs some does nothing in a scene that has none
// of them.
#pragma once

#include <cstdint>

namespace limber::scene_part {

inline constexpr std::uint32_t bodies = 1, fluids = 2, particles = 4, surfaces = 8, rods = 16, objects = 32,
                               swept = 64;  ///< objects on whose constraints solver.method acts

}  // namespace limber::scene_part
