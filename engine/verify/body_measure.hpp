// Measures of rigid bodies.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"
#include "engine/verify/posed_colliders.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds energies, momenta, the deepest overlap and the bounds of all bodies to `m`, which has those of the
/// particles. Adds the speeds of bodies to the sum of speeds. Returns the number of bodies in that sum.
std::int64_t add_bodies(const World& world, const PosedColliders& posed, Measures& m);

/// Counts a particle that is `depth` m inside a body or collider for its object, if `depth` exceeds
/// `inside_depth`.
void add_inside(const World& world, std::int32_t particle, double depth, Measures& m);

/// Adds the penetration of particles into bodies to which they are not attached.
void add_particles_inside_bodies(const World& world, Measures& m);

/// m, deepest overlap of bodies with each other and with colliders. `posed` must have been placed by
/// follow(). Independent of the solver's contacts.
double deepest_overlap(const World& world, const PosedColliders& posed);

}}  // namespace limber::LIMBER_PRECISION
