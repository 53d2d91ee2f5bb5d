// The previous substep, which an integrator of second order needs.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The substep before the last, for `solver.integrator` bdf2; empty under bdf1. By particle.
struct History {
  /// {x_n - x_n-1} in m; {w}: 1 if it may be used, 0: the next substep is BDF1
  AlignedVector<vec4> step_before;
  AlignedVector<vec4> velocity;  ///< v_n-1 in m/s
  double step = 0.0;             ///< s, length of that substep
  std::uint64_t edition = 0;     ///< edition of the topology of that substep

  static constexpr auto all_members =
      std::tuple(&History::step_before, &History::velocity, &History::step, &History::edition);
};

}}  // namespace limber::LIMBER_PRECISION
