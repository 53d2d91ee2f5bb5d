// Forces of all constraints with symplectic Euler: the force-based method to which position based dynamics is
// compared.
#pragma once

#include "engine/method/objective.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// v <- v + h w f(x), x <- x + h v  with the forces f = -grad E at the substep's start (test vector
/// force_based_symplectic_euler). The step computes velocities from positions, so this is p <- p + h^2 w f,
/// once a substep; further iterations do nothing. Stable while h omega < 2 for the fastest mode. Otherwise
/// the motion grows until `max_speed` bounds it or the frame is undone.
class ExplicitForces {
 public:
  explicit ExplicitForces(const KernelTable<real>&) {}

  void prepare(const World& world) { objective_.prepare(world); }
  void load(const World& world, Team& team) { objective_.load(world, team); }
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

 private:
  Objective objective_;
};

}}  // namespace limber::LIMBER_PRECISION
