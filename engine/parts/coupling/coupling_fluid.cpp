// Fluids and rigid bodies: shares of the support that bodies fill, pressure on bodies, adhesion.
#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/constraints/density.hpp"
#include "engine/contact/solid_share.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/parts/coupling/coupling.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Ratio of the share of a fluid particle's support that a solid fills to the share that the half space
/// behind the solid's nearest point would fill.
real Coupling::filled_share(real support, const ConvexShape& shape, const Placed& at, const vec3& x,
                            real distance) {
  const real half_space = share_behind_plane(support, distance);
  if (!(half_space > real(1e-4))) return 1;
  const vec3 local = (x - at.position) * at.rotation;
  const real share = share_behind_solid<real>(support, shape.kind, {shape.size.x, shape.size.y, shape.size.z},
                                              {local.x, local.y, local.z}, distance);
  return std::min(share / half_space, real(1));
}

void Coupling::fill(const World& world, const BodySolver& bodies, real support, const FluidFilm& film,
                    std::span<FluidWall> walls, Team& team) {
  const vec4* const rows = bodies.rows_of_bodies();
  ColorTurns turns(team);
  visit_groups(turns, [&](const Group& group) {
    int pressed = 0;  // rows that press; a body gives way to each of them by the sum of all
    for_fluid_rows(group, world, [&](CouplingRow& row) {
      const std::size_t i = std::size_t(row.points[0]);
      const real distance =
          distance_now(row, world.particles, rows + body_rows * row.body) - film.thickness(i, row.normal);
      row.share = std::min(row.filled * share_before_wall(support, distance), fullest_wall);
      row.slope = row.filled * slope_before_wall(support, distance);
      walls[i].add(row.share, row.slope, row.normal);
      pressed += row.slope > real(0);
    });
    for_fluid_rows(group, world, [&](const CouplingRow& row) {
      const real w = inverse_mass_along(rows + body_rows * row.body, row.arm, row.normal);
      walls[std::size_t(row.points[0])].give += row.slope * row.slope * w * real(pressed);
    });
  });
}

void Coupling::press(const World& world, BodySolver& bodies, std::span<const FluidWall> walls,
                     std::span<const real> pushed, const Team& team) {
  const Share mine = team.share(std::int64_t(groups_.size()));
  for (std::int64_t g = mine.begin; g < mine.end; ++g) {
    const Group& group = groups_[std::size_t(g)];
    if (search_.is_collider(group.body)) continue;  // fluids meet colliders elsewhere
    vec4* const body = frame_of(bodies, group.body);
    const vec3 shift(body[row_shift]), turn(body[row_turn]);
    for_fluid_rows(group, world, [&](CouplingRow& row) {
      const std::size_t i = std::size_t(row.points[0]);
      const real push = pushed[i] * row.slope * walls[i].free / (1 - row.share);
      row.pressure += push;
      push_frame(body, -push * row.normal, row.arm);
    });
    bodies.leave_out(std::size_t(group.body), vec3(body[row_shift]) - shift, vec3(body[row_turn]) - turn);
  }
}

void Coupling::adhere(World& world, BodySolver& bodies, real h, Team& team) {
  const real radius = real(world.settings.solver.contact->particle_radius);
  Particles& particles = world.particles;
  ColorTurns turns(team);
  visit_groups(turns, [&](const Group& group) {
    const std::size_t i = std::size_t(group.body);
    const vec4* const body = frame_of(bodies, group.body);
    for_fluid_rows(group, world, [&](const CouplingRow& row) {
      const std::int32_t particle = row.points[0];
      const real adhesion = real(material_of(world, particle).adhesion);
      if (!(adhesion > real(0))) return;
      const real distance = distance_now(row, particles, body);
      const WeightedPoint point{row.points, row.weight, particles};
      Sides{WeightedVelocity{point}, BodyVelocity{world.bodies, i, body, vec3(0), row.arm}}.push(
          (-h * adhesion_of_plane(adhesion, radius, distance)) * row.normal);
    });
  });
}

}}  // namespace limber::LIMBER_PRECISION
