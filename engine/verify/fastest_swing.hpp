// The fastest oscillation of a World, which limits the time step of explicit forces.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// rad/s, the square root of the largest eigenvalue of M^-1 K with K the Hessian of all energies at the
/// present positions. Power iteration gives a lower bound that is a few percent too small. 0 if nothing is
/// elastic. Compliances are no smaller than solver.compliance_floor. O(constraints) in time and memory, in
/// double; only reads.
double fastest_swing(const World& world);

}}  // namespace limber::LIMBER_PRECISION
