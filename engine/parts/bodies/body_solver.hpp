// Rigid bodies in a step: prediction, constraints and velocities, as the Stepper does for particles.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parts/bodies/body_impacts.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"
#include "engine/parts/bodies/sleeping.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Unknowns of a substep are each body's displacement and rotation vector (contact/bodies/body_contact.hpp).
/// All functions must be called by every thread of the team, except begin_step(). Bodies are shared out in
/// blocks.
class BodySolver {
 public:
  BodySolver(const KernelTable<real>& kernels, const KernelTable<real>& one_by_one)
      : kernels_(kernels.contacts),
        one_by_one_(one_by_one.contacts),
        impacts_(kernels_, one_by_one_),
        joints_(kernels.joints) {}

  static bool enabled(const World& world) { return world.bodies.count() > 0; }

  /// Sizes everything for `world`.
  void reserve(const World& world, int threads);

  /// Sizes all arrays by body; the joints stay unchanged.
  void reserve_bodies(const World& world);

  /// Serial, before anything of a frame of dt s. Bodies at rest fall asleep.
  void begin_step(World& world, real dt, const StaticContacts& statics);

  /// Contacts for the frame; colliders are where they are at its start.
  void begin_frame(World& world, real dt, const StaticContacts& statics, Team& team);

  /// Lines (5) to (7): v <- v + h g, then dx and dt as the bodies would move without contacts, then the
  /// effect of contacts in the last substep. `keep`: share of all velocities that damping leaves. `gained`:
  /// m/s, speed that gravity adds in the substep.
  void predict(World& world, real h, real keep, const vec3& gained, const StaticContacts& statics,
               int substep, Team& team);

  /// Line (10): out of overlaps, once.
  void push(World& world, real h, Team& team);

  /// Positions and orientations follow dx and dt.
  void move(World& world, real h, const StaticContacts& statics, int substep, Team& team);

  /// Lines (12) to (16): friction and rest, then v <- dx / h and angular momentum from dt.
  void update_velocities(World& world, real h, Team& team);

  void end_frame(World& world, Team& team);

  /// The bodies' rows (BodyRow), to be changed between predict() and move() ...
  vec4* rows_of_bodies() { return rows_.data(); }
  const vec4* rows_of_bodies() const { return rows_.data(); }
  /// ... by rows whose multipliers start anew in every substep. Notes their changes of a body's dx and dt,
  /// which are not carried over like those of contacts. By one thread per body.
  void leave_out(std::size_t body, const vec3& shift, const vec3& turn) {
    fresh_shift_[body] += vec4(shift, real(0));
    fresh_turn_[body] += vec4(turn, real(0));
  }

  /// Tells `touched` at a substep's end which parts of bodies pushed each other, or were pushed otherwise. A
  /// thread's share.
  void tell_touched(const World& world, TouchedParts& touched, const Team& team);

  bool nonfinite() const { return nonfinite_.load(std::memory_order_relaxed); }
  const BodyContacts& contacts() const { return contacts_; }

 private:
  void free_motion(World& world, real h, real keep, const vec3& gained, std::size_t i);
  void move_collider(const World& world, const StaticContacts& statics, int substep, std::size_t c);
  void rotate_collider(const World& world, const StaticContacts& statics, int substep, std::size_t c);
  void finish(World& world, real h, std::size_t i);
  void take_rounding(World& world, real h, std::size_t i);

  void pull(const World& world, real h, Team& team);

  template <class Visit>
  void visit_contacts(Team& team, const Visit& visit);

  vec4& row(std::size_t body, BodyRow which) { return rows_[body_rows * body + which]; }
  real* rows() { return &rows_.data()->x; }

  const BodyContactKernels<real>& kernels_;
  const BodyContactKernels<real>& one_by_one_;
  BodyContacts contacts_;
  BodyImpacts impacts_;
  JointSolver joints_;
  Sleeping sleeping_;
  AlignedVector<vec4> rows_;  ///< body_rows per body, then per collider, then two of padding
  AlignedVector<vec4> carried_shift_, carried_momentum_;  ///< changes by contacts in the last substep
  AlignedVector<vec4> frame_start_;                       ///< m, per body, where the frame began
  AlignedVector<vec4> fresh_shift_, fresh_turn_;          ///< sums of leave_out() in this substep
  std::vector<std::int32_t>
      round_;                      ///< per body: its only shape if that is of revolution about the centre; -1
  vec3 pulled_{0};                 ///< kg m, multiplier of the hand
  std::atomic<bool> spun_{false};  ///< a body has turned so far in this frame that rows weigh otherwise
  std::atomic<bool> nonfinite_{false};
};

}}  // namespace limber::LIMBER_PRECISION
