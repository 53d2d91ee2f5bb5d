// Settings: the density constraint of fluids (constraints/density.hpp).
#pragma once

namespace limber {

/// Densities that the density constraint corrects.
enum class DensityLaw : int {
  one_sided,  ///< densities above the rest density only: pressure never pulls
  two_sided   ///< all densities, as Macklin and Mueller 2013 print it: particles at a free surface pull each
              ///< other together
};

struct FluidSettings {
  DensityLaw density_law = DensityLaw::one_sided;
  double s_corr_k = 0.002;  ///< k^ of s_corr, in units of H^2 m: H the support, m a particle's mass
  double s_corr_dq = 0.2;   ///< |dq| of s_corr, in units of H
  int s_corr_n = 4;         ///< exponent of s_corr
  double epsilon = 0.1;     ///< eps^, relaxation of the constraint: eps = eps^ / H^2
};

}  // namespace limber
