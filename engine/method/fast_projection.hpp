// Fast projection: all constraints linearised at once and solved directly (Goldenthal et al. 2007).
#pragma once

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/sparse_cholesky.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/method/incidence.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An iteration is a step of Newton's method on the constraints of XPBD instead of a sweep over them:
///
///   (grad C W grad C^T + A~) dlambda = -C - A~ lambda,   dx = W grad C^T dlambda
///
/// This is the Schur complement of XPBD's linearised system (Macklin et al. 2016), factored anew in each
/// iteration. Inequalities that hold are left out. Dependent constraints would make the matrix singular, so a
/// billionth of its diagonal is added. There is no line search: a step beyond the range of the linearisation
/// may overshoot. The cost is that of a direct solve, so the method suits scenes of a few thousand
/// constraints.
class FastProjection {
 public:
  explicit FastProjection(const KernelTable<real>&) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

 private:
  /// Row k of constraint s of a type has the number row_of_[type][s] + k.
  struct Row {
    std::int32_t first, count;  ///< range in points_
    std::int32_t type, slot, k;
  };
  struct Point {
    std::int32_t particle;
    glm::dvec3 gradient;
  };
  void list_rows(const World& world);
  void linearize(const World& world, const Sweep<real>& sweep, Team& team);
  void assemble(const World& world);
  void move(World& world, Team& team);

  std::uint64_t edition_ = 0;
  /// Per type and slot: number of its first row; -1: none.
  std::array<std::vector<std::int32_t>, constraint_type_count> row_of_;
  std::vector<Row> rows_;
  std::vector<Point> points_;
  std::vector<std::int32_t> first_at_, at_;  ///< per particle: its range in at_; numbers of its points
  std::vector<std::int32_t> point_row_;      ///< per point: its row
  SparsePattern pattern_;
  SparseCholesky factor_;
  std::vector<double> values_, dlambda_;
  std::vector<double> compliance_;  ///< entries of A~; per row as many as its constraint has rows
  std::vector<std::int32_t> first_compliance_;
  bool solved_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
