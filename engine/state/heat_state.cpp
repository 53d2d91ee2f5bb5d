#include "engine/state/heat_state.hpp"

#include "engine/core/heat_law.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

void start_heat(World& world) {
  const std::size_t count = std::size_t(world.particles.count);
  HeatState& heat = *world.heat;
  heat = HeatState{};
  heat.mesh = std::make_shared<const HeatMesh>(heat_mesh(world));
  heat.enthalpy.assign(count, 0.0), heat.temperature.assign(count, 0.0);
  heat.frozen.assign(count, 0), heat.chunk.assign(count, -1);
  heat.rest.assign(count, glm::dvec3(0.0));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t object = std::size_t(world.particles.object[i]);
    const Material& material = world.settings.materials[object];
    const HeatLaw law = HeatLaw::of(material);
    heat.temperature[i] = world.settings.heat->starts[object];
    heat.enthalpy[i] = law.enthalpy(heat.temperature[i]);
    heat.frozen[i] = material.melts && law.molten(heat.enthalpy[i]) < 0.5 ? 1 : 0;
  }
}

}  // namespace limber::inline LIMBER_PRECISION
