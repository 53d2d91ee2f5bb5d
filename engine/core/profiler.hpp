// Stage times of one step: a fixed list of names, milliseconds added up by scoped timers.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace limber {

/// Adds up the time of N named stages. One thread writes (rank 0 of the team); no allocation.
template <std::size_t N>
class StageClock {
 public:
  using Clock = std::chrono::steady_clock;

  void restart() {
    ms_.fill(0.0);
    last_ = Clock::now();
  }
  /// Charges the time since the last lap (or restart) to `stage`.
  void lap(std::size_t stage) {
    const Clock::time_point now = Clock::now();
    ms_[stage] += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }
  double ms(std::size_t stage) const { return ms_[stage]; }

 private:
  std::array<double, N> ms_{};
  Clock::time_point last_{};
};

}  // namespace limber
