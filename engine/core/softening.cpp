#include "engine/core/softening.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/settings/material.hpp"

namespace limber {

bool softens(const Material& material) { return material.soft_share < 1.0; }

double softened_share(const Material& material, double temperature) {
  const double range = material.soft_to - material.soft_from;
  const double way = range > 0.0 ? std::clamp((temperature - material.soft_from) / range, 0.0, 1.0)
                                 : (temperature > material.soft_from ? 1.0 : 0.0);
  return std::pow(material.soft_share, way);
}

Material softened(const Material& material, double share) {
  Material out = material;
  for (double Material::*modulus : {&Material::youngs_modulus, &Material::yield, &Material::hardening,
                                    &Material::yield_curvature, &Material::yield_strain, &Material::strength})
    out.*modulus *= share;
  for (double Material::*compliance :
       {&Material::stretch_compliance, &Material::bend_compliance, &Material::warp_compliance,
        &Material::weft_compliance, &Material::shear_compliance})
    out.*compliance /= share;
  return out;
}

}  // namespace limber
