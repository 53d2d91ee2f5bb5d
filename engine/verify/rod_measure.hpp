// Measures of rods: forces at their ends, energies, and the linking number of rings.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds forces and torques at the ends of rods, their largest tension and their energies; linking number,
/// twist and writhe of the first ring.
void add_rods(const World& world, Measures& m);

/// Twist, writhe and linking number of a closed rod, in revolutions. Twist is the rotation of the segments'
/// orientations about the tangents, from segment to segment, relative to parallel transport. Writhe is Gauss'
/// integral of the polygon, exact for its segments (Klenin and Langowski 2000, method 1a). Their sum, the
/// linking number, is an integer for a closed ribbon.
struct RingTurns {
  double twist = 0.0, writhe = 0.0;
  double link() const { return twist + writhe; }
};
RingTurns ring_turns(const World& world, const RodRun& ring);

/// Largest number of segments of a ring whose writhe, a sum over all pairs, is measured.
inline constexpr std::int32_t most_writhe_segments = 400;

}}  // namespace limber::LIMBER_PRECISION
