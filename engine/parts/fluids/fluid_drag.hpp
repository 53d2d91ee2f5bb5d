// Viscous drag between fluids and what they flow past: colliders and rigid bodies.
//
// A wall counts as fluid of its own velocity behind its surface. The viscosity between two particles
// (constraints/density.hpp, pull_of_pair) summed over the half space behind a plane at the distance d is
//
//   m dv = h k (v_wall - v),   k = V mu int 2 |dW/dr| / r dV = 15 V mu (1 - d/H)^4 / H^2
//
// Fluid in uniform shear would find half of mu dv/dy at the wall, because what is behind it stands still
// where a mirror image would flow backwards. Twice that k is taken, so that the wall bears all of it.
//
// Every row is solved by itself, implicitly: of the relative velocity u of both sides with the inverse masses
// w + M the impulse h k u' with u' = u - (w + M) h k u' takes energy away at any viscosity, and both sides
// get the same impulse at one point: linear and angular momentum stay.
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

  /// kg, h k at the distance d (m) of a fluid of that viscosity (Pa s).
  real at(real viscosity, real d) const {
    const real left = d < support ? real(1) - (d > real(0) ? d : real(0)) / support : real(0);
    return scale * viscosity * (left * left) * (left * left);
  }
};

/// Whether a fluid of the World has a viscosity.
bool has_viscous_fluid(const World& world);

/// After velocities were taken in a substep of h s: fluids at colliders, of this thread's blocks of
/// particles. Without a barrier. What it does to bodies is Coupling::drag().
void drag_at_colliders(World& world, const StaticContacts& colliders, real h, const Team& team);

}}  // namespace limber::LIMBER_PRECISION
