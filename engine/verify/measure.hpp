// Energies, momenta, strains, residuals and the state hash of a World.
#pragma once

#include <cstdint>

#include "engine/core/measures.hpp"
#include "engine/geometry/queries/triangle_intersection.hpp"
#include "engine/state/world.hpp"
#include "engine/verify/posed_colliders.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Measures everything at once, in double, in one pass over particles and constraints; reads only. Particles
/// of inverse mass zero count with their natural mass in no sum (they are driven from outside).
Measures measure(const World& world);

/// Like measure(), for repeated measurements, with the surfaces kept for them.
Measures measure(const World& world, PosedColliders& posed);

/// Intersecting pairs of triangles without a common vertex, by a test that shares nothing with the contacts.
std::vector<TrianglePair> find_intersections(const World& world);
std::int64_t count_intersections(const World& world);

/// FNV-1a over the bits of positions and velocities in external vertex order, then of the bodies'.
std::uint64_t state_hash(const World& world);

}}  // namespace limber::LIMBER_PRECISION
