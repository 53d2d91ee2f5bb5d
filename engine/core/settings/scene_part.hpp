// Bits of Field::needs: parts of a scene. A setting with such bits acts only in scenes that have one of these
// parts.
#pragma once

#include <cstdint>

namespace limber::scene_part {

inline constexpr std::uint32_t bodies = 1, fluids = 2, particles = 4, surfaces = 8, rods = 16, objects = 32,
                               swept = 64;  ///< objects on whose constraints solver.method acts

}  // namespace limber::scene_part
