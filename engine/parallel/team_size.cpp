#include "engine/parallel/team_size.hpp"

#include <algorithm>

namespace limber {
namespace {

// Largest ratio of the larger team's time to the smaller one's at which the larger is chosen, and at which it
// stays chosen.
constexpr double worth_going = 0.85, worth_staying = 0.92;
constexpr double far_longer = 3.0;  // factor on the usual time
constexpr int slow_in_a_row = 2;
constexpr double most_lost = 0.04;  // share of all time that comparisons may cost

template <class Times>
double median(Times times) {
  const auto middle = times.begin() + times.size() / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace

void TeamSize::took(double seconds) {
  if (most_ == 1) return;
  spent_ += seconds;
  if (!comparing()) {
    if (unusual(seconds)) {
      between_ = fewest_between_;
      return begin(1);
    }
    if (--left_ > 0) return;
    const bool larger = chosen_ == 1 || (larger_next_ && chosen_ < most_);
    left_ = between_;
    if (larger && lost_ > most_lost * spent_) return;
    return begin(larger ? std::min(2 * chosen_, most_) : chosen_ / 2);
  }
  (trial_turn() ? trial_times_ : times_)[taken_ / 2] = seconds;
  ++taken_;
  if (far_apart()) {
    std::fill(trial_times_.begin() + 2, trial_times_.end(), trial_times_[1]);
    std::fill(times_.begin() + 2, times_.end(), times_[1]);
    decide();
  } else if (taken_ == 2 * turns_) {
    decide();
  }
}

/// Whether the times of two runs of each size differ so much that no more runs are needed.
bool TeamSize::far_apart() const {
  if (taken_ != 4) return false;
  const auto [now_least, now_most] = std::minmax(times_[0], times_[1]);
  const auto [then_least, then_most] = std::minmax(trial_times_[0], trial_times_[1]);
  return then_least > far_longer * now_most || now_least > far_longer * then_most;
}

void TeamSize::measure_again() {
  between_ = fewest_between_;
  left_ = std::min(left_, fewest_between_);
}

void TeamSize::begin(int trial) { trial_ = trial, taken_ = 0, slow_ = 0; }

void TeamSize::decide() {
  const double now = median(times_), then = median(trial_times_);
  const bool larger = trial_ > chosen_;
  const bool better = larger ? then < worth_going * now : now > worth_staying * then;
  usual_ = better ? then : now;
  lost_ += double(taken_) / 2.0 * std::max(0.0, (better ? now : then) - usual_);
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
  usual_ = seconds;  // if the scene itself has become slow, this time is the usual one from now on
  return true;
}

}  // namespace limber
