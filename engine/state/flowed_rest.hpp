// Rest values that plastic flow changes: the materials in which this happens, and the initial values.
#pragma once

#include "engine/state/plastic_laws.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Whether rest values with this trait flow in this material.
bool yields(FlowTrait trait, const Material& material);

/// Whether strands of a rod of this material rub on each other (parts/rods/rod_friction.hpp).
bool has_internal_friction(const Material& material);

/// Gives mutable rest values to the types that flow or rub under the present materials. Values that have
/// flowed stay; joints whose friction was switched off get back their rest values.
void begin_flow(World& world);

}}  // namespace limber::LIMBER_PRECISION
