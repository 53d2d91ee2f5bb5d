// Viridis: from dark violet over green to yellow, ever lighter, so that it reads without colour too.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/vec3.hpp>

namespace limber {

/// sRGB of t in [0, 1] (clamped): a polynomial fit, within 0.01, of the map by S. van der Walt and N. Smith
/// (2015) for numbers from zero on. The same as viridis() in shaders/heat.glsl.
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

/// Light that the renderer's film curve shows nearly as viridis(t).
inline glm::vec3 viridis_light(float t) {
  const glm::vec3 s = viridis(t);
  return {s.x * s.x, s.y * s.y, s.z * s.z};
}

}  // namespace limber
