#include "engine/core/heat_law.hpp"

#include "engine/core/settings/material.hpp"

namespace limber {

HeatLaw HeatLaw::of(const ThermalMaterial& material) {
  HeatLaw law{material.heat_capacity};
  if (!material.melts) return law;
  law.latent = material.latent_heat;
  law.solidus = material.solidus;
  law.liquidus = std::max(material.liquidus, material.solidus);
  return law;
}

}  // namespace limber
