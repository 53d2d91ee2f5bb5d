// Calibration of surface tension.
#pragma once

namespace limber {

/// The strength of the forces of Akinci et al. 2013 (pull_together() in constraints/density.hpp) that makes a
/// surface of 1 N/m. Measured without s_corr: drops of 640 and 2,160 particles swing with Rayleigh's period
/// and drops of 16 and 24 particles across have Laplace's pressure, all within 11 %.
inline constexpr double forces_per_tension = 3.3;

}  // namespace limber
