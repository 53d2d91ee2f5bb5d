// State of settling: for a while after a change of settings, energies are bounded.
#pragma once

#include <tuple>
#include <vector>

namespace limber {

/// Time for which kinetic energy from constraints is bounded after a change of settings
/// (engine/parts/motion/settling.hpp).
struct Settling {
  double left = 0.0;           ///< s, time left; 0: settling is over
  double until = 0.0;          ///< s, World::time at which settling ends at the latest
  std::vector<double> stored;  ///< J, per object: elastic energy that may still become kinetic

  /// s, time after a change, and after the last velocity that was bounded
  static constexpr double least = 0.25;
  static constexpr double most = 10.0;  ///< s, longest time after a change

  static constexpr auto all_members = std::tuple(&Settling::left, &Settling::until, &Settling::stored);
};

}  // namespace limber
