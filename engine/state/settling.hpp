// State of settling: the World remembers a change of settings for a while.
#pragma once

#include <tuple>
#include <vector>

namespace limber {

/// Time for which the energy of constraints stays bounded after a change of settings
/// (engine/parts/motion/settling.hpp).
struct Settling {
  double left = 0.0;           ///< s; 0: it is over
  double until = 0.0;          ///< s, World::time after which it is over at the latest
  std::vector<double> stored;  ///< J, per object: elastic energy that may still become kinetic

  static constexpr double least = 0.25;  ///< s, after a change, and after the last speed that was bounded
  static constexpr double most = 10.0;   ///< s, after a change

  static constexpr auto all_members = std::tuple(&Settling::left, &Settling::until, &Settling::stored);
};

}  // namespace limber
