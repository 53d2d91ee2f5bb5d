// Temperature and enthalpy of a material.
#pragma once

#include <algorithm>

namespace limber {

struct ThermalMaterial;

/// Enthalpy h in J/kg over temperature T in degrees C, h(0) = 0 below the melting range [T_s, T_l]:
///
///   h = c T                                     below T_s
///   h = c T + L (T - T_s) / (T_l - T_s)         within the range
///   h = c T + L                                 above
///
/// Particles store and exchange enthalpy, so that energy is conserved exactly and the melting front needs no
/// tracking.
struct HeatLaw {
  double capacity;        ///< c, J/(kg K)
  double latent = 0.0;    ///< L, J/kg
  double solidus = 0.0;   ///< T_s, degrees C
  double liquidus = 0.0;  ///< T_l, degrees C

  static HeatLaw of(const ThermalMaterial& material);

  double enthalpy(double temperature) const {
    const double sensible = capacity * temperature;
    if (temperature <= solidus) return sensible;
    if (temperature >= liquidus) return sensible + latent;
    return sensible + latent * (temperature - solidus) / (liquidus - solidus);
  }
  double temperature(double enthalpy) const {
    const double melts = capacity * solidus, molten = capacity * liquidus + latent;
    if (enthalpy <= melts) return enthalpy / capacity;
    if (enthalpy >= molten) return (enthalpy - latent) / capacity;
    return solidus + (liquidus - solidus) * (enthalpy - melts) / (molten - melts);
  }
  /// Molten share, 0 to 1: how far the enthalpy has come through the melting range.
  double molten(double enthalpy) const {
    const double melts = capacity * solidus, molten = capacity * liquidus + latent;
    if (!(molten > melts)) return enthalpy > melts ? 1.0 : 0.0;
    return std::clamp((enthalpy - melts) / (molten - melts), 0.0, 1.0);
  }
};

}  // namespace limber
