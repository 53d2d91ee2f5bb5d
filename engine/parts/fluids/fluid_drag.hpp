// Viscous drag between fluids and the walls beside which they flow: colliders and rigid bodies.
//
// A wall counts as fluid behind its surface that moves with the wall. The viscosity between two particles
// (constraints/density.hpp, pull_of_pair), summed over the half space behind a plane at the distance d, is
//
//   m dv = h k (v_wall - v),   k = V mu int 2 |dW/dr| / r dV = 15 V mu (1 - d/H)^4 / H^2
//
// Uniform shear would then give only half of the stress mu dv/dy, because the fluid behind the wall stands
// still, whereas its mirror image would flow backwards. Therefore twice that k is used.
//
// Every row is solved by itself, implicitly. With u the relative velocity of both sides and w + M the sum of
// their inverse masses, the impulse is h k u', u' = u - (w + M) h k u'. It removes energy at any viscosity.
// Opposite impulses act on the two sides at one point, so linear and angular momentum are conserved.
#pragma once

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Drag between a wall and the fluid beside it: constants of the kernel for a substep of h s.
struct FluidDrag {
  real support;  ///< m, H
  real scale;    ///< m s, 30 h V / H^2

  FluidDrag(const World& world, real h);

  /// kg, h k at the distance d (m) from a wall for the given viscosity (Pa s).
  real at(real viscosity, real d) const {
    const real left = d < support ? real(1) - (d > real(0) ? d : real(0)) / support : real(0);
    return scale * viscosity * (left * left) * (left * left);
  }
};

/// Whether any fluid of the World has a viscosity.
bool has_viscous_fluid(const World& world);

/// Applies the drag of colliders to the fluids in this thread's blocks of particles, after velocities were
/// computed in a substep of h s. No barrier. Coupling::drag() does the same for bodies.
void drag_at_colliders(World& world, const StaticContacts& colliders, real h, const Team& team);

}}  // namespace limber::LIMBER_PRECISION
