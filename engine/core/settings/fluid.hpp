// Settings: the density constraint of fluids (constraints/density.hpp).
#pragma once

namespace limber {

/// The densities that the constraint answers.
enum class DensityLaw : int {
  one_sided,  ///< those above the rest density: pressure never pulls
  two_sided   ///< all, as Macklin and Mueller 2013 print it: particles at a free surface pull each other
              ///< together
};

struct FluidSettings {
  DensityLaw density_law = DensityLaw::one_sided;
  double s_corr_k = 0.002;  ///< k^ of s_corr, shares of H^2 m, H the support
  double s_corr_dq = 0.2;   ///< |dq| of s_corr over H
  int s_corr_n = 4;         ///< its exponent
  double epsilon = 0.1;     ///< eps^, relaxation of the constraint: eps = eps^ / H^2
};

}  // namespace limber
