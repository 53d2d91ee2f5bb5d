// Cutting rods by hand.
#pragma once

#include "engine/parts/tearing/solid_cutting.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Parts each rod whose segments the blade crosses, at the end of the segment that is nearer to where it
/// does; at the other one where the rod ends there or something holds it. O(segments).
void cut_rods(World& world, const Blade& blade, CutResult& result);

}}  // namespace limber::LIMBER_PRECISION
