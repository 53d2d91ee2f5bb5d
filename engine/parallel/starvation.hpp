// Makes a pool run on the caller alone while other programs use its cores.
//
// On a core that another program uses, a thread arrives milliseconds late at each barrier, and a step of
// hundreds of barriers takes up to 60 times as long as on one thread. If the caller slept for more than (n -
// 1) / n of a run, some runs on the caller alone follow; then all threads are tried again. A team that is
// slow without waiting for its threads is left as it is.
//
// The class gets times as arguments: it uses no clock and no threads.
#pragma once

#include <algorithm>

namespace limber {

class Starvation {
 public:
  explicit Starvation(int threads) : threads_(threads) {}

  int size() const { return alone_left_ > 0 ? 1 : threads_; }  ///< threads of the next run
  /// Notes the time of the run with size() threads; the caller waited for others during `slept` s of it.
  void took(double seconds, double slept) {
    if (alone_left_ > 0) {
      --alone_left_;
      return;
    }
    // alone it would have taken n times the caller's own work
    const bool pays = threads_ == 1 || threads_ * (seconds - slept) > seconds;
    alone_left_ = pays ? 0 : alone_;
    alone_ = pays ? fewest : std::min(2 * alone_, most);
  }

  /// Number of runs alone; it doubles each time the next try is starved too
  static constexpr int fewest = 8, most = 256;

 private:
  const int threads_;
  int alone_ = fewest, alone_left_ = 0;
};

}  // namespace limber
