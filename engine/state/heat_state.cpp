#include "engine/state/heat_state.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/core/heat_law.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/state/body_extent.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void start_heat(World& world) {
  const std::size_t count = std::size_t(world.particles.count);
  HeatState& heat = *world.heat;
  heat = HeatState{};
  HeatMesh mesh = heat_mesh(world);
  add_melts(world, mesh);
  heat.melted.assign(mesh.melts.size(), 0);
  heat.mesh = std::make_shared<const HeatMesh>(std::move(mesh));
  heat.enthalpy.assign(count, 0.0), heat.temperature.assign(count, 0.0);
  heat.frozen.assign(count, 0), heat.chunk.assign(count, -1);
  heat.rest.assign(count, glm::dvec3(0.0));
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t object = std::size_t(world.particles.object[i]);
    const Material& material = world.settings.materials[object];
    const HeatLaw law = HeatLaw::of(material);
    heat.temperature[i] = world.settings.heat->starts[object];
    heat.enthalpy[i] = law.enthalpy(heat.temperature[i]);
    const bool fluid = world.topology->fluid.takes_part(std::int32_t(i));
    heat.frozen[i] = fluid && material.melts && law.molten(heat.enthalpy[i]) < 0.5 ? 1 : 0;
  }
  const std::vector<BodyHeat>& bodies = world.settings.heat->bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [](const BodyHeat& b) { return b.start > -273.15; }))
    for (const std::int32_t source : world.bodies.parts->source)
      heat.body.push_back(bodies[std::size_t(source)].start);
}

bool brush_heat(World& world, const glm::dvec3& place, double radius, double degrees) {
  constexpr double coldest = -273.0;  // degrees C
  HeatState& heat = *world.heat;
  bool met = false;
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i) {
    const double w = double(world.particles.inverse_mass[i]);
    if (!(w > 0.0) || is_parked(world.topology->fluid, world.matter.fluid, std::int32_t(i))) continue;
    const double away = glm::distance(place_of(world.particles, i), place) / radius;
    if (!(away < 1.0)) continue;
    const HeatLaw law = HeatLaw::of(material_of(world, std::int32_t(i)));
    const double given =
        std::max(law.capacity * degrees * (1.0 - away * away), law.enthalpy(coldest) - heat.enthalpy[i]);
    heat.enthalpy[i] += given;
    heat.temperature[i] = law.temperature(heat.enthalpy[i]);
    heat.supplied += given / w;
    met = true;
  }
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    const std::size_t b = std::size_t(shape.body);
    if (!has_temperature(heat, b) || !(world.bodies.position[b].w > real(0))) continue;
    if (!(surface_distance(shape.shape, placed(shape, world.bodies), vec3(place)).d < real(radius))) continue;
    // volume of half of the brush
    const double brushed = 2.0944 * radius * radius * radius, whole = extent_of_body(world, b).volume;
    const double before = heat.body[b];
    heat.body[b] = std::max(before + degrees * std::min(1.0, brushed / whole), coldest);
    heat.supplied += world.settings.heat->bodies[std::size_t(world.bodies.parts->source[b])].capacity /
                     double(world.bodies.position[b].w) * (heat.body[b] - before);
    met = true;
    break;
  }
  return met;
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
