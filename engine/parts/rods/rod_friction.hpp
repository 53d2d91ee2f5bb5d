// Internal friction of cables: strands that slide on each other resist bending with a hysteresis.
#pragma once

#include <cmath>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Dahl's law of friction (Dahl 1976) between the curvature c and the moment E I (c - c_0 + most z):
///
///   dz/dc = (1 - z sgn dc)/slip,   -1 <= z <= 1
///
/// A curvature that swings by +-A takes 4 E I most (A - slip tanh(A/slip)) of energy per swing and metre.
struct DahlLaw {
  double most;  ///< 1/m, largest friction moment over E I
  double slip;  ///< 1/m, change of curvature after which the strands slide

  /// z after the curvature has changed from where it was z by `change` (1/m) in one direction.
  double after(double z, double change) const {
    const double way = change < 0.0 ? -1.0 : 1.0;
    return way + (z - way) * std::exp(-std::abs(change) / slip);
  }
  /// Slope of the friction over the change of curvature, as a share of E I: the secant.
  double stiffness(double z, double change) const {
    const double part = std::abs(change) / slip;
    if (!(part > 1e-6)) return most / slip * (change == 0.0 ? 1.0 : 1.0 - std::copysign(z, z * change));
    return most * (after(z, change) - z) / change;
  }
};

/// Friction of the joints of directly solved rods, about each axis of the section by itself; twist is
/// elastic. z and the rotation at which it was z are state (FlowedRest::friction). They follow the joint once
/// it has moved by a share of `slip`: below, the joint springs back, so that rounding does not wear z away.
/// For a solve a joint is linear: its compliance and rest value are those of the secant of Dahl's law from
/// that rotation to the present one, so that repeated Newton steps converge to the law. Moments act on both
/// turns of a joint, so momenta are kept.
class RodFriction {
 public:
  /// Newton steps of a substep before contacts.
  static constexpr int steps = 3;

  static bool enabled(const World& world);

  // aim() and the end of a substep handle the thread's own joints, without a barrier.

  /// Sets compliances and rest values for the present rotations. A barrier must follow before the solve.
  static void aim(World& world, const Team& team);
  /// Ends a substep: z of the reached rotations.
  static void end(World& world, const Team& team);
};

}}  // namespace limber::LIMBER_PRECISION
