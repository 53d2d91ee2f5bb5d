// Implicit viscosity, stable for any viscosity: implicit Euler for the viscous part of a substep.
//
// With the conductances k_ij of pull_of_pair() (constraints/density.hpp) and those of walls (fluid_drag.hpp),
// in kg, the velocities v at the end of a substep of h s follow from the velocities v* without viscosity:
//
//   m_i v_i = m_i v*_i + sum_j k_ij (v_j - v_i) + sum_walls k (v_wall - v_i)
//
// The equations are solved by conjugate gradients in the scalar product weighted with masses, in which the
// matrix is symmetric and positive definite. Positions are changed too, x += h (v - v*); otherwise a flow
// slower than the speed that gravity adds in a substep would be too fast. Without walls, the products with
// the matrix conserve momentum.
#pragma once

#include <vector>

#include "engine/constraints/density.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

class ThickFluid {
 public:
  /// Residual to which the equations are solved, as a share of |v*|, and the largest number of sweeps.
  static constexpr double tolerance = 1e-4;
  static constexpr int most_sweeps = 300;

  explicit ThickFluid(const FluidKernels<real>& kernels) : kernels_(kernels) {}

  /// Reserves storage for `sorted` particles; allocates.
  void reserve(const World& world, std::size_t sorted);

  /// The fluid to be solved: its neighbour lists, and the view of its kernels with up-to-date points.
  /// `limits`: the array view.moved, which is overwritten.
  struct Fluid {
    const NeighbourLists& lists;
    FluidView<real> view;
    AlignedVector<vec4>& limits;
  };
  /// Solves the equations and changes `moved`. Must be called by every thread of the team.
  /// `colliders` and `touched` may be null.
  void solve(World& world, const Fluid& fluid, const StaticContacts* colliders, TouchedParts* touched, real h,
             Team& team);

  double residual() const { return residual_; }  ///< residual after the last solve, as a share of |v*|
  int sweeps() const { return sweeps_; }         ///< iterations of the last solve

 private:
  struct Range {
    std::int64_t begin, end;
  };
  void load_walls(const World& world, const StaticContacts* colliders, real h, const Team& team);
  void apply(FluidView<real>& view, AlignedVector<vec4>& to, const Range& mine);
  template <class Number>
  double sum(std::vector<double>& partial, const Range& mine, Team& team, const Number& number);
  double square_of(const AlignedVector<vec4>& rows, std::vector<double>& partial, const Range& mine,
                   Team& team);
  void load(const World& world, const Fluid& fluid, real h, const Range& mine);
  void leave(FluidView<real>& view, AlignedVector<vec4>& left, const Range& mine);
  double choose_start(FluidView<real>& view, double& whole, const Range& mine, Team& team);
  double descend(FluidView<real>& view, double left, double enough, const Range& mine, Team& team);
  void hand_out(World& world, const NeighbourLists& lists, TouchedParts* touched, real h, const Range& mine);

  const FluidKernels<real>& kernels_;
  // per sorted particle, m/s: v*, solution, residual, search direction, and the matrix times that direction
  AlignedVector<vec4> given_, found_, left_, along_, image_;
  AlignedVector<vec4> walls_;           ///< {inverse mass times sum k v_wall; inverse mass times sum k}
  std::vector<double> weight_;          ///< kg
  AlignedVector<vec4> pulled_;          ///< per particle: sum k v_wall, sum k, in kg
  std::vector<double> first_, second_;  ///< partial sums, per slice
  std::size_t slices_ = 0;
  double residual_ = 0.0;
  int sweeps_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
