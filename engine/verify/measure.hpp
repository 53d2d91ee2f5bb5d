// Energies, momenta, strains, residuals and the state hash of a World.
#pragma once

#include <cstdint>

#include "engine/core/measures.hpp"
#include "engine/geometry/queries/triangle_intersection.hpp"
#include "engine/state/world.hpp"
#include "engine/verify/posed_colliders.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Measures everything at once, in double, in one pass over particles and constraints; only reads. Particles
/// of inverse mass zero are left out of all sums of masses, energies and momenta, because they are driven
/// from outside.
Measures measure(const World& world);

/// Like measure(world), for repeated measurements; `posed` keeps the surfaces of colliders between them.
Measures measure(const World& world, PosedColliders& posed);

/// Intersecting pairs of triangles without a common vertex, found by a test that shares no code with the
/// contacts.
std::vector<TrianglePair> find_intersections(const World& world);
std::int64_t count_intersections(const World& world);

/// FNV-1a hash over the bits of positions and velocities in external vertex order, of the orientations and
/// rotation rates of segments of rods, and of the bodies' state.
std::uint64_t state_hash(const World& world);

}}  // namespace limber::LIMBER_PRECISION
