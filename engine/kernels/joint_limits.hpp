// Limits of the solution of joints: the scalar stages (parts/bodies/joints) and the kernels over lanes must
// use the same ones, so that a tree is solved alike by both.
#pragma once

#include <algorithm>
#include <limits>

namespace limber {

struct JointLimits {
  static constexpr int most_active_passes = 6;  ///< of the active set; the next substep solves what is left
  static constexpr int most_push_steps = 16;    ///< Newton steps of push after the first one
  static constexpr int most_follow = 2;         ///< changes of the inertia that follow a turn, in a substep
  /// Shares of an error that a Newton step of push leaves at most if it converges: of joints in a tree, in
  /// loops.
  static constexpr double gain_in_tree = 0.7, gain_in_loop = 0.1;
  static constexpr double most_sure_turn = 0.2;  ///< rad, in a substep, beyond which push takes one step only
  static constexpr double most_turn_back = 10.0;  ///< rad/s, at which wrong turns are mended
  /// rad^2: errors of the orientation in the middle of a turn, times the turn, that are left. `T`: of bodies.
  template <class T>
  static constexpr double followed = std::max(1e-8, 2.0 * double(std::numeric_limits<T>::epsilon()));
  static constexpr double held_by_push = 1e-7;   ///< m or rad, of all rows of an island together
  static constexpr double way_of_errors = 1e-5;  ///< m, that errors of an earlier substep may take
  /// Share of an inertia: h^2 k below it is a mode of w h < 0.3, which needs no stiffer body.
  static constexpr double slow_share = 0.1;
  /// rad, in a substep, beyond which lanes leave a body to the scalar stages; and by joints alone, as a
  /// multiple of the most that a body moves and of a radian.
  static constexpr double most_lane_turn = 0.3, most_lane_balance = 1e4;
  static constexpr double least_length = 1e-9;  ///< m, or of a cross product: a direction shorter is none
};

}  // namespace limber
