#include "engine/scene/matter_builder.hpp"

#include "engine/scene/objects/object_type.hpp"

namespace limber::inline LIMBER_PRECISION {

void add_matter(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                const glm::dmat3& turn, World& world, ParticleMatter& matter) {
  const std::size_t end = std::size_t(first) + new_to_old.size();
  matter.members_by_particle.resize(end, 0);
  matter.phase.resize(end, 0);
  matter.rest.resize(end, vec4(0));
  matter.field.resize(end, vec4(0));
  const bool solid = !geometry.fields.empty();
  if (solid) {
    matter.solids.push_back({first, std::int32_t(new_to_old.size())});
    world.matter.cluster_rotations.push_back(quaternion_of(turn));
  }
  for (std::size_t k = 0; k < new_to_old.size(); ++k) {
    const std::size_t i = std::size_t(first) + k, vertex = std::size_t(new_to_old[k]);
    matter.members.push_back(std::int32_t(i));
    matter.members_by_particle[i] = 1;
    if (!solid) continue;
    matter.phase[i] = std::int32_t(matter.solids.size());
    matter.rest[i] = vec4(vec3(geometry.positions[vertex] - geometry.center), real(geometry.masses[vertex]));
    matter.field[i] = vec4(geometry.fields[vertex]);
  }
}

void add_fluid(const ObjectDesc& object, const Placement& start, const ParticleRange& range, double radius,
               std::uint64_t seed, World& world, FluidMatter& fluid) {
  FluidState& state = world.matter.fluid;
  const std::int32_t number = std::int32_t(fluid.waiting.size());
  fluid.waiting.push_back(vec3(start.position));
  state.counts.emplace_back();
  if (!traits_of(object).fluid) return;
  fluid.members_by_particle.resize(std::size_t(range.end()), 0);
  state.present.resize(std::size_t(range.end()), 0);
  state.pressure.resize(std::size_t(range.end()), real(0));
  const bool emits = object.fluid.emit_count > 0;
  for (std::int32_t i = range.first; i < range.end(); ++i) {
    fluid.members.push_back(i);
    fluid.members_by_particle[std::size_t(i)] = 1;
    state.present[std::size_t(i)] = emits ? 0 : 1;
    if (!emits) continue;
    world.particles.position[std::size_t(i)] = vec4(vec3(start.position), real(0));
    for (auto* rows : {&world.particles.moved, &world.particles.predicted, &world.particles.moved_before})
      (*rows)[std::size_t(i)] = vec4(0);
    world.particles.velocity[std::size_t(i)] = vec4(0);
  }
  if (!emits) return;
  const FluidDesc& desc = object.fluid;
  fluid.emitters.push_back({number, range.first, range.count, start.position, object.velocity,
                            desc.emit_radius, desc.emit_start, desc.emit_seconds, desc.emit_share,
                            seed + std::uint64_t(number), desc.mouth_places(2.0 * radius)});
  state.emissions.emplace_back();
}

}  // namespace limber::inline LIMBER_PRECISION
