// Stiffness and yield of a material by its temperature.
#pragma once

namespace limber {

struct Material;
struct ThermalMaterial;

/// Share of stiffness and yield that a material keeps at a temperature: all of it up to `soft_from`,
/// `soft_share` from `soft_to` on, and between them a straight line of its logarithm.
double softened_share(const ThermalMaterial& material, double temperature);

bool softens(const ThermalMaterial& material);

/// The material with that share of its moduli, stiffnesses, yield and strength.
Material softened(const Material& material, double share);

}  // namespace limber
