// Minimisers of the function of implicit Euler: gradient descent and Newton, both with line search.
#pragma once

#include "engine/core/sparse_cholesky.hpp"
#include "engine/method/objective.hpp"

namespace limber::inline LIMBER_PRECISION {

/// One step of steepest descent an iteration, x <- x - t D^-1 grad F, in the metric of a diagonal D that
/// holds m_i/h^2 and the stiffness around each particle where the substep began. The step length t is twice
/// the one that the last iteration took, or smaller until F falls. Sure to fall, slow where stiff and soft
/// modes meet.
class Descent {
 public:
  explicit Descent(const KernelTable<real>&) {}

  void prepare(const World& world) { objective_.prepare(world); }
  void load(const World& world, Team& team) { objective_.load(world, team); }
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

 private:
  Objective objective_;
  double step_ = 1.0;
};

/// Newton's method on the same function: one step an iteration, H d = -grad F with the positive part of each
/// constraint's Hessian, then a line search. H is factored anew each time, in double.
class Newton {
 public:
  explicit Newton(const KernelTable<real>&) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

 private:
  void analyze(const World& world);
  void evaluate_hessians(const World& world, Team& team);
  void assemble(const World& world);
  void solve();

  Objective objective_;
  std::uint64_t edition_ = 0;
  SparsePattern pattern_, coordinates_;  ///< of particles, of their coordinates
  SparseCholesky factor_;
  std::vector<double> values_, unknown_;
  /// Per type and slot the lower triangle of an element's Hessian, row after row.
  std::array<std::vector<double>, constraint_type_count> hessian_;
  bool solved_ = false;
};

}  // namespace limber::inline LIMBER_PRECISION
