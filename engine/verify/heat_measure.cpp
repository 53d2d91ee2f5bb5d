#include "engine/verify/heat_measure.hpp"

#include <algorithm>

#include "engine/core/heat_law.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void add_heat(const World& world, Measures& m) {
  const HeatState& heat = *world.heat;
  if (heat.empty()) return;
  m.measured.heat = true;
  double capacity = 0.0, warmth = 0.0, molten = 0.0, melting = 0.0;
  for (std::int32_t k = 0; k < world.particles.count; ++k) {
    const std::size_t i = std::size_t(k);
    const double w = double(world.particles.inverse_mass[i]);
    if (!(w > 0.0) || world.topology->internal_to_external[i] < 0) continue;
    if (is_parked(world.topology->fluid, world.matter.fluid, k)) continue;
    const Material& material = material_of(world, k);
    const double mass = 1.0 / w;
    m.heat += mass * heat.enthalpy[i];
    capacity += mass * material.heat_capacity;
    warmth += mass * material.heat_capacity * heat.temperature[i];
    m.temperature.max = capacity == mass * material.heat_capacity
                            ? heat.temperature[i]
                            : std::max(m.temperature.max, heat.temperature[i]);
    if (!material.melts) continue;
    melting += mass;
    molten += mass * HeatLaw::of(material).molten(heat.enthalpy[i]);
  }
  for (std::size_t b = 0; b < heat.body.size(); ++b) {
    const double w = double(world.bodies.position[b].w);
    if (!has_temperature(heat, b) || !(w > 0.0)) continue;
    const BodyHeat& body = world.settings.heat->bodies[std::size_t(world.bodies.parts->source[b])];
    m.heat += body.capacity / w * heat.body[b];
    m.temperature.max = capacity > 0.0 ? std::max(m.temperature.max, heat.body[b]) : heat.body[b];
    capacity += body.capacity / w;
    warmth += body.capacity / w * heat.body[b];
  }
  if (capacity > 0.0) m.temperature.mean = warmth / capacity;
  m.measured.melts = melting > 0.0;
  if (melting > 0.0) m.molten_share = molten / melting;
  m.heat_supplied = heat.supplied;
  m.chunks = std::int64_t(heat.chunks.size());
  m.phase_changes = heat.changes;
  m.heat_substeps = heat.substeps;
  m.heat_reached = heat.reached;
}

}}  // namespace limber::LIMBER_PRECISION
