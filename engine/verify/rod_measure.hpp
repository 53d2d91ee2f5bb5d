// Measures of rods: forces at their ends, energies, and the link of rings.
#pragma once

#include "engine/core/measures.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Forces and torques at the ends of rods, their largest tension and their energies; link, twist and writhe
/// of the first ring.
void add_rods(const World& world, Measures& m);

/// Twist, writhe and link of a closed rod, in turns. Twist counts how far frames turn about the tangents from
/// segment to segment (parallel transport); writhe is Gauss' integral of the polygon, exact for its segments
/// (Klenin and Langowski 2000, method 1a). Link, their sum, is a whole number for a closed ribbon.
struct RingTurns {
  double twist = 0.0, writhe = 0.0;
  double link() const { return twist + writhe; }
};
RingTurns ring_turns(const World& world, const RodRun& ring);

/// Segments of a ring beyond which its writhe, a sum over all pairs, is not measured.
inline constexpr std::int32_t most_writhe_segments = 400;

}}  // namespace limber::LIMBER_PRECISION
