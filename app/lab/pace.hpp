// Simulated time against the clock on the wall.
#pragma once

#include <algorithm>

namespace limber {

/// Says when a frame of simulation is due so that it runs in real time, and how well that succeeds.
/// Where a frame costs more than it lasts, the debt is dropped: the scene runs in honest slow motion
/// instead of falling behind ever further.
class Pace {
 public:
  /// Starting to run: no debt from the time before; the first frame is due at once.
  void start(double dt) {
    debt_ = dt;
    wall_ = simulated_ = 0.0;
    factor_ = speed_;
  }

  /// Simulated seconds asked for per second on the wall; 1 is real time.
  void set_speed(double speed) { speed_ = speed; }
  double speed() const { return speed_; }

  /// `elapsed` seconds have passed on the wall.
  void pass(double elapsed, double dt) {
    debt_ = std::min(debt_ + elapsed * speed_, kMostFramesOwed * dt);
    wall_ += elapsed;
    if (wall_ < kWindow) return;
    factor_ = simulated_ / wall_;
    wall_ = simulated_ = 0.0;
  }

  /// `elapsed` seconds have passed in which nothing may be simulated: they count, and leave no debt.
  void wait(double elapsed) { wall_ += elapsed; }

  bool due(double dt) const { return debt_ >= dt; }
  double until_due(double dt) const { return std::max(dt - debt_, 0.0) / speed_; }

  /// A frame of `dt` seconds was simulated.
  void stepped(double dt) {
    debt_ -= dt;
    simulated_ += dt;
  }

  /// Simulated seconds per second, over the last half second; 1 is real time.
  double factor() const { return factor_; }

 private:
  static constexpr double kMostFramesOwed = 2.0;
  static constexpr double kWindow = 0.5;  ///< s
  double speed_ = 1.0;
  double debt_ = 0.0, wall_ = 0.0, simulated_ = 0.0, factor_ = 1.0;
};

}  // namespace limber
