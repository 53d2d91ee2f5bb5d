// Warm constraints: less stiffness, less yield.
#pragma once

#include <cstdint>
#include <span>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether something in the World has a temperature that softens it.
bool any_softens(const World& world);

/// Share of stiffness, yield and strength that particles of one object keep at their mean temperature: 1
/// where it does not soften.
double softened_share_of(const World& world, std::span<const std::int32_t> particles);

/// The compliance of what softens, by the mean temperature of its corners; of slots with numbers
/// rank, rank + count ... in blocks. A stiffness per iteration (PBD) is not changed by warmth.
void soften(World& world, int rank, int count);

}}  // namespace limber::LIMBER_PRECISION
