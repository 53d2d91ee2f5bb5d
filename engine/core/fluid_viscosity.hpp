// Viscosities of a fluid's steps (constraints/density.hpp) in Pa s: the viscosity to which XSPH amounts, and
// the largest for an explicit step. H is the support in m, h a substep in s, rho the rest density in kg/m^3.
#pragma once

namespace limber {

/// The support of a fluid's kernels in radii of its particles: 33 neighbours at rest.
inline constexpr double fluid_support_radii = 4.0;

/// XSPH with the share c moves a particle by c (mean of v over poly6 - v) a substep. Of a smooth field that
/// is c <x^2> / 2 of its Laplacian, <x^2> = H^2 / 11 for poly6: the viscosity rho c H^2 / (22 h).
constexpr double viscosity_of_xsph(double c, double rho, double support, double h) {
  return rho * c * support * support / (22.0 * h);
}

/// The viscosity above which pulls between particles are scaled down (weigh_viscosity), rho H^2 / (60 h):
/// dv_i = 30 h mu / (rho H^2) (mean of v - v) reaches a half.
constexpr double most_viscosity(double rho, double support, double h) {
  return rho * support * support / (60.0 * h);
}

}  // namespace limber
