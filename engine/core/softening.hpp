// Stiffness and yield of a material by its temperature.
#pragma once

namespace limber {

struct Material;
struct ThermalMaterial;

/// Share of stiffness and yield that a material keeps at a temperature: all of it up to `soft_from`,
/// `soft_share` from `soft_to` on; in between the logarithm of the share is linear in temperature.
double softened_share(const ThermalMaterial& material, double temperature);

/// Whether the material loses stiffness with temperature at all.
bool softens(const ThermalMaterial& material);

/// The material with its moduli and stiffnesses multiplied by `factor`, compliances divided by it. A
/// stiffness per iteration (PBD) is at most 1.
Material stiffened(const Material& material, double factor);

/// The stiffened material with yield and strength multiplied by `share` too.
Material softened(const Material& material, double share);

}  // namespace limber
