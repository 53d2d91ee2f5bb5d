// Rest values that may flow: the materials that permit it, and the initial values.
#pragma once

#include "engine/state/plastic_laws.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether rest values with this trait flow in this material.
bool yields(FlowTrait trait, const Material& material);

/// Gives mutable rest values to the types that flow under the present materials. Values that have flowed
/// stay.
void begin_flow(World& world);

}}  // namespace limber::LIMBER_PRECISION
