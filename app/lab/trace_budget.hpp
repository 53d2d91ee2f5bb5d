// Bounds the simulation's time that the plots of iterations take.
#pragma once

#include <algorithm>

namespace limber {

/// To trace a frame costs a measurement of all constraints after each iteration, which can take many times
/// what the frame does. So a frame is traced only when the ones since the last trace have paid for that.
class TraceBudget {
 public:
  static constexpr double ms_a_frame = 2.0;  ///< on average, all variants together

  bool due() const { return owed_ <= 0.0; }
  void traced(double ms) { owed_ += ms; }  ///< what it has cost
  void frame_done() { owed_ = std::max(owed_ - ms_a_frame, 0.0); }
  void start_over() { owed_ = 0.0; }  ///< the next frame is traced at once

 private:
  double owed_ = 0.0;  ///< ms
};

}  // namespace limber
