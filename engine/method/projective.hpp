// Projective Dynamics: a local step over all constraints, a global one with a constant matrix (Liu et al.
// 2013, Bouaziz et al. 2014).
#pragma once

#include <array>

#include "engine/kernels/kernels.hpp"
#include "engine/method/incidence.hpp"
#include "engine/method/substitution.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Minimises F(x) = |x - y|^2_M / (2 h^2) + sum_c w_c/2 min_z |A_c x - z|^2. With z fixed (the nearest one,
/// by the local step, over lanes) F is quadratic in x and its matrix the same for x, y and z:
///
///   K = M/h^2 + sum_c w_c A_c^T A_c,   dx = -K^-1 (M/h^2 (x - y) + sum_c w_c A_c^T (A_c x - z_c))
///
/// Solving for dx is solving for x, but rounds off dx only. K is factored once and again in the frame in
/// which a mass, a held particle, h, a stiffness or the mesh changes; that frame waits for it.
///
/// Iterations are carried on by Chebyshev polynomials of the fourth kind (Lottes 2023):
///   s_k = (2k-3)/(2k+1) s_k-1 + (8k-4)/(2k+1) dx_k,  s_1 = 4/3 dx_1,  x_k = x_k-1 + s_k
/// k iterations leave the share p_k of an error whose step dx is the share v of it; v is in (0, 1], as K is
/// at least the Hessian. |p_k| <= 1/((2k+1) sqrt(v)) for any v, with nothing to guess, and p_k >= -1/3: a
/// stiff mode whose error is turned round by more than that grows from substep to substep. Polynomials of the
/// first kind (Wang 2015) turn it round by up to 1: a sheet that falls freely flies apart with two or three
/// iterations.
///
/// w is 1/alpha, alpha no less than `compliance_floor`, and no stiffer than the precision can tell from
/// rigid: w <= stiffest m/h^2 of the lightest particle. Types without a local projection, dihedral bending
/// among them, are swept as by XPBD after each iteration, and contacts after that. What both did is taken
/// into y: an impulse that stays until a contact takes it back. s_k is the method's own step: nothing carries
/// on what contacts did.
class Projective {
 public:
  explicit Projective(const KernelTable<real>& kernels) : kernels_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World& world, const Team& team) const;

  /// Factorisations so far.
  int factored() const { return factored_; }

 private:
  void list_constraints(const World& world);
  bool notice_changes(const World& world, real inverse_h_squared);
  void weigh(const World& world);
  void factor(const World& world);
  void take_start(const World& world, bool first, const Team& team);
  void pull(World& world, const Team& team);
  void carry_on(World& world, bool accelerated, const Team& team);

  const KernelTable<real>& kernels_;
  std::uint64_t edition_ = 0;
  SparsePattern pattern_;
  SparseCholesky cholesky_;
  Substitution substitution_;
  Incidence pulls_;     ///< N
  SlotRuns projected_;  ///< slots of types with a local step
  Schedule swept_;      ///< the others
  int factored_ = 0;

  // values of which K was made
  real inverse_h_squared_ = 0;
  std::vector<real> mass_;  ///< inverse, by particle
  std::array<AlignedVector<real>, constraint_type_count> softness_, weight_;

  AlignedVector<vec4> y_, now_, left_, step_;  ///< m: y, x_k, x_k+1 before contacts, s_k
  AlignedVector<vec4> rows_;                   ///< -grad F, then dx
  int iteration_ = 0;                          ///< k, from 1
};

}}  // namespace limber::LIMBER_PRECISION
