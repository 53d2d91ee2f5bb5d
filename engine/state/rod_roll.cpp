#include "engine/state/rod_roll.hpp"

#include "engine/state/material_fields.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

std::optional<RodRoll> roll_at(const World& world, std::int32_t particle, const vec3& normal) {
  constexpr real least = real(0.1);  // sine of the angle between axis and normal
  const Topology& topology = *world.topology;
  const RodMatter& rods = topology.rods;
  const auto& here = topology.surface.segments_at[std::size_t(particle)];
  const RodSegment* found = nullptr;
  for (const std::int32_t facet : here) {
    if (facet < 0) continue;
    const RodSegment& segment = rods.segments[std::size_t(facet) - topology.triangles.size()];
    if (!found || segment.points[0] == particle) found = &segment;
  }
  if (!found) return {};
  const std::size_t row = std::size_t(rods.first_row + found->turn);
  const real mobility = world.particles.previous[row].w;
  if (!(world.particles.moved[row].w > real(0)) || !(mobility > real(0))) return {};
  const vec3 axis = vec3(matrix_of(orientation_of(world.particles, row))[2]), side = glm::cross(axis, normal);
  const real sine = glm::length(side), radius = thickness_at(world, std::size_t(particle));
  if (!(sine > least)) return {};
  return RodRoll{row, axis, side / sine, radius, radius * radius * mobility, found->points[0] == particle};
}

}}  // namespace limber::LIMBER_PRECISION
