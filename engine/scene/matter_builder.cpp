#include "engine/scene/matter_builder.hpp"

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

}  // namespace limber::inline LIMBER_PRECISION
