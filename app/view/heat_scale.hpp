// Rounded upper ends for the scales of heat maps.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

namespace limber {

/// The smallest of 1, 2 or 5 times a power of ten that is not below `value`, up to rounding of floats.
inline float round_up(float value) {
  const float decade = std::pow(10.0f, std::floor(std::log10(value)));
  for (float step : {1.0f, 2.0f, 5.0f})
    if (value <= step * decade * 1.0001f) return step * decade;
  return 10.0f * decade;
}

/// The upper end of a heat map's scale over time. It grows at once with the numbers. It shrinks only after
/// the numbers have stayed below a third of it for some seconds, then to their maximum since: colours whose
/// meaning changes every second are unreadable. The user may lock it.
class HeldScale {
 public:
  static constexpr double patience = 5.0;  ///< s, simulated

  void start() { high_ = 0.0f; }
  void lock(std::optional<float> high) { locked_ = high; }

  /// Upper end for numbers up to `most` at `time` (s). For counts (`whole`) it is the largest number itself.
  float follow(float most, double time, bool whole) {
    if (locked_) return *locked_;
    if (whole) return std::fmax(most, 1.0f);
    constexpr float least = 1e-6f;  // least end, in any unit; smaller numbers are rounding errors
    high_ = std::fmax(high_, least);
    if (most > high_) high_ = round_up(most);
    const bool used = time < seen_ || most > high_ / 3.0f;
    seen_ = time;
    peak_ = used ? 0.0f : std::fmax(peak_, most);
    if (used) low_since_ = time;
    if (time - low_since_ < patience) return high_;
    low_since_ = time;
    return high_ = peak_ > least ? round_up(std::exchange(peak_, 0.0f)) : least;
  }

 private:
  std::optional<float> locked_;
  float high_ = 0.0f, peak_ = 0.0f;      ///< the present end; the largest number since low_since_
  double low_since_ = 0.0, seen_ = 0.0;  ///< s
};

}  // namespace limber
