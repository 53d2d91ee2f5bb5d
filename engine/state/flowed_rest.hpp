// Rest values that may flow: which materials let them, and where they begin.
#pragma once

#include "engine/state/plastic_laws.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether rest values with this trait flow in this material.
bool yields(FlowTrait trait, const Material& material);

/// Gives the types that some material now lets flow rest values of their own. Values that have flowed stay.
void begin_flow(World& world);

}}  // namespace limber::LIMBER_PRECISION
