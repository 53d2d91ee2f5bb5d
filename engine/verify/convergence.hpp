// Residuals of a substep's constraints, for traces of iterations.
#pragma once

#include <span>

#include "engine/core/iteration_trace.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Residual and objective within a substep whose particles were predicted at `predicted` (rows as in
/// Particles::moved). O(constraints), in double; only reads.
Convergence convergence(const World& world, std::span<const vec4> predicted);

}}  // namespace limber::LIMBER_PRECISION
