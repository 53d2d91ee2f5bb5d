// Fluid particles that enter and leave a scene: emitters, drains, and the bounds of the scene.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Mean density around an emitter's opening, divided by the rest density, from which on the opening counts as
/// blocked. A jet into open water stays below it; a full closed vessel exceeds it.
inline constexpr double blocked_density = 1.03;

/// Takes a particle of a fluid out of the scene: it gets no mass and waits at the waiting place of its
/// object.
void park_fluid(World& world, std::int32_t particle);

/// Adds the layers that emitters emit in the frame of dt s that begins at `time` s. A layer starts in front
/// of the opening, at the distance that it has moved since its time of emission. A blocked opening
/// (blocked_density) emits nothing in this frame. Serial. `near`: scratch with reserved storage for one
/// number per particle.
void emit_fluids(World& world, double time, double dt, std::vector<std::int32_t>& near);

/// Parks particles that touch a draining collider or have left the bounds of the scene. Serial, after a
/// frame.
void drain_fluids(World& world);

/// Parks particles that start inside colliders and bodies.
void clear_fluids(World& world);

}}  // namespace limber::LIMBER_PRECISION
