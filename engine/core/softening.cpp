#include "engine/core/softening.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/settings/material.hpp"

namespace limber {

bool softens(const ThermalMaterial& material) { return material.soft_share < 1.0; }

double softened_share(const ThermalMaterial& material, double temperature) {
  const double range = material.soft_to - material.soft_from;
  const double way = range > 0.0 ? std::clamp((temperature - material.soft_from) / range, 0.0, 1.0)
                                 : (temperature > material.soft_from ? 1.0 : 0.0);
  return std::pow(material.soft_share, way);
}

Material stiffened(const Material& material, double factor) {
  Material out = material;
  out.youngs_modulus *= factor;
  for (double* stiffness : {&out.stretch_stiffness, &out.bend_stiffness, &out.solid_stiffness})
    *stiffness = std::min(*stiffness * factor, 1.0);
  for (double* compliance : {&out.stretch_compliance, &out.bend_compliance, &out.warp_compliance,
                             &out.weft_compliance, &out.shear_compliance})
    *compliance /= factor;
  return out;
}

Material softened(const Material& material, double share) {
  Material out = stiffened(material, share);
  for (double* limit : {&out.yield, &out.hardening, &out.yield_curvature, &out.yield_strain, &out.strength})
    *limit *= share;
  return out;
}

}  // namespace limber
