#include "engine/parts/fluids/fluid_drag.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/constraints/density.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/parts/coupling/coupling.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
FluidDrag::FluidDrag(const World& world, real h) {
  const auto kernel = FluidKernel<real>::of_radius(world.settings.solver.contact->particle_radius);
  support = kernel.support;
  scale = real(30) * h * kernel.volume / kernel.support2;
}

bool has_viscous_fluid(const World& world) {
  return !world.topology->fluid.empty() &&
         std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                     [](const Material& material) { return material.viscosity > 0.0; });
}

void drag_at_colliders(World& world, const StaticContacts& colliders, real h, const Team& team) {
  const FluidDrag drag(world, h);
  const real radius = real(world.settings.solver.contact->particle_radius);
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    for (const StaticContact& contact : colliders.of_block(std::int32_t(b))) {
      if (!world.topology->fluid.takes_part(contact.particle)) continue;
      const vec4& x = world.particles.position[std::size_t(contact.particle)];
      const real distance = glm::dot(contact.normal, vec3(x)) - contact.offset + radius;
      const real k = x.w * drag.at(real(material_of(world, contact.particle).viscosity), distance);
      vec4& v = world.particles.velocity[std::size_t(contact.particle)];
      v += vec4((k / (1 + k)) * (contact.slide / h - vec3(v)), real(0));
    }
}

void Coupling::drag(World& world, BodySolver& bodies, real h, Team& team) {
  const FluidDrag drag(world, h);
  Particles& particles = world.particles;
  const auto drag_row = [&](const CouplingRow& row, const vec4* body) {
    const real viscosity = real(material_of(world, row.points[0]).viscosity);
    const real k = row.filled * drag.at(viscosity, distance_now(row, particles, body));
    if (!(k > real(0))) return;
    const std::size_t b = std::size_t(row.body);
    const WeightedPoint point{row.points, row.weight, particles};
    const Sides sides{WeightedVelocity{point},
                      BodyVelocity{world.bodies, b, body, angular_velocity(world.bodies, b), row.arm}};
    const double w = double(particles.position[std::size_t(row.points[0])].w) + 1.0 / double(k);
    sides.push(-vec3(glm::inverse(response_at(body, row.arm) + glm::dmat3(w)) * glm::dvec3(sides.moved())));
  };
  ColorTurns turns(team);
  visit_groups(turns, [&](const Group& group) {
    const vec4* const body = frame_of(bodies, group.body);
    for_fluid_rows(group, world, [&](const CouplingRow& row) { drag_row(row, body); });
  });
}

}}  // namespace limber::LIMBER_PRECISION
