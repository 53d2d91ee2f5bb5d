// Trace of a frame: how far the constraints have converged after each iteration.
#pragma once

namespace limber {

/// Errors of the constraints.
struct Convergence {
  double residual = 0.0;      ///< m, root mean square over the constraints of the longest correction that a
                              ///< projection of the constraint alone would give one of its points
  double residual_max = 0.0;  ///< m, the longest of these corrections
  /// J, the objective of implicit Euler: F = sum m |x - y|^2 / (2 h^2) + sum E, with y the predicted
  /// positions and E = C^T A^-1 C / 2. Compliances A are at least MethodSettings::compliance_floor. PBD has
  /// stiffnesses in place of compliances; its F has the compliances of the materials. F has no meaning for
  /// methods without MethodTraits::objective.
  double objective = 0.0;
  /// |g| / |M (x - y)| in the norm of 1/M, for methods that keep multipliers (keeps_multipliers()):
  /// g = M (x - y) - sum grad C^T lambda (Macklin, Mueller and Chentanez 2016, equation 8). A projection
  /// changes g only as far as gradients change. 0 if no particle was moved.
  double imbalance = 0.0;
};

struct IterationTrace {
  int substep = 0;    ///< in the frame, from 0
  int iteration = 0;  ///< iterations done in the substep; 0: before the first one
  double ms = 0.0;    ///< since the frame began, without the time that measuring took
  Convergence state;
};

}  // namespace limber
