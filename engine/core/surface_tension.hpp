// Calibration of surface tension.
#pragma once

namespace limber {

/// Factor from a surface tension (N/m) to the strength of the forces of Akinci et al. 2013 (pull_together()
/// in constraints/density.hpp). Measured without s_corr: drops of 640 and 2,160 particles oscillate with
/// Rayleigh's period and drops of 16 and 24 particles across have Laplace's pressure, all within 11 %.
inline constexpr double forces_per_tension = 3.3;

}  // namespace limber
