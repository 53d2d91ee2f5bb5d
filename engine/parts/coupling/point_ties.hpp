// Ties between points of deformables, bodies and colliders in a step.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/bodies/body_solver.hpp"
#include "engine/parts/rods/rod_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// XPBD on three axes at once. With x the positions of the two ends at the substep's start, u their
/// displacements since, and s_i the weights of the particles of an end,
///
///   C = x_a - x_b + u_a - u_b = 0,   K = (sum_a w_i s_i^2 + sum_b w_i s_i^2 + a~) 1
///   dlambda = -K^-1 (C + a~ lambda)
///
/// The part of a body in K is response_at(). The w_i of a point of a rod that is solved as a whole is a
/// matrix, the response of the rod (RodSolver::answer_of()).
///
/// The ends get opposite impulses. Ends of a rigid tie that start apart, for instance at a seam that has yet
/// to close, come together at solver.depenetration_speed: PointTie::slack is what is left of the way, and
/// only the distance beyond it counts. (Errors of a substep count in full, or what they move would be let go
/// at that speed.)
class PointTies {
 public:
  static bool enabled(const World& world) { return !world.user.point_ties.empty(); }

  void reserve(const World& world);

  // Must be called by every thread of the team.

  /// Makes the rows, after particles and bodies have been predicted for a substep of h s.
  void aim(World& world, const StaticContacts& colliders, real h, int substep, const Team& team);

  void project(World& world, BodySolver& bodies, RodSolver& rods, Team& team);

  /// Breaks ties, and stores the forces of the others, at the end of substep `in_frame`.
  void finish(World& world, real h, int in_frame, const Team& team);

 private:
  struct Row {
    std::int32_t tie;
    vec3 gap;        ///< m, of a from b at the substep's start, minus the part left for later substeps
    real softness;   ///< 1/kg, compliance / h^2
    vec3 arm[2];     ///< m, from a body's centre of mass
    vec3 pulled{0};  ///< kg m, multipliers
  };
  /// A colour of fewer ties runs on one thread, because that costs less than a barrier.
  static constexpr std::int32_t serial_ties_ = 32;

  void aim_row(World& world, const StaticContacts& colliders, Row& row, real h, int substep) const;
  void project_row(World& world, BodySolver& bodies, RodSolver& rods, Row& row) const;

  std::vector<Row> rows_;  ///< colour after colour
  std::vector<std::int32_t> color_begin_;
};

}}  // namespace limber::LIMBER_PRECISION
