// Gauss-Seidel for the first colours, averaged Jacobi for the rest (Fratarcangeli and Pellacini 2015).
#pragma once

#include "engine/method/averaged_jacobi.hpp"
#include "engine/method/gauss_seidel.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Every colour costs a barrier, even if it has few constraints. Therefore only the first `colour_cap`
/// colours of each type and part of an object (schedule_builder.hpp: a small object, a patch, the constraints
/// across patches) are visited colour after colour; then the constraints of all other colours are solved at
/// once. A cap of 0 gives Jacobi; a cap of at least the number of colours gives Gauss-Seidel. Springs that
/// tears added are always visited by colour.
class Hybrid {
 public:
  explicit Hybrid(const KernelTable<real>& kernels) : kernels_(kernels), jacobi_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

  /// Schedule of the colours below the cap.
  const Schedule& schedule(const World&) const { return colours_; }
  const SlotRuns& at_once() const { return rest_; }  ///< slots of the other colours

 private:
  void divide(const World& world);

  const KernelTable<real>& kernels_;
  AveragedJacobi jacobi_;
  Schedule colours_;
  SlotRuns rest_;
};

}}  // namespace limber::LIMBER_PRECISION
