// Measures of rigid bodies.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Adds energies, momenta, the deepest overlap and the bounds of all bodies to those of the particles. Speeds
/// are added up; returns over how many bodies.
std::int64_t add_bodies(const World& world, Measures& m);

/// m, of particles in bodies that they are not attached to, and how many are in that by more than
/// `inside_depth`.
struct Inside {
  double depth = 0.0;
  std::int64_t particles = 0;
};
Inside particles_inside_bodies(const World& world);

/// m, of bodies with each other and with colliders; independent of the solver's contacts.
double deepest_overlap(const World& world);

}  // namespace limber::inline LIMBER_PRECISION
