// Keeps simulated time in step with real time.
#pragma once

#include <algorithm>

namespace limber {

/// Says when a frame is due so that the simulation runs in real time, and measures how well it does. If a
/// frame costs more than its duration, the debt is dropped: the scene runs in slow motion instead of falling
/// ever further behind.
class Pace {
 public:
  /// Starts running without debt; the first frame is due at once.
  void start(double dt) {
    debt_ = dt;
    wall_ = simulated_ = 0.0;
    factor_ = speed_;
  }

  /// Sets the simulated seconds per real second; 1 is real time.
  void set_speed(double speed) { speed_ = speed; }
  double speed() const { return speed_; }

  /// Must be called when `elapsed` real seconds have passed.
  void pass(double elapsed, double dt) {
    debt_ = std::min(debt_ + elapsed * speed_, most_frames_owed * dt);
    wall_ += elapsed;
    if (wall_ < window_seconds) return;
    factor_ = simulated_ / wall_;
    wall_ = simulated_ = 0.0;
  }

  /// Must be called when `elapsed` real seconds have passed without permission to step. They lower factor()
  /// but leave no debt.
  void wait(double elapsed) { wall_ += elapsed; }

  bool due(double dt) const { return debt_ >= dt; }
  double until_due(double dt) const { return std::max(dt - debt_, 0.0) / speed_; }

  /// Must be called after a frame of `dt` seconds was simulated.
  void stepped(double dt) {
    debt_ -= dt;
    simulated_ += dt;
  }

  /// Simulated seconds per second, over the last half second; 1 is real time.
  double factor() const { return factor_; }

 private:
  static constexpr double most_frames_owed = 2.0;
  static constexpr double window_seconds = 0.5;  ///< s
  double speed_ = 1.0;
  double debt_ = 0.0, wall_ = 0.0, simulated_ = 0.0, factor_ = 1.0;
};

}  // namespace limber
