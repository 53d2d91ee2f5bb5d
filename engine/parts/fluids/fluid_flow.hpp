// Fluid particles that enter and leave a scene: emitters, drains, and the bounds of the world.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Mean density around a mouth, over the rest density, at which the mouth is blocked. A jet into open water
/// stays below it; a full closed vessel exceeds it.
inline constexpr double blocked_density = 1.03;

/// Takes a particle of a fluid out of the scene: it has no mass and waits at the place of its object.
void park_fluid(World& world, std::int32_t particle);

/// Adds the layers that emitters emit in the frame of dt s that begins at `time` s. A layer starts before the
/// mouth by the distance that it moves until its time of emission. A blocked mouth (blocked_density) emits
/// nothing in this frame. Serial. `near`: scratch with room for the numbers of all particles.
void emit_fluids(World& world, double time, double dt, std::vector<std::int32_t>& near);

/// Parks particles that touch a draining collider or have left the world. Serial, after a frame.
void drain_fluids(World& world);

/// Parks particles that start inside colliders and bodies, which displace them.
void clear_fluids(World& world);

}}  // namespace limber::LIMBER_PRECISION
