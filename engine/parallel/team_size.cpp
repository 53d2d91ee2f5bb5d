#include "engine/parallel/team_size.hpp"

#include <algorithm>

namespace limber {
namespace {

// What the larger team's time may be of the smaller one's to be chosen, and to stay chosen.
constexpr double worth_going = 0.85, worth_staying = 0.92;
constexpr double far_longer = 3.0;  // than usual
constexpr int slow_in_a_row = 2;

template <class Times>
double median(Times times) {
  const auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

void TeamSize::took(double seconds) {
  if (most_ == 1) return;
  if (!comparing()) {
    if (unusual(seconds)) {
      between_ = fewest_between_;
      return begin(1);
    }
    if (--left_ > 0) return;
    const bool larger = chosen_ == 1 || (larger_next_ && chosen_ < most_);
    return begin(larger ? std::min(2 * chosen_, most_) : chosen_ / 2);
  }
  (trial_turn() ? trial_times_ : times_)[taken_ / 2] = seconds;
  ++taken_;
  // a size that is far worse shows at once
  const bool hopeless =
      taken_ == 4 && std::min(trial_times_[0], trial_times_[1]) > far_longer * std::max(times_[0], times_[1]);
  if (hopeless) std::fill(trial_times_.begin() + 2, trial_times_.end(), trial_times_[1]);
  if (hopeless) std::fill(times_.begin() + 2, times_.end(), times_[1]);
  if (hopeless || taken_ == 2 * turns_) decide();
}

void TeamSize::begin(int trial) { trial_ = trial, taken_ = 0, slow_ = 0; }

void TeamSize::decide() {
  const double now = median(times_), then = median(trial_times_);
  const bool larger = trial_ > chosen_;
  const bool better = larger ? then < worth_going * now : now > worth_staying * then;
  usual_ = better ? then : now;
  larger_next_ = better == larger;
  between_ = better ? fewest_between_ : std::min(2 * between_, most_between_);
  left_ = better ? 1 : between_;
  if (better) chosen_ = trial_;
  trial_ = 0;
}

/// Whether the last runs took far longer than those of the last comparison.
bool TeamSize::unusual(double seconds) {
  slow_ = usual_ > 0.0 && seconds > far_longer * usual_ ? slow_ + 1 : 0;
  if (slow_ < slow_in_a_row || chosen_ == 1) return false;
  usual_ = seconds;  // if it is the scene that has become slow, that is usual from now on
  return true;
}

}  // namespace limber
