// Softening of warm constraints: less stiffness, less yield.
#pragma once

#include <cstdint>
#include <span>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether something in the World has a temperature that softens it.
bool any_softens(const World& world);

/// Share of stiffness, yield and strength that particles of one object keep at their mean temperature; 1 if
/// the object does not soften.
double softened_share_of(const World& world, std::span<const std::int32_t> particles);

/// Sets the compliance of constraints that soften, from the mean temperature of their corners, for the blocks
/// of slots rank, rank + count, ... A stiffness per iteration (PBD) does not depend on temperature.
void soften(World& world, int rank, int count);

}}  // namespace limber::LIMBER_PRECISION
