// The stiffest oscillation of a World, which bounds the steps of explicit forces.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// rad/s, the root of the largest eigenvalue of M^-1 K with K the Hessian of all energies at the present
/// positions, by power iteration: from below, within a few percent. 0 where nothing is elastic. Compliances
/// are no smaller than solver.compliance_floor. O(constraints) in time and memory, in double, reads only.
double fastest_swing(const World& world);

}}  // namespace limber::LIMBER_PRECISION
