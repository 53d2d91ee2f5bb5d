// Fluids of a World: particles that fill space together (constraints/density.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/real.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Emits the particles [first, first + count) of a fluid, layer after layer, out of a round mouth. The
/// distance of two layers is such that the volume of a layer's particles is the mouth's area times this
/// distance.
struct FluidEmitter {
  std::int32_t object = 0, first = 0, count = 0;
  glm::dvec3 place{0.0}, velocity{0.0};  ///< m, m/s
  double radius = 0.0;                   ///< m, of the mouth
  double start = 0.0, seconds = 0.0;     ///< s, begin and duration
  double share = 1.0;                    ///< share of a layer's positions from which particles leave
  std::uint64_t seed = 0;
  std::vector<glm::dvec2> places{};  ///< m, positions of a layer's particles about the centre of the mouth

  using Self = FluidEmitter;
  static constexpr auto all_members =
      std::tuple(&Self::object, &Self::first, &Self::count, &Self::place, &Self::velocity, &Self::radius,
                 &Self::start, &Self::seconds, &Self::share, &Self::seed, &Self::places);
};

/// The constant part of all fluids. Particles of a fluid start on a lattice of one spacing: twice
/// solver.particle_radius.
struct FluidMatter {
  std::vector<std::int32_t> members;      ///< particles, ascending
  std::vector<char> members_by_particle;  ///< whether the particle is a member; ends with the last one
  std::vector<FluidEmitter> emitters;
  std::vector<vec3> waiting;  ///< m, per object: where particles that are not in the scene are kept
  bool takes_part(std::int32_t particle) const {
    return std::size_t(particle) < members_by_particle.size() &&
           members_by_particle[std::size_t(particle)] != 0;
  }
  bool empty() const { return members.empty(); }

  static constexpr auto all_members = std::tuple(&FluidMatter::members, &FluidMatter::members_by_particle,
                                                 &FluidMatter::emitters, &FluidMatter::waiting);
};

/// kg, the smallest mass of a fluid particle; 0 without fluids. `inverse_mass` per particle, 1/kg.
inline real lightest(const FluidMatter& fluid, const AlignedVector<real>& inverse_mass) {
  real largest = 0;
  for (const std::int32_t i : fluid.members) largest = std::max(largest, inverse_mass[std::size_t(i)]);
  return largest > real(0) ? 1 / largest : real(0);
}

/// Bounds of the world for fluids, m: a particle is lost if it is farther than fluid_world_size from the
/// origin along an axis, or lower than fluid_depth. A fluid that runs off an edge falls for 3 s before; one
/// that starts high up reaches the ground.
inline constexpr double fluid_world_size = 2000.0, fluid_depth = -50.0;

/// Counts of the particles of one object.
struct FluidCount {
  std::int64_t emitted = 0;  ///< by its emitter
  std::int64_t drained = 0;  ///< by sinks
  std::int64_t lost = 0;     ///< beyond the bounds of the world

  static constexpr auto all_members =
      std::tuple(&FluidCount::emitted, &FluidCount::drained, &FluidCount::lost);
};

/// Progress of an emitter.
struct FluidEmission {
  std::int64_t layers = 0;     ///< layers that have passed the mouth
  std::int64_t particles = 0;  ///< particles emitted
  double waited = 0.0;         ///< s, time for which the mouth was blocked
  bool blocked = false;        ///< in the last frame

  static constexpr auto all_members = std::tuple(&FluidEmission::layers, &FluidEmission::particles,
                                                 &FluidEmission::waited, &FluidEmission::blocked);
};

/// A diffuse particle: spray in the air, foam on a fluid, a bubble in it (parts/fluids/spray.hpp).
struct SprayPoint {
  vec3 position{0}, velocity{0};  ///< m, m/s
  real life = 0;                  ///< s that are left

  static constexpr auto all_members =
      std::tuple(&SprayPoint::position, &SprayPoint::velocity, &SprayPoint::life);
};

/// Largest number of diffuse particles in a World, and of those that a fluid particle makes in a frame.
inline constexpr std::size_t most_spray = 20'000;
inline constexpr int most_born = 8;

/// Mutable state of the fluids, kept from frame to frame.
struct FluidState {
  /// Per particle up to the last member: 1 if it is in the scene; 0: parked, or of no fluid
  std::vector<char> present;
  AlignedVector<real> pressure;          ///< kg m^2, per particle: the multiplier of the last substep
  real step = 0;                         ///< s, substep to which these multipliers belong
  std::vector<FluidCount> counts;        ///< per object
  std::vector<FluidEmission> emissions;  ///< per emitter
  std::vector<SprayPoint> spray;
  std::int64_t spray_born = 0;  ///< number of diffuse particles made so far

  static constexpr auto all_members =
      std::tuple(&FluidState::present, &FluidState::pressure, &FluidState::step, &FluidState::counts,
                 &FluidState::emissions, &FluidState::spray, &FluidState::spray_born);
};

/// Whether `particle` belongs to a fluid and is not in the scene.
inline bool is_parked(const FluidMatter& matter, const FluidState& state, std::int32_t particle) {
  return matter.takes_part(particle) && state.present[std::size_t(particle)] == 0;
}

}}  // namespace limber::LIMBER_PRECISION
