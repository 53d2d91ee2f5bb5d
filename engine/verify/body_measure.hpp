// Measures of rigid bodies.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"
#include "engine/verify/posed_colliders.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds energies, momenta, the deepest overlap and the bounds of all bodies to those of the particles. Sums
/// speeds, and returns the number of bodies in that sum.
std::int64_t add_bodies(const World& world, const PosedColliders& posed, Measures& m);

/// Counts a particle that is `depth` m inside something with its object, if that is more than `inside_depth`.
void add_inside(const World& world, std::int32_t particle, double depth, Measures& m);

/// Adds the penetration of particles into bodies to which they are not attached.
void add_particles_inside_bodies(const World& world, Measures& m);

/// m, deepest overlap of bodies with each other and with colliders. `posed` must follow the world.
/// Independent of the solver's contacts.
double deepest_overlap(const World& world, const PosedColliders& posed);

}}  // namespace limber::LIMBER_PRECISION
