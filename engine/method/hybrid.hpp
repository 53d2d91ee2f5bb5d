// Gauss-Seidel for the first colours, averaged Jacobi for the rest (Fratarcangeli and Pellacini 2015).
#pragma once

#include "engine/method/averaged_jacobi.hpp"
#include "engine/method/gauss_seidel.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A colour costs a barrier however few constraints it has. So the first `colour_cap` colours of each type
/// and part of an object (schedule_builder.hpp: a small object, a patch, the constraints across patches) are
/// visited colour after colour, and then the constraints of all other colours at once. A cap of 0 is Jacobi;
/// one of as many colours as there are is Gauss-Seidel. Springs that tears added are always among the
/// colours.
class Hybrid {
 public:
  explicit Hybrid(const KernelTable<real>& kernels) : kernels_(kernels), jacobi_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

  const Schedule& schedule(const World&) const { return colours_; }  ///< of the colours below the cap
  const SlotRuns& at_once() const { return rest_; }                  ///< slots of the other colours

 private:
  void divide(const World& world);

  const KernelTable<real>& kernels_;
  AveragedJacobi jacobi_;
  Schedule colours_;
  SlotRuns rest_;
};

}}  // namespace limber::LIMBER_PRECISION
