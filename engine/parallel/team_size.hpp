// Finds the best number of threads for a pool by timing, because it depends on the scene, the machine and the
// other programs on it.
#pragma once

#include <array>
#include <cstddef>

namespace limber {

/// Compares the present number of threads with half or twice as many in alternating runs, and continues with
/// the better one. A larger team must be a tenth faster to be worth its cores. Comparisons that change
/// nothing become rarer. Two runs in a row that take far longer than usual start a comparison at once. The
/// time that trials of more threads cost is bounded by a share of all time, because beside busy programs a
/// larger team can be 60 times slower.
///
/// Deterministic for the same times. All runs should be alike (frames of one scene).
class TeamSize {
 public:
  explicit TeamSize(int most) : most_(most), chosen_(most) {}

  int next() const { return comparing() && trial_turn() ? trial_ : chosen_; }  ///< threads for the next run
  void took(double seconds);              ///< to be called with the time of each run of next() threads
  int chosen() const { return chosen_; }  ///< threads between comparisons
  void measure_again();                   ///< the work has changed: compares soon

 private:
  static constexpr std::size_t turns_ = 5;                          // runs of each size in a comparison
  static constexpr int first_after_ = 1;                            // runs
  static constexpr int fewest_between_ = 16, most_between_ = 1024;  // runs between two comparisons

  bool comparing() const { return trial_ != 0; }
  bool trial_turn() const { return taken_ % 2 == 1; }
  void begin(int trial);
  bool far_apart() const;
  void decide();
  bool unusual(double seconds);

  int most_, chosen_;
  int trial_ = 0;             // the size that chosen_ is compared with; 0: none
  bool larger_next_ = false;  // whether the next comparison tries more threads
  // runs until the next comparison; runs of a whole pause
  int left_ = first_after_, between_ = fewest_between_;
  std::size_t taken_ = 0;                               // runs of this comparison
  std::array<double, turns_> times_{}, trial_times_{};  // s
  double spent_ = 0.0, lost_ = 0.0;  // s, time of all runs; time that runs of the worse size cost more
  double usual_ = 0.0;               // s; 0: not known
  int slow_ = 0;                     // runs in a row that took far longer
};

}  // namespace limber
