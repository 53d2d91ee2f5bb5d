// Forces of all constraints in symplectic Euler: the force-based baseline of position based dynamics.
#pragma once

#include "engine/method/objective.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// v <- v + h w f(x), x <- x + h v  with the forces f = -grad E at the substep's start (vector
/// force_based_symplectic_euler). In the loop that takes velocities from positions this is p <- p + h^2 w f,
/// once a substep; further iterations do nothing. Stable while h omega < 2 for the fastest mode; beyond it
/// grows until `max_speed` bounds it, or the frame is undone.
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
