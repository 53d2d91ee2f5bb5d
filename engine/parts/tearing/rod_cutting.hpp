// Cutting rods by hand.
#pragma once

#include "engine/parts/tearing/solid_cutting.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Breaks each rod whose segments the blade crosses, at the end of the segment nearer to the crossing. If the
/// rod ends there, or if that point is fixed, it breaks at the other end. O(segments).
void cut_rods(World& world, const Blade& blade, CutResult& result);

}}  // namespace limber::LIMBER_PRECISION
