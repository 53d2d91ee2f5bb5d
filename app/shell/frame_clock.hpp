// Measures and limits the frame rate of the window.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace limber {

/// Counts frames per second, and limits them to the display's rate. The limit is needed under Xvfb and with
/// drivers that ignore the swap interval.
class FrameClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// `refresh_rate` in Hz, 0 if unknown. The limit is slightly above it, so as not to interfere with a
  /// display that waits for the swap.
  explicit FrameClock(int refresh_rate)
      : shortest_(refresh_rate > 0 ? 0.9 / refresh_rate : 1.0 / 60.0),
        due_(Clock::now()),
        counted_from_(due_) {}

  /// Must be called once per frame, after the swap.
  void frame_done() {
    const auto now = Clock::now();
    if (now < due_) std::this_thread::sleep_until(due_);
    due_ = std::max(due_, now) + std::chrono::duration_cast<Clock::duration>(shortest_);
    ++frames_;
    const std::chrono::duration<double> passed = now - counted_from_;
    if (passed.count() < 0.5) return;
    fps_ = frames_ / passed.count();
    frames_ = 0;
    counted_from_ = now;
  }

  /// Frames shown per second, over the last half second.
  double fps() const { return fps_; }

 private:
  std::chrono::duration<double> shortest_;
  Clock::time_point due_, counted_from_;
  int frames_ = 0;
  double fps_ = 0.0;
};

}  // namespace limber
