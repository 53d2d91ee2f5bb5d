// The law of a cluster of a soft solid: that of its solid, changed by the fields at its particles.
#pragma once

#include "engine/state/material_fields.hpp"
#include "engine/state/soft_matter.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Young's modulus times the mean of the stiffness field over the particles of cluster c, damping time times
/// that of the damping field.
inline SoftLaw law_of_cluster(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  SoftLaw law = world.matter.soft.laws[std::size_t(matter.cluster_solid[c])];
  if (world.fields->empty()) return law;
  const std::size_t begin = std::size_t(matter.cluster_entry[c]),
                    end = std::size_t(matter.cluster_entry[c + 1]);
  const auto particles = std::span(matter.entry_particle).subspan(begin, end - begin);
  law.young *= real(field_over(world, MaterialField::stiffness, particles));
  law.damping *= real(field_over(world, MaterialField::damping, particles));
  return law;
}

/// m^3, of the particles that belong to cluster c: mass by density, which a field may multiply.
inline real volume_of_cluster(const World& world, std::size_t c) {
  const SoftMatter& matter = world.topology->matter.soft;
  const real density = matter.solids[std::size_t(matter.cluster_solid[c])].density;
  if (!world.fields->has(MaterialField::density)) return matter.cluster_mass[c] / density;
  const AlignedVector<vec4>& rest = rest_of(matter, world.matter.soft);
  real volume = 0;
  for (std::int32_t e = matter.cluster_entry[c]; e < matter.cluster_entry[c + 1]; ++e)
    volume +=
        rest[std::size_t(e)].w / (density * field_at(world, MaterialField::density,
                                                     std::size_t(matter.entry_particle[std::size_t(e)])));
  return volume;
}

}}  // namespace limber::LIMBER_PRECISION
