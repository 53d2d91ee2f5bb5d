// Rates and stiffnesses converted to shares per substep or iteration.
#pragma once

namespace limber {

/// 1-(1-k)^(h/1 s): the share of a velocity deviation removed in one substep of h seconds at `rate` per
/// second.
double damping_per_substep(double rate, double h);

/// k' = 1-(1-k)^(1/n): the stiffness per iteration that leaves the same error (1-k) after n iterations.
double stiffness_per_iteration(double k, int iterations);

}  // namespace limber
