#include "engine/scene/build/matter_builder.hpp"

#include <algorithm>
#include <glm/common.hpp>

#include "engine/scene/objects/fluid.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

namespace {

/// Adds the skin of a solid, or none for a cloth. `old_to_new`: particles by vertices of the geometry.
void add_skin(const ObjectGeometry& geometry, std::int32_t first, std::span<const std::int32_t> old_to_new,
              SoftSkin& skin) {
  if (skin.solid_vertex.empty()) skin.solid_vertex.push_back(0), skin.vertex_entry.push_back(0);
  glm::dvec3 low(0.0), high(0.0);
  for (std::size_t v = 0; v < geometry.bindings.size(); ++v) {
    const PointBinding& binding = geometry.bindings[v];
    const glm::dvec3 rest = geometry.skin->positions[v] - geometry.center;
    skin.rest.push_back(vec3(rest));
    low = v == 0 ? rest : glm::min(low, rest), high = v == 0 ? rest : glm::max(high, rest);
    for (std::size_t k = 0; k < binding.point.size(); ++k) {
      skin.particle.push_back(first + old_to_new[std::size_t(binding.point[k])]);
      skin.weight.push_back(real(binding.weight[k]));
    }
    skin.vertex_entry.push_back(std::int32_t(skin.particle.size()));
  }
  skin.solid_vertex.push_back(std::int32_t(skin.vertices()));
  const glm::dvec3 sides = high - low;
  skin.size.push_back(real(std::max({sides.x, sides.y, sides.z})));
}

}  // namespace

void add_clusters(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                  const glm::dmat3& turn, World& world, SoftMatter& soft) {
  std::vector<std::int32_t> old_to_new(new_to_old.size()), clusters_of(new_to_old.size(), 0);
  for (std::size_t k = 0; k < new_to_old.size(); ++k)
    old_to_new[std::size_t(new_to_old[k])] = std::int32_t(k);
  for (const auto& cluster : geometry.clusters)
    for (const std::int32_t v : cluster) ++clusters_of[std::size_t(v)];
  SoftSolid solid;
  solid.first_cluster = std::int32_t(soft.clusters());
  solid.clusters = std::int32_t(geometry.clusters.size());
  solid.first_member = std::int32_t(soft.member_particle.size());
  solid.members = std::int32_t(new_to_old.size());
  solid.first_particle = first;
  solid.density = real(geometry.density);
  const std::int32_t number = std::int32_t(soft.solids.size());
  std::vector<std::vector<std::int32_t>> entries(new_to_old.size());
  if (soft.cluster_entry.empty()) soft.cluster_entry.push_back(0);
  for (const auto& cluster : geometry.clusters) {
    std::vector<std::int32_t> members;
    for (const std::int32_t v : cluster) members.push_back(old_to_new[std::size_t(v)]);
    std::sort(members.begin(), members.end());
    const auto vertex = [&](std::int32_t m) { return std::size_t(new_to_old[std::size_t(m)]); };
    const auto weight = [&](std::int32_t m) { return geometry.masses[vertex(m)] / clusters_of[vertex(m)]; };
    double mass = 0.0;
    glm::dvec3 center(0.0);
    for (const std::int32_t m : members)
      mass += weight(m), center += weight(m) * (geometry.positions[vertex(m)] - geometry.center);
    center /= mass;
    for (const std::int32_t m : members) {
      entries[std::size_t(m)].push_back(std::int32_t(soft.entry_particle.size()));
      soft.entry_particle.push_back(first + m);
      soft.entry_cluster.push_back(std::int32_t(soft.clusters()));
      const glm::dvec3 q = geometry.positions[vertex(m)] - geometry.center - center;
      soft.entry_rest.push_back(vec4(vec3(q), real(weight(m))));
    }
    soft.cluster_solid.push_back(number);
    soft.cluster_mass.push_back(real(mass));
    soft.cluster_rest.push_back(vec3(center));
    SoftCluster state;
    state.rotation = quaternion_of(turn);
    take_moment(&soft.entry_rest[std::size_t(soft.cluster_entry.back())], std::int32_t(members.size()),
                state);
    soft.cluster_entry.push_back(std::int32_t(soft.entry_particle.size()));
    world.matter.soft.clusters.push_back(state);
  }
  if (soft.member_entry.empty()) soft.member_entry.push_back(0);
  for (std::size_t m = 0; m < entries.size(); ++m) {
    soft.member_particle.push_back(first + std::int32_t(m));
    soft.member_solid.push_back(number);
    soft.member_entries.insert(soft.member_entries.end(), entries[m].begin(), entries[m].end());
    soft.member_entry.push_back(std::int32_t(soft.member_entries.size()));
  }
  soft.solids.push_back(solid);
  add_skin(geometry, first, old_to_new, soft.skin);
}

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
    if (!geometry.clusters.empty()) {
      matter.solids.back().soft = std::int32_t(matter.soft.solids.size());
      add_clusters(geometry, first, new_to_old, turn, world, matter.soft);
    }
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
  const bool emits = object.fluid->emit_count > 0, waits = emits || !object.fluid->melt_of.empty();
  for (std::int32_t i = range.first; i < range.end(); ++i) {
    fluid.members.push_back(i);
    fluid.members_by_particle[std::size_t(i)] = 1;
    state.present[std::size_t(i)] = waits ? 0 : 1;
    if (!waits) continue;
    world.particles.position[std::size_t(i)] = vec4(vec3(start.position), real(0));
    for (auto* rows : {&world.particles.moved, &world.particles.predicted, &world.particles.moved_before})
      (*rows)[std::size_t(i)] = vec4(0);
    world.particles.velocity[std::size_t(i)] = vec4(0);
  }
  if (!emits) return;
  const FluidDesc& desc = *object.fluid;
  fluid.emitters.push_back({number, range.first, range.count, start.position, object.velocity,
                            desc.emit_radius, desc.emit_start, desc.emit_seconds, desc.emit_share,
                            seed + std::uint64_t(number), desc.mouth_places(2.0 * radius)});
  state.emissions.emplace_back();
}

}}  // namespace limber::LIMBER_PRECISION
