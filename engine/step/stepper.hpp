// The step: the loop of Mueller et al. 2006 with substeps, around any method that solves its constraints.
#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "engine/contact/cloth/surface_contacts.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/coupling/sheet_contacts.hpp"
#include "engine/contact/particles/particle_contacts.hpp"
#include "engine/core/profiler.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/method/method.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/solver/body_solver.hpp"
#include "engine/solver/coupling.hpp"
#include "engine/solver/damping.hpp"
#include "engine/solver/free_flight.hpp"
#include "engine/solver/pressure.hpp"
#include "engine/solver/shape_matching.hpp"
#include "engine/solver/step_report.hpp"
#include "engine/solver/tearing.hpp"
#include "engine/solver/wind.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Advances a World by one frame. Keeps scratch memory only: everything that matters is in the World. Every
/// thread of the pool runs step(); shares of particles and tasks are static, phases end at a barrier.
class Stepper {
 public:
  Stepper(Pool& pool, const KernelTable<real>& kernels);

  /// Sizes the scratch for `world`; call after building or restoring a World of another topology.
  void prepare(const World& world);
  /// Sizes what goes by bodies; call after bodies were added or removed, or a World of other bodies restored.
  void prepare_bodies(const World& world);
  /// One frame of dt seconds. No allocation. The report's spans are valid until the next call. Where the
  /// report says nonfinite or cancelled, `world` is left as it was at that moment: the caller has to restore
  /// it.
  StepReport step(World& world, double dt, const CancelFlag* cancel = nullptr);

  /// What the last step did, for pictures: contacts of its last substep, particles that moved as one.
  void read_contacts(const World& world, std::vector<ContactMark>& out);
  std::span<const std::int32_t> zone_members(const World& world) const {
    return surface_contacts_.enabled(world) ? surface_contacts_.zone_members()
                                            : std::span<const std::int32_t>();
  }

  Method& method() { return method_; }

 private:
  enum Stage : std::size_t {
    predict_stage,
    contact_stage,
    project_stage,
    guard_stage,
    velocity_stage,
    tear_stage,
    stage_count
  };

  /// What one substep needs to know; the same on all threads.
  struct Substep {
    real h;
    double end_time;      ///< s, at the end of the substep
    int remaining;        ///< substeps left in the frame, this one included
    std::int64_t number;  ///< substeps since the start
    int in_frame;         ///< substeps done in this frame
  };

  bool substep(World& world, const Substep& now, Team& team);
  bool cancelled_at(const World& world, const Substep& now, int sweeps, Team& team);
  static bool runs_backward(const SolverSettings& settings, const Substep& now, int iteration);
  void pass_on(World& world, Team& team);
  void pass_on_from_bodies(World& world, Team& team);
  void restore_volumes(World& world, const Substep& now, Team& team);
  static real plain_keep(const SolverSettings& settings, real h);
  void accelerate(World& world, const Substep& now, Team& team);
  void predict(World& world, const Substep& now, const Team& team);
  void move_attachments(World& world, const Substep& now, const Team& team);
  void find_colliders(const World& world, real dt, const Team& team);
  template <class Act>
  void for_contact_blocks(const World& world, Team& team, const Act& act);
  void find_contacts(const World& world, const Substep& now, Team& team);
  void project_contacts(World& world, const Team& team);
  void lift_particles(World& world, const Team& team);
  void stop_crossings(World& world, const Substep& now, Team& team);
  void filter_velocities(World& world, const Substep& now, const Team& team);
  void update_velocities(World& world, const Substep& now, const Team& team);
  void guard_surfaces(World& world, const Substep& now, Team& team);
  void bound_block(World& world, const Substep& now, std::int32_t block);
  void warm_particles(World& world, const Substep& now, Team& team);
  void answer_warm_start(World& world, const Substep& now, Team& team);
  void push_solids(World& world, bool first, Team& team);
  void match_shapes(World& world, Team& team);
  void predict_bodies(World& world, const Substep& now, Team& team);
  void tear(World& world, const Substep& now, Team& team);
  void lap(const Team& team, Stage stage);

  static constexpr std::int64_t never_ = std::numeric_limits<std::int64_t>::max();

  Pool& pool_;
  const KernelTable<real>& kernels_;
  Method method_;
  StaticContacts contacts_;
  SurfaceContacts surface_contacts_;
  BodySolver bodies_;
  Coupling coupling_;
  ParticleContacts particle_contacts_;
  SheetContacts sheet_contacts_;
  ShapeMatching matching_;
  Tearing tearing_;
  Pressure pressure_;
  RigidModeDamping rigid_damping_;
  FreeFlight free_flight_;
  Wind wind_;
  StageClock<stage_count> clock_;
  std::array<StepReport::Stage, stage_count> stages_{};
  std::atomic<std::int32_t> next_block_{0};
  std::atomic<bool> nonfinite_{false};
  const CancelFlag* cancel_ = nullptr;
  std::atomic<std::int64_t> cancelled_at_{never_};  ///< the first checkpoint behind which nothing is done
};

}  // namespace limber::inline LIMBER_PRECISION
