// Projective Dynamics: a local step over all constraints, and a global step with a constant matrix (Liu et
// al. 2013, Bouaziz et al. 2014).
#pragma once

#include <array>
#include <atomic>

#include "engine/constraints/constraint_types.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/method/incidence.hpp"
#include "engine/method/substitution.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Minimises F(x) = |x - y|^2_M / (2 h^2) + sum_c w_c/2 min_z |A_c x - z|^2. With z fixed (the local step
/// finds the nearest z, over lanes), F is quadratic in x, with the same matrix for x, y and z coordinates:
///
///   K = M/h^2 + sum_c w_c A_c^T A_c,   dx = -K^-1 (M/h^2 (x - y) + sum_c w_c A_c^T (A_c x - z_c))
///
/// Solving for dx instead of x rounds dx only. K is factored once, and again when a mass, a fixed particle,
/// h, a stiffness or the mesh changes; the frame of the change waits for it.
///
/// Iterations are accelerated by Chebyshev polynomials of the fourth kind (Lottes 2023):
///   s_k = (2k-3)/(2k+1) s_k-1 + (8k-4)/(2k+1) dx_k,  s_1 = 4/3 dx_1,  x_k = x_k-1 + s_k
/// Let the step dx of an error be its share v; v is in (0, 1], because K is at least the Hessian. k
/// iterations multiply this error by p_k(v), with |p_k| <= 1/((2k+1) sqrt(v)) for any v, so no parameter has
/// to be guessed, and p_k >= -1/3. The lower bound matters: a stiff mode whose error is reversed by more than
/// that grows from substep to substep. Polynomials of the first kind (Wang 2015) reverse it by up to 1: a
/// sheet that falls freely flies apart with two or three iterations.
///
/// w is 1/alpha with alpha at least `compliance_floor`, but no stiffer than the precision can distinguish
/// from rigid: w <= stiffest m/h^2 of the lightest particle. Types without a local projection, such as
/// dihedral bending, are swept as by XPBD after each iteration; contacts follow. Displacements by both are
/// added to y: they stay until a contact reverses them. s_k contains only the method's own steps, so that
/// displacements by contacts are not extrapolated.
///
/// The polynomials bound only errors that are there at the first iteration. A displacement that a contact
/// adds before iteration k meets the factor (8k-4)/(2k+1) at once, which reverses a stiff mode up to three
/// times over, and soft bodies never rest. From the first such displacement of a substep on the factors are
/// therefore constant, and every error has the same bound whenever it appears:
///   s_k = 1/3 s_k-1 + 4/3 dx_k
/// 1/3 is the largest momentum with p_k >= -1/3 for all k and v; it reaches in n iterations what 2 n plain
/// ones do.
///
/// Contacts of single particles with colliders are part of F: a multiplier lambda (m) is the force m/h^2
/// lambda, kept as a warm start for the next substep. In each iteration a contact puts its particle back on
/// the surface, by d, which shows how much force is missing: K-step and contacts together are Uzawa's
/// iteration for the dual of K's quadratic form,
///
///   lambda_c += p_c d_c,   p_c = 1.25/u_c,   u = K^-1 M/h^2 1_C   (1_C: 1 for particles with contacts, else
///   0)
///
/// Displacing a vertex by d takes a force of d/(K^-1)_cc, thousands of times m/h^2 d in stiff cloth, so that
/// p = 1 finds the forces far too slowly, and from zero in every substep: cloth then never rests. u_c is the
/// sum of row c of K^-1 M/h^2 over all contacts. The entries of K^-1 are not negative (with bending, nearly
/// so); rows divided by their sums have a spectral radius of at most 1, so p u bounds the eigenvalues of the
/// iteration for any set of contacts. A sheet that lies flat on a plane has u = 1, a single contact
/// u = m/h^2 (K^-1)_cc. The fourth lane of the first substitution of a substep computes u at no cost.
class Projective {
 public:
  explicit Projective(const KernelTable<real>& kernels) : kernels_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  /// See Method::meet().
  void meet(StaticContacts* contacts) { contacts_ = contacts; }
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World& world, const Team& team) const;

  /// Number of factorisations so far.
  int factored() const { return factored_; }

 private:
  void list_constraints(const World& world);
  bool notice_changes(const World& world, real inverse_h_squared);
  void weigh(const World& world);
  void factor(const World& world);
  void take_start(const World& world, bool first, const Team& team);
  struct Factors {
    real last, now;  ///< of s_k-1 and dx_k
  };
  Factors factors(bool accelerated) const;
  void pull(World& world, const Team& team);
  void carry_on(World& world, bool accelerated, const Team& team);

  template <class Act>
  void for_contacts(const World& world, const Share& mine, const Act& act) const;

  const KernelTable<real>& kernels_;
  StaticContacts* contacts_ = nullptr;
  std::uint64_t edition_ = 0;
  SparsePattern pattern_;
  SparseCholesky cholesky_;
  Substitution substitution_;
  Incidence pulls_;     ///< N
  SlotRuns projected_;  ///< slots of types with a local step
  Schedule swept_;      ///< schedule of the other types
  int factored_ = 0;

  // The values from which K was made.
  real inverse_h_squared_ = 0;
  std::vector<real> mass_;  ///< 1/kg, by particle
  std::array<AlignedVector<real>, constraint_type_count> softness_, weight_;

  AlignedVector<vec4> y_, now_, left_, step_;  ///< m: y, x_k, x_k+1 before contacts, s_k
  AlignedVector<vec4> rows_;  ///< -grad F, then dx; in w M/h^2 1_C, then K^-1 M/h^2 1_C, in first iterations
  int iteration_ = 0;                          ///< k, from 1
  std::atomic<bool> moved_by_others_ = false;  ///< something else has moved particles in this substep
};

}}  // namespace limber::LIMBER_PRECISION
