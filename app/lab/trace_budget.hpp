// Bounds the share of time spent on iteration traces for plots.
#pragma once

#include <algorithm>

namespace limber {

/// Tracing a frame measures all constraints after each iteration, which can cost many times the frame itself.
/// A frame is traced only once the frames since the last trace have paid for that trace.
class TraceBudget {
 public:
  static constexpr double ms_a_frame = 2.0;  ///< ms per frame on average, over all variants

  bool due() const { return owed_ <= 0.0; }
  void traced(double ms) { owed_ += ms; }  ///< cost of a trace
  void frame_done() { owed_ = std::max(owed_ - ms_a_frame, 0.0); }
  void start_over() { owed_ = 0.0; }  ///< no debt: the next frame is traced

 private:
  double owed_ = 0.0;  ///< ms
};

}  // namespace limber
