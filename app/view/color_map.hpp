// Turbo: blue - green - yellow - red, perceptually even enough to read numbers off.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/vec3.hpp>

namespace limber {

/// sRGB of t in [0, 1] (clamped): the polynomial fit of Turbo by A. Mikhailov and R. Du (2019), within 0.01,
/// without its beginning, which is nearly black: zero is blue. The same as turbo() in shaders/heat.glsl.
inline glm::vec3 turbo(float t) {
  constexpr float first = 0.07f;
  t = std::isfinite(t) ? first + (1.0f - first) * std::clamp(t, 0.0f, 1.0f) : 1.0f;
  const auto fit = [t](float a, float b, float c, float d, float e, float f) {
    return std::clamp(a + t * (b + t * (c + t * (d + t * (e + t * f)))), 0.0f, 1.0f);
  };
  return {fit(0.13572138f, 4.61539260f, -42.66032258f, 132.13108234f, -152.94239396f, 59.28637943f),
          fit(0.09140261f, 2.19418839f, 4.84296658f, -14.18503333f, 4.27729857f, 2.82956604f),
          fit(0.10667330f, 12.64194608f, -60.58204836f, 110.36276771f, -89.90310912f, 27.34824973f)};
}

/// Light that the renderer's film curve shows nearly as turbo(t).
inline glm::vec3 turbo_light(float t) {
  const glm::vec3 s = turbo(t);
  return {s.x * s.x, s.y * s.y, s.z * s.z};
}

}  // namespace limber
