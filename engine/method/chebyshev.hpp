// Chebyshev acceleration of averaged Jacobi iterations (Wang 2015, "A Chebyshev semi-iterative approach").
#pragma once

#include <array>

#include "engine/constraints/constraint_types.hpp"
#include "engine/method/averaged_jacobi.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The factors of a Chebyshev semi-iteration. If one plain iteration multiplies the error by rho, they are
///   omega_1 = 1,  omega_2 = 2 / (2 - rho^2),  omega_k+1 = 4 / (4 - rho^2 omega_k)
/// `last` is omega_k of iteration k, counted from 1; `iteration` is k.
inline real next_chebyshev_factor(real last, int iteration, real radius) {
  const real squared = radius * radius;
  return iteration == 1 ? real(2) / (real(2) - squared) : real(4) / (real(4) - squared * last);
}

/// Extrapolates each Jacobi iteration:
///   x_k+1 = omega_k+1 (x^ - x_k-1) + x_k-1,  x^ the Jacobi iterate of x_k,  and lambda alike.
/// Extrapolating x and lambda alike keeps the sum of impulses equal to the change of momentum of the
/// particles. rho is `chebyshev_radius`. If rho is chosen too small, the acceleration is weaker; the linear
/// iteration converges for any rho in [0, 1). Displacements of x_k by contacts after the iteration are added
/// to x_k-1 as well, so that they are not extrapolated.
class Chebyshev {
 public:
  explicit Chebyshev(const KernelTable<real>& kernels) : jacobi_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team) { jacobi_.load(world, team); }
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

 private:
  void note(const World& world, bool first, const Team& team);
  void carry_on(World& world, const Team& team);

  AveragedJacobi jacobi_;
  AlignedVector<vec4> now_, before_, left_;  ///< m: x_k, x_k-1, and x_k at the end of the iteration
  std::array<AlignedVector<real>, constraint_type_count> lambda_now_, lambda_before_;
  real omega_ = 1;
  int iteration_ = 0;  ///< number of the iteration in the substep, from 1
};

}}  // namespace limber::LIMBER_PRECISION
