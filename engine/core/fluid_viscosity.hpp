// Viscosities of the steps in constraints/density.hpp, Pa s: the viscosity to which XSPH is equivalent, and
// the largest for which the explicit step is used. H is the support in m, h a substep in s, rho the rest
// density in kg/m^3.
#pragma once

namespace limber {

/// Support of a fluid's kernels, in radii of its particles: a particle has 33 neighbours at rest.
inline constexpr double fluid_support_radii = 4.0;

/// XSPH with the share c adds c (mean of v_j - v, weighted with poly6) to a particle's velocity in each
/// substep. For a smooth velocity field this is c <x^2> / 2 times its Laplacian, with <x^2> = H^2 / 11 for
/// poly6, and so has the effect of the viscosity rho c H^2 / (22 h).
constexpr double viscosity_of_xsph(double c, double rho, double support, double h) {
  return rho * c * support * support / (22.0 * h);
}

/// Largest viscosity of an unlimited explicit step, rho H^2 / (60 h): there dv_i = 30 h mu / (rho H^2) (mean
/// of v_j - v_i) reaches half of the difference of velocities. Above it, weigh_viscosity() scales the
/// exchange between particles down.
constexpr double most_viscosity(double rho, double support, double h) {
  return rho * support * support / (60.0 * h);
}

}  // namespace limber
