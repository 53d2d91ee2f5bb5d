// Particles as aligned four-number rows, the layout every kernel works on.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Arrays by internal particle index, `count` real particles first, then padding particles of inverse mass
/// zero up to a multiple of particle_block. Padding constraints name the particle `count`.
struct Particles {
  std::int32_t count = 0;
  AlignedVector<vec4> position;      ///< {x, y, z} in m, {w}: effective inverse mass in 1/kg, 0 while held
  AlignedVector<vec4> previous;      ///< position at the start of the substep, same w
  AlignedVector<vec4> velocity;      ///< m/s, w = 0
  AlignedVector<vec4> acceleration;  ///< m/s^2, mean of late: how a foretold path bends
  AlignedVector<real> inverse_mass;  ///< 1/kg, what w returns to when the particle is let go
  AlignedVector<real> lasting;  ///< per stray_group: the share of an acceleration that is there later, 0..1
  AlignedVector<real> stray;    ///< m, per stray_group: how far one left its foretold path, lately
  AlignedVector<std::int32_t> object;  ///< index of the object that owns it

  std::int32_t padded() const { return std::int32_t(position.size()); }

  static constexpr auto all_members =
      std::tuple(&Particles::count, &Particles::position, &Particles::previous, &Particles::velocity,
                 &Particles::acceleration, &Particles::inverse_mass, &Particles::lasting, &Particles::stray,
                 &Particles::object);
};

/// The rows as the plain numbers that kernels take.
inline real* flat(AlignedVector<vec4>& rows) { return &rows.data()->x; }
inline const real* flat(const AlignedVector<vec4>& rows) { return &rows.data()->x; }

/// Particles are shared out among threads in blocks of this many; a multiple of lane_group, and large enough
/// that the arrays of two threads never meet within a cache line.
inline constexpr std::int32_t particle_block = 256;

/// Padding particles that threads write at the same time lie this far apart: a cache line of float, half of
/// one of double.
inline constexpr std::int32_t padding_line = 4;

/// So many consecutive particles, which lie together, are expected to be as restless as each other.
inline constexpr std::int32_t stray_group = 64;

}  // namespace limber::inline LIMBER_PRECISION
