#include "engine/state/heat_state.hpp"

#include <utility>

#include "engine/core/heat_law.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

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

void make_room_for_heat(World& world) {
  HeatState& heat = *world.heat;
  if (heat.empty()) return;
  const std::size_t count = std::size_t(world.particles.count);
  heat.enthalpy.resize(count, 0.0), heat.temperature.resize(count, 0.0);
  heat.frozen.resize(count, 0), heat.chunk.resize(count, -1);
  heat.rest.resize(count, glm::dvec3(0.0));
  HeatMesh mesh = *heat.mesh;
  mesh.parts.resize(count);
  heat.mesh = std::make_shared<const HeatMesh>(std::move(mesh));
}

void share_heat(World& world, std::size_t from, std::size_t to) {
  HeatState& heat = *world.heat;
  if (heat.empty()) return;
  heat.enthalpy[to] = heat.enthalpy[from], heat.temperature[to] = heat.temperature[from];
}

}}  // namespace limber::LIMBER_PRECISION
