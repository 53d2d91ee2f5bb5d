// Minimisers of the objective function of implicit Euler: gradient descent and Newton's method, both with
// line search.
#pragma once

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/method/objective.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// One step of steepest descent per iteration, x <- x - t D^-1 grad F, in the metric of a diagonal matrix D
/// that contains m_i/h^2 and the stiffness around each particle at the substep's start. The step length t
/// starts at twice that of the last iteration and is reduced until F falls. F always falls; convergence is
/// slow if stiff and soft modes are mixed.
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

/// Newton's method on the objective function of implicit Euler: one step per iteration, H d = -grad F with
/// the positive part of each constraint's Hessian, then a line search. H is factored anew in each iteration,
/// in double. Contacts with colliders are part of F. An active set method finds the pressing contacts
/// together with the step; H is factored again for each set.
///
/// A step that rotates an almost rigid element stretches it by the square of the rotation, which at 1e8 N/m
/// makes F rise. A line search alone would then take tiny steps (Maratos effect). If F rises along the whole
/// step, the step is corrected by the gradients at its end, with the same factor.
class Newton {
 public:
  explicit Newton(const KernelTable<real>&) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}
  /// See Method::meet().
  void meet(StaticContacts* contacts) { objective_.meet(contacts); }

 private:
  void analyze(const World& world);
  void evaluate_hessians(const World& world, Team& team);
  void assemble(const World& world);
  void solve_with_contacts(const World& world);
  bool find_pressed(const World& world, double step, bool kept);
  void solve(const World& world, double step);
  bool find_friction(const World& world, Team& team);
  void step(World& world, Team& team);
  bool step_corrected(const World& world, Team& team);

  Objective objective_;
  std::uint64_t edition_ = 0;
  SparsePattern pattern_, coordinates_;  ///< of particles, of their coordinates
  SparseCholesky factor_;
  std::vector<double> values_, unknown_, smooth_;  ///< smooth_: H without contacts
  std::vector<char> pressed_;                      ///< per index of a contact: it is part of H
  bool rubs_ = false;                              ///< some contact has friction
  std::vector<glm::dvec3> first_;                  ///< m, the direction before corrections
  /// Per type and slot the lower triangle of an element's Hessian, row after row.
  std::array<std::vector<double>, constraint_type_count> hessian_;
  bool solved_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
