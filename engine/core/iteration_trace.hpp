// Rows of the trace of a frame's iterations.
#pragma once

namespace limber {

/// Errors of the stencil constraints.
struct Convergence {
  double residual = 0.0;      ///< m, root of the mean square over constraints of the longest correction that
                              ///< projecting this one alone would make
  double residual_max = 0.0;  ///< m, the longest
  /// J, the function of implicit Euler: F = sum m |x - y|^2 / (2 h^2) + sum E, y as predicted, E = C^T A^-1 C
  /// / 2 with compliances no smaller than MethodSettings::compliance_floor. Under PBD, which has stiffnesses
  /// in their place, A has the compliances of the materials. Says nothing of methods without an objective
  /// (MethodTraits::objective).
  double objective = 0.0;
  /// |g| / |M (x - y)|, of methods that keep multipliers (keeps_multipliers()), in the norm of 1/M:
  /// g = M (x - y) - sum grad C^T lambda (Macklin, Mueller and Chentanez 2016, equation 8), which each
  /// projection leaves as it is if gradients do not change. 0 where nothing was moved.
  double imbalance = 0.0;
};

struct IterationTrace {
  int substep = 0;    ///< in the frame, from 0
  int iteration = 0;  ///< done in the substep: 0 is before the first one
  double ms = 0.0;    ///< since the frame began, without the time of measuring
  Convergence state;
};

}  // namespace limber
