// Viscosity without a bound: implicit Euler for the viscous part of a substep.
//
// With the conductances k_ij of pull_of_pair() (constraints/density.hpp) and those of walls (fluid_drag.hpp),
// in kg, the velocities v that a substep of h s ends with follow from v*, which it would end with otherwise:
//
//   m_i v_i = m_i v*_i + sum_j k_ij (v_j - v_i) + sum_walls k (v_wall - v_i)
//
// solved by conjugate gradients in the product of masses, in which the matrix is symmetric and positive.
// Places follow, x += h (v - v*): a flow slower than what gravity adds in a substep would otherwise be that
// much too fast. No product of the matrix changes the sum of momenta where no wall is.
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
  /// Share of |v*| to which the equations are solved, and the most sweeps that this may take.
  static constexpr double tolerance = 1e-4;
  static constexpr int most_sweeps = 300;

  explicit ThickFluid(const FluidKernels<real>& kernels) : kernels_(kernels) {}

  /// Room for so many sorted particles; allocates.
  void reserve(const World& world, std::size_t sorted);

  /// The fluid as it is solved: its lists, and the view of its kernels, whose points are up to date. `limits`
  /// are the rows view.moved, which it overwrites.
  struct Fluid {
    const NeighbourLists& lists;
    FluidView<real> view;
    AlignedVector<vec4>& limits;
  };
  /// Works with `moved`. Every thread of the team; ends at a barrier. `colliders`, `touched`: null where
  /// there are none.
  void solve(World& world, const Fluid& fluid, const StaticContacts* colliders, TouchedParts* touched, real h,
             Team& team);

  double residual() const { return residual_; }  ///< share of |v*| that the last solve left
  int sweeps() const { return sweeps_; }         ///< of the last solve

 private:
  struct Range {
    std::int64_t begin, end;
  };
  void load_walls(const World& world, const StaticContacts* colliders, real h, const Team& team);
  void apply(FluidView<real>& view, AlignedVector<vec4>& to, const Range& mine);
  template <class Number>
  double sum(std::vector<double>& partial, const Range& mine, Team& team, const Number& number);

  const FluidKernels<real>& kernels_;
  // per sorted particle, m/s: of the substep before viscosity, found, left over, searched along and its image
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
