// Rigid bodies in a step: prediction, constraints and velocities, like the stages of the Stepper for
// particles.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/parts/bodies/body_impacts.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"
#include "engine/parts/bodies/sleeping.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The unknowns of a substep are each body's displacement and rotation vector
/// (contact/bodies/body_contact.hpp). All functions must be called by every thread of the team, except
/// begin_step(). Each thread handles its own blocks of bodies.
class BodySolver {
 public:
  BodySolver(const KernelTable<real>& kernels, const KernelTable<real>& one_by_one)
      : kernels_(kernels.contacts),
        one_by_one_(one_by_one.contacts),
        motion_(kernels.motion),
        impacts_(kernels_, one_by_one_),
        joints_(kernels.joints, kernels.nets) {}

  static bool enabled(const World& world) { return world.bodies.count() > 0; }

  /// Sizes all arrays for `world`; allocates.
  void reserve(const World& world, int threads);

  /// Sizes all arrays by body; joints stay unchanged.
  void reserve_bodies(const World& world);

  /// Puts resting bodies to sleep. Must be called first in a frame of dt s. Serial.
  void begin_step(World& world, real dt, const StaticContacts& statics);

  /// Finds the contacts of the frame. Colliders must be at their poses at its start.
  void begin_frame(World& world, real dt, const StaticContacts& statics, Team& team);

  /// Lines (5) to (7): v <- v + h g, displacement and rotation vector of free flight, and a warm start by the
  /// contacts of the last substep. `keep`: share of the velocities that damping leaves. `gained`: m/s, change
  /// of velocity by gravity in the substep.
  void predict(World& world, real h, real keep, const vec3& gained, const StaticContacts& statics,
               int substep, Team& team);

  /// Line (10): one push sweep over contacts and joints.
  void push(World& world, real h, Team& team);

  /// Applies displacements and rotation vectors to positions and orientations.
  void move(World& world, real h, const StaticContacts& statics, int substep, Team& team);

  /// Lines (12) to (16): settle sweeps, then v <- dx / h and the angular momentum from the rotation vector.
  void update_velocities(World& world, real h, Team& team);

  void end_frame(World& world, Team& team);

  /// The bodies' rows (BodyRow), which others may change between predict() and move().
  vec4* rows_of_bodies() { return rows_.data(); }
  const vec4* rows_of_bodies() const { return rows_.data(); }
  /// Excludes a change of a body's displacement and rotation vector from the warm start of the next substep.
  /// For rows whose multipliers start at zero in every substep. One thread per body.
  void leave_out(std::size_t body, const vec3& shift, const vec3& turn) {
    fresh_shift_[body] += vec4(shift, real(0));
    fresh_turn_[body] += vec4(turn, real(0));
    left_out_.store(true, std::memory_order_relaxed);
  }

  /// Tells `touched`, at the end of a substep, which parts with bodies pushed each other or were pushed from
  /// outside. Each thread reports its share.
  void tell_touched(const World& world, TouchedParts& touched, const Team& team);

  bool nonfinite() const { return nonfinite_.load(std::memory_order_relaxed); }
  const BodyContacts& contacts() const { return contacts_; }

 private:
  BodyMotionView<real> motion_view(World& world);
  BodyMotion<real> motion(const World& world, real h) const;
  template <class Visit>
  static void visit_bodies(std::span<const std::int32_t> bodies, const Visit& visit);
  void list_moving(const World& world, const Team& team);
  void move_mended(World& world, real h, std::size_t i);
  void move_collider(const World& world, const StaticContacts& statics, int substep, std::size_t c);
  void rotate_collider(const World& world, const StaticContacts& statics, int substep, std::size_t c);
  void take_rounding(World& world, real h, std::size_t i);

  void pull(const World& world, real h);

  template <class Visit>
  void visit_contacts(ColorTurns& turns, const Visit& visit);

  vec4& row(std::size_t body, BodyRow which) { return rows_[body_rows * body + which]; }
  real* rows() { return &rows_.data()->x; }

  const BodyContactKernels<real>& kernels_;
  const BodyContactKernels<real>& one_by_one_;
  const BodyMotionKernels<real>& motion_;
  BodyContacts contacts_;
  BodyImpacts impacts_;
  JointSolver joints_;
  Sleeping sleeping_;
  AlignedVector<vec4> rows_;  ///< body_rows per body, then per collider, then for two padding bodies
  AlignedVector<vec4> carried_shift_, carried_momentum_;  ///< changes by contacts in the last substep
  AlignedVector<vec4> frame_start_;                       ///< m, per body, position at the frame's start
  AlignedVector<vec4> fresh_shift_, fresh_turn_;          ///< per body: sums of leave_out() in this substep
  std::atomic<bool> left_out_{false};                     ///< leave_out() was called since reserve_bodies()
  /// Per body: its only shape if that is a shape of revolution about the centre; otherwise -1.
  std::vector<std::int32_t> round_;
  std::vector<BodyForm> form_;                     ///< per body
  std::vector<std::vector<std::int32_t>> moving_;  ///< per thread: its bodies that take part in this substep
  vec3 pulled_{0};                                 ///< kg m, multiplier of the user's pull on a body
  /// A body has rotated so far in this frame that effective masses must be recomputed.
  std::atomic<bool> spun_{false};
  std::atomic<bool> nonfinite_{false};
};

}}  // namespace limber::LIMBER_PRECISION
