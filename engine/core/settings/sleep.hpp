// Settings: when rigid bodies fall asleep.
#pragma once

namespace limber {

struct SleepSettings {
  bool sleeping = false;      ///< rigid bodies at rest are left out until something reaches them
  double sleep_speed = 0.02;  ///< m/s, largest displacement at rest within sleep_time, over that time
  double sleep_time = 0.5;    ///< s, for which it has been
};

}  // namespace limber
