// Particles as aligned rows of four numbers, the layout of all kernels.
#pragma once

#include <cstdint>
#include <tuple>

#include "engine/core/aligned.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Threads share particles in blocks of this many. It is a multiple of lane_group, and large enough that two
/// threads never write to one cache line.
inline constexpr std::int32_t particle_block = 256;

/// Number of rows for `turns` turns, including the padding of their last block.
constexpr std::int32_t turn_rows(std::int32_t turns) {
  return (turns + particle_block - 1) / particle_block * particle_block;
}

/// Arrays by internal particle index: `count` real particles, then padding particles of inverse mass zero up
/// to a multiple of particle_block. Padding constraints name the particle `count`. The rows of the turns of
/// rods follow (turns.hpp).
///
/// A particle is at origin + moved. The two are stored separately because v = (p - x) / h divides by a small
/// h: at 20 m from the world's origin two neighbouring floats are 2e-6 m apart, which in a substep of 0.4 ms
/// is 5 mm/s, more than gravity adds. The origin is the predicted position. `moved` contains only the
/// rounding error of the origin and the corrections of the solver; floats near such small numbers are dense.
/// Constraints and velocities use `moved` (displacement.hpp). `position` is the sum, rounded once, for
/// searches, contacts and pictures.
struct Particles {
  std::int32_t count = 0;
  std::int32_t turns = 0;              ///< number of rows of turns, which begin at padded()
  AlignedVector<vec4> position;        ///< {x, y, z} in m, {w}: effective inverse mass in 1/kg, 0 while held
  AlignedVector<vec4> previous;        ///< position at the start of the substep, same w
  AlignedVector<vec4> origin;          ///< m, approximate position of the particle
  AlignedVector<vec4> moved;           ///< m, from the origin to the particle; {w}: as in position
  AlignedVector<vec4> predicted;       ///< m, `moved` after line (7)
  AlignedVector<vec4> moved_before;    ///< m, from the origin to the position at the start of the substep
  AlignedVector<vec4> velocity;        ///< m/s, w = 0
  AlignedVector<vec4> acceleration;    ///< m/s^2, recent mean, which curves the predicted path
  AlignedVector<real> inverse_mass;    ///< 1/kg, inverse mass when nothing holds the particle
  AlignedVector<real> lasting;         ///< per stray group: share of an acceleration that persists, 0..1
  AlignedVector<real> stray;           ///< m, per stray group: largest recent deviation from a predicted path
  AlignedVector<std::int32_t> object;  ///< index of the object that owns it

  std::int32_t rows() const { return std::int32_t(position.size()); }
  std::int32_t padded() const { return rows() - turn_rows(turns); }

  static constexpr auto all_members =
      std::tuple(&Particles::count, &Particles::turns, &Particles::position, &Particles::previous,
                 &Particles::origin, &Particles::moved, &Particles::predicted, &Particles::moved_before,
                 &Particles::velocity, &Particles::acceleration, &Particles::inverse_mass,
                 &Particles::lasting, &Particles::stray, &Particles::object);
};

/// Exact position of particle i, m: origin + moved.
inline glm::dvec3 place_of(const Particles& particles, std::size_t i) {
  return glm::dvec3(particles.origin[i]) + glm::dvec3(particles.moved[i]);
}

/// Sets particle i to the position and inverse mass x, with no displacement in this substep.
inline void put_particle(Particles& particles, std::size_t i, const vec4& x) {
  particles.position[i] = particles.previous[i] = particles.origin[i] = x;
  particles.moved[i] = particles.predicted[i] = particles.moved_before[i] = vec4(vec3(0), x.w);
}

/// Sets the effective inverse mass of particle i to w, 1/kg.
inline void set_weight(Particles& particles, std::size_t i, real w) {
  for (auto* rows : {&particles.position, &particles.moved, &particles.predicted, &particles.moved_before})
    (*rows)[i].w = w;
}

/// Moves particle i by a step in m, and takes over changes that were made to `position` alone.
inline void move_particle(Particles& particles, std::size_t i, const vec3& step) {
  const vec3 shown = vec3(particles.origin[i]) + vec3(particles.moved[i]);
  particles.moved[i] += vec4((vec3(particles.position[i]) - shown) + step, real(0));
  particles.position[i] = vec4(vec3(particles.origin[i]) + vec3(particles.moved[i]), particles.position[i].w);
}

/// Displacement of particle i in this substep, m, including changes of `position` and `previous` that `moved`
/// does not have yet. It is more exact than position - previous, which are both rounded.
inline vec3 way_of(const Particles& particles, std::size_t i) {
  const vec3 from(particles.origin[i]), now(particles.moved[i]), before(particles.moved_before[i]);
  return (now - before) +
         ((vec3(particles.position[i]) - (from + now)) - (vec3(particles.previous[i]) - (from + before)));
}

/// The rows as arrays of plain numbers, for kernels.
inline real* flat(AlignedVector<vec4>& rows) { return &rows.data()->x; }
inline const real* flat(const AlignedVector<vec4>& rows) { return &rows.data()->x; }

/// Padding particles written by threads at the same time are this far apart: a cache line of float, half a
/// line of double.
inline constexpr std::int32_t padding_line = 4;

/// Number of consecutive particles of an object that share an estimate of their deviation from predicted
/// paths: such particles are near each other and move alike.
inline constexpr std::int32_t stray_group = 64;

/// Largest number of stray groups: full ones, and for each object one that is not full and one in reserve.
constexpr std::size_t stray_groups(std::size_t particles, std::size_t objects) {
  return particles / std::size_t(stray_group) + 2 * objects;
}

}}  // namespace limber::LIMBER_PRECISION
