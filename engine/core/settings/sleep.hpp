// Settings: when rigid bodies fall asleep.
#pragma once

namespace limber {

struct SleepSettings {
  bool sleeping = false;      ///< rigid bodies at rest are left out of the step until something reaches them
  double sleep_speed = 0.02;  ///< m/s: a body is at rest if no point of it gets farther than sleep_speed *
                              ///< sleep_time within sleep_time
  double sleep_time = 0.5;    ///< s, for which bodies must be at rest before they fall asleep
};

}  // namespace limber
