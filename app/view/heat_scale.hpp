// Round ends for the scale of a heat map.
#pragma once

#include <cmath>

namespace limber {

/// The smallest of 1, 2, 5 times a power of ten that is not below `value` (a float's rounding aside).
inline float round_up(float value) {
  const float decade = std::pow(10.0f, std::floor(std::log10(value)));
  for (float step : {1.0f, 2.0f, 5.0f})
    if (value <= step * decade * 1.0001f) return step * decade;
  return 10.0f * decade;
}

/// Where the scale ends for numbers up to `most`: `before` while they use between a third and all of it, so
/// that the colours do not flicker. Numbers that count something (`whole`) end the scale themselves.
inline float scale_end(float most, float before, bool whole) {
  if (whole) return std::fmax(most, 1.0f);
  constexpr float least = 1e-6f;  // of any unit: below is rounding
  if (!(most > least)) return least;
  return most <= before && most > before / 3.0f ? before : round_up(most);
}

}  // namespace limber
