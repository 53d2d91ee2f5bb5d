// The number of threads of a pool that should work: found by timing, because it depends on the scene, the
// machine and the other programs on it.
#pragma once

#include <array>
#include <cstddef>

namespace limber {

/// Compares the present size with half or twice as many by taking turns, some runs each, and continues with
/// the better one. A larger team has to be a tenth faster to be worth its cores. Comparisons that change
/// nothing become rarer. A run that takes far longer than usual, twice in a row, calls for one at once. The
/// time that trials of more threads cost is bounded by a share of all time: beside busy programs a larger
/// team can be 60 times slower.
///
/// Deterministic for the same times. Does not know what a run is; all should be alike (frames of one scene).
class TeamSize {
 public:
  explicit TeamSize(int most) : most_(most), chosen_(most) {}

  int next() const { return comparing() && trial_turn() ? trial_ : chosen_; }  ///< threads for the next run
  void took(double seconds);                                                   ///< the run of next() threads
  int chosen() const { return chosen_; }  ///< threads between comparisons
  void measure_again();                   ///< runs have become others: compares soon

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
  int trial_ = 0;                                        // the size that chosen_ is compared with; 0: none
  bool larger_next_ = false;                             // where the next comparison goes
  int left_ = first_after_, between_ = fewest_between_;  // runs to the next comparison; of a whole pause
  std::size_t taken_ = 0;                                // runs of this comparison
  std::array<double, turns_> times_{}, trial_times_{};   // s
  double spent_ = 0.0, lost_ = 0.0;                      // s; by runs of the size that turned out worse
  double usual_ = 0.0;                                   // s; 0: not known
  int slow_ = 0;                                         // runs in a row that took far longer
};

}  // namespace limber
