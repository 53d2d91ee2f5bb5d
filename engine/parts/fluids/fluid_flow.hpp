// Fluid particles that come and go: emitters, drains, and what leaves the world.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Mean density over the rest density of the fluid about a mouth from which on it lets nothing out: more than
/// what a jet into open water piles up, so little that a closed vessel is full.
inline constexpr double blocked_density = 1.03;

/// Puts a particle of a fluid out of the scene: without mass, where its object waits.
void park_fluid(World& world, std::int32_t particle);

/// Brings in what emitters emit in the frame of dt s that begins at `time` s: each layer as far before the
/// mouth as it will still need to pass it. A mouth whose surroundings are denser than `blocked_density` waits
/// for the frame. On one thread. `near`: room for the numbers of all particles.
void emit_fluids(World& world, double time, double dt, std::vector<std::int32_t>& near);

/// Parks what touches a collider that drains, and what has left the world. On one
/// thread, after a frame.
void drain_fluids(World& world);

/// Parks what starts inside colliders and bodies: they displace it.
void clear_fluids(World& world);

}}  // namespace limber::LIMBER_PRECISION
