// The seam between the step and the methods that solve its constraints.
#pragma once

#include "engine/method/averaged_jacobi.hpp"
#include "engine/method/gauss_seidel.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Lines (9)-(11) of the loop without contacts: one iteration over all stencil constraints by the method that
/// `solver.method` names. Prediction, contacts and velocities are the step's and the same for every method.
///
///   solver.method   solver.order                        softness
///   pbd             coloured, sequential, alternating   stiffness k' per iteration
///   xpbd            coloured, sequential, alternating   compliance
///   jacobi          coloured only: it has no order      compliance
///
/// A method has the five functions below. It keeps what it derives from the constraints (schedules, lists of
/// incident constraints), sized in prepare() and filled by load(); multipliers are the World's.
class Method {
 public:
  explicit Method(const KernelTable<real>& kernels) : gauss_seidel_(kernels), jacobi_(kernels) {}

  /// Allocates. Must be called after a World of another topology was built or restored, and after
  /// `solver.method` or `solver.order` changed.
  void prepare(const World& world) {
    is_jacobi(world) ? jacobi_.prepare(world) : gauss_seidel_.prepare(world);
  }
  /// Reads softness and vertices. Must be called by every thread of the team at a frame's start and after a
  /// tear; ends at a barrier where it has done something.
  void load(const World& world, Team& team) {
    is_jacobi(world) ? jacobi_.load(world, team) : gauss_seidel_.load(world, team);
  }
  /// One iteration, by every thread of the team; ends at a barrier.
  void iterate(World& world, const Sweep<real>& sweep, Team& team) {
    is_jacobi(world) ? jacobi_.iterate(world, sweep, team) : gauss_seidel_.iterate(world, sweep, team);
  }
  /// Writes the multipliers of the last substep into the World. Every thread of the team calls it.
  void store(World& world, const Team& team) const {
    if (!is_jacobi(world)) gauss_seidel_.store(world, team);
  }

  /// The slots that iterations visit, and in which order (of Gauss-Seidel).
  const ConstraintSet& constraints(const World& world) const { return gauss_seidel_.constraints(world); }
  const Schedule& schedule(const World& world) const { return gauss_seidel_.schedule(world); }

 private:
  static bool is_jacobi(const World& world);

  GaussSeidel gauss_seidel_;
  AveragedJacobi jacobi_;
};

}  // namespace limber::inline LIMBER_PRECISION
