// The colours of heat maps, for the legend, for balls, and as the table that the shaders interpolate.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "app/view/heat_look.hpp"

namespace limber {

/// sRGB of t in [0, 1] (clamped): a polynomial fit, within 0.01, of viridis by S. van der Walt and N. Smith
/// (2015), from dark violet over green to yellow. It becomes ever lighter, so it can be read without colour
/// too.
inline glm::vec3 viridis(float t) {
  t = std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) : 1.0f;
  const auto fit = [t](float a, float b, float c, float d, float e, float f, float g) {
    return std::clamp(a + t * (b + t * (c + t * (d + t * (e + t * (f + t * g))))), 0.0f, 1.0f);
  };
  return {
      fit(0.27772733f, 0.10509304f, -0.33086183f, -4.63423050f, 6.22826994f, 4.77638500f, -5.43545586f),
      fit(0.00540734f, 1.40461353f, 0.21484756f, -5.79910097f, 14.17993337f, -13.74514538f, 4.64585261f),
      fit(0.33409981f, 1.38459016f, 0.09509516f, -19.33244096f, 56.69055260f, -65.35303263f, 26.31243525f)};
}

namespace detail {
/// Linear between colours of 8 bits a channel, which lie evenly on [0, 1].
template <std::size_t count>
glm::vec3 between(const std::array<std::uint32_t, count>& colors, float t) {
  t = (std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) : 1.0f) * float(count - 1);
  const std::size_t first = std::min(std::size_t(t), count - 2);
  const auto color = [&](std::size_t i) {
    return glm::vec3(float(colors[i] >> 16), float(colors[i] >> 8 & 255u), float(colors[i] & 255u)) / 255.0f;
  };
  return glm::mix(color(first), color(first + 1), t - float(first));
}
}  // namespace detail

/// sRGB of t in [0, 1] (clamped): viridis; cividis (Nunez, Anderton, Renslow 2018), interpolated between
/// twelve colours; diverging: K. Moreland's smooth cool to warm (2009), between nine.
inline glm::vec3 heat_color(ColorMap map, float t) {
  constexpr std::array<std::uint32_t, 12> cividis{0x00204d, 0x00306f, 0x2a406c, 0x48526b, 0x5e626e, 0x727374,
                                                  0x878479, 0x9e9677, 0xb6a971, 0xd0be67, 0xead357, 0xffea46};
  constexpr std::array<std::uint32_t, 9> cool_to_warm{0x3b4cc0, 0x6282ea, 0x8db0fe, 0xb8d0f9, 0xdddddd,
                                                      0xf5c4ad, 0xf49a7b, 0xde604d, 0xb40426};
  switch (map) {
    case ColorMap::cividis:
      return detail::between(cividis, t);
    case ColorMap::diverging:
      return detail::between(cool_to_warm, t);
    case ColorMap::viridis:
      break;
  }
  return viridis(t);
}

/// Linear light that the renderer's film curve shows approximately as heat_color(map, t).
inline glm::vec3 heat_light(ColorMap map, float t) {
  const glm::vec3 s = heat_color(map, t);
  return {s.x * s.x, s.y * s.y, s.z * s.z};
}

/// Number of evenly spaced colours between which the shaders interpolate (heat_colors in shaders/heat.glsl).
inline constexpr std::size_t heat_table_size = 33;
inline std::array<glm::vec3, heat_table_size> heat_table(ColorMap map) {
  std::array<glm::vec3, heat_table_size> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = heat_color(map, float(i) / float(table.size() - 1));
  return table;
}

}  // namespace limber
