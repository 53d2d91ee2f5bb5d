// Grains and solids: particles with a radius that touch each other.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/state/particles.hpp"
#include "engine/state/soft_matter.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A run of particles that shape matching keeps in shape.
struct Solid {
  std::int32_t first = 0, count = 0;  ///< particles, internal indices
  std::int32_t soft = -1;             ///< index in SoftMatter if it has many clusters; -1: it is one cluster

  static constexpr auto all_members = std::tuple(&Solid::first, &Solid::count, &Solid::soft);
};

/// The constant part of grains and solids. Arrays by particle end with the last particle that takes part.
struct ParticleMatter {
  std::vector<std::int32_t> members;  ///< particles that touch each other, ascending
  std::vector<std::int32_t>
      phase;  ///< per particle: particles of one phase do not touch each other; phase 0: grains, which do
  std::vector<std::int32_t> apart;  ///< after soft solids have broken, per particle: number of its part, in
                                    ///< place of `phase`; else empty
  AlignedVector<vec4> rest;  ///< per particle of a solid: position from its centre of mass in m; mass in kg
  /// Per particle of a solid: unit gradient and distance (m, negative inside) of its mesh's distance field at
  /// rest. 0: a grain.
  AlignedVector<vec4> field;
  std::vector<Solid> solids;
  SoftMatter soft;
  std::vector<char> members_by_particle;  ///< whether the particle is a member
  bool takes_part(std::int32_t particle) const {
    return std::size_t(particle) < members_by_particle.size() &&
           members_by_particle[std::size_t(particle)] != 0;
  }
  bool empty() const { return members.empty(); }

  static constexpr auto all_members =
      std::tuple(&ParticleMatter::members, &ParticleMatter::phase, &ParticleMatter::apart,
                 &ParticleMatter::rest, &ParticleMatter::field, &ParticleMatter::solids,
                 &ParticleMatter::soft, &ParticleMatter::members_by_particle);
};

/// Number of padding particles for slabs (blocks of cells of the hash grid) that are solved at the same time:
/// a cache line for each slab of one shade. The hash grid has up to four buckets per particle, and shades are
/// the colours of slabs (contact/particles/neighbour_search.hpp).
inline std::int32_t padding_of(const ParticleMatter& matter) {
  return matter.empty() ? 0 : padding_line * (std::int32_t(matter.members.size()) / 128 + 8);
}

/// Two particles in contact and the multipliers between them, kept from frame to frame.
struct ParticleContact {
  std::int32_t a = 0, b = 0;
  vec3 kept{0};     ///< kg m, multiplier, acting on a; times 1/h^2 a force
  real before = 0;  ///< kg m, length of the multiplier one substep earlier
  vec3 rolled{0};   ///< kg m, of grains: multiplier of rolling resistance divided by the radius

  static constexpr auto all_members =
      std::tuple(&ParticleContact::a, &ParticleContact::b, &ParticleContact::kept, &ParticleContact::before,
                 &ParticleContact::rolled);
};

}}  // namespace limber::LIMBER_PRECISION
