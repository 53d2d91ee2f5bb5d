// Prepares a World for tears: particles and constraint slots in reserve, and tables from triangles to slots.
#pragma once

#include <memory>

#include "engine/constraints/constraint_types.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The untorn topology of `world` with a TearRoom. Solids of tetrahedra get as many spare particles as they
/// have particles, surfaces and rods half as many; at least `fewest_spares`, at most the number that takes
/// the object apart triangle by triangle or segment by segment. Spares lie behind all other particles, so
/// that ids and places stay. O(T log T), allocates.
std::shared_ptr<const Topology> with_tear_room(const World& world);
inline constexpr std::int32_t fewest_spares = 256;

/// Replaces the topology of `world`, which has no TearRoom yet, by `topology`. The solver must prepare()
/// again.
void adopt_tear_room(World& world, std::shared_ptr<const Topology> topology);

/// Message why object number `object` of the topology cannot be torn or cut, from a constraint type that
/// refuses; empty if it can.
std::string_view tear_refusal(const World& world, std::size_t object);

/// Whether any material of `world` can tear, or any tetrahedra can melt.
bool wants_tears(const World& world);

/// Calls visit(std::integral_constant<size_t, i>) for the constraint type numbered `type`.
template <class Visit>
void visit_type(std::int32_t type, Visit&& visit) {
  for_each_type([&](auto i) {
    if (std::int32_t(i) == type) visit(i);
  });
}

}}  // namespace limber::LIMBER_PRECISION
