// The step: the loop of Mueller et al. 2006 with substeps, around any method that solves the constraints.
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
#include "engine/parallel/visits.hpp"
#include "engine/parts/air/wind.hpp"
#include "engine/parts/bodies/body_solver.hpp"
#include "engine/parts/clusters/shape_matching.hpp"
#include "engine/parts/clusters/soft_bodies.hpp"
#include "engine/parts/coupling/coupling.hpp"
#include "engine/parts/coupling/point_ties.hpp"
#include "engine/parts/coupling/skin_contacts.hpp"
#include "engine/parts/fluids/fluid_drag.hpp"
#include "engine/parts/fluids/fluid_flow.hpp"
#include "engine/parts/fluids/fluid_solver.hpp"
#include "engine/parts/fluids/spray.hpp"
#include "engine/parts/heat/frozen_chunks.hpp"
#include "engine/parts/heat/heat_flow.hpp"
#include "engine/parts/motion/bdf2.hpp"
#include "engine/parts/motion/damping.hpp"
#include "engine/parts/motion/settling.hpp"
#include "engine/parts/motion/spin_keeper.hpp"
#include "engine/parts/plasticity/plastic_flow.hpp"
#include "engine/parts/rods/rod_breaking.hpp"
#include "engine/parts/rods/rod_friction.hpp"
#include "engine/parts/rods/rod_solver.hpp"
#include "engine/parts/tearing/soft_breaking.hpp"
#include "engine/parts/tearing/tearing.hpp"
#include "engine/parts/tearing/tet_tearing.hpp"
#include "engine/parts/volumes/pressure.hpp"
#include "engine/step/stage_watch.hpp"
#include "engine/step/stages.hpp"
#include "engine/step/step_probe.hpp"
#include "engine/step/step_report.hpp"

namespace limber {
struct MotionSettings;
}  // namespace limber

namespace limber { inline namespace LIMBER_PRECISION {

/// Advances a World by one frame. Keeps scratch memory only; all state is in the World. Every thread of the
/// pool runs step(); shares of particles and tasks are fixed, phases end at a barrier.
class Stepper {
 public:
  Stepper(Pool& pool, const KernelTable<real>& kernels);

  /// Sizes the scratch memory for whatever has changed in the World (World::changed()). step() does this
  /// itself; called before it, no step allocates.
  void follow(World& world);
  /// Computes a frame of dt seconds. No allocation. The report's spans are valid until the next call. If the
  /// report says nonfinite or cancelled, `world` is left in its state at that moment, and the caller must
  /// restore it.
  StepReport step(World& world, double dt, const CancelFlag* cancel = nullptr);

  /// Sets a probe that is shown the World after each stage of the iterations of the following steps; null:
  /// none, at no cost. A step that the probe ends is reported as `stopped`, with the particles as the stage
  /// left them.
  void set_probe(StepProbe* probe) { probe_ = probe; }
  /// Sets a watch that is called before and after each stage of the following steps; null: none, at no cost.
  void set_watch(StageWatch* watch) { watch_ = watch; }
  /// Sets an observer that is told what the loops of the following steps visit (parallel/visits.hpp); null:
  /// none. With several threads it is called by several at a time.
  void set_observer(VisitObserver* observer) { observer_ = observer; }
  /// The scratch memory by its resources (resources.hpp), for tests of what stages use.
  struct Scratch;

  /// Adds the contacts of the last substep; returns the particles that were in impact zones. For pictures.
  void read_contacts(const World& world, std::vector<ContactMark>& out);
  std::span<const std::int32_t> zone_members(const World& world) const;

  Method& method() { return method_; }

 private:
  /// Time and progress of the step, equal on all threads.
  struct Moment {
    real dt;
    real h = 0;
    double end_time = 0;      ///< s, at the end of the substep
    int remaining = 0;        ///< substeps left in the frame, including this one
    std::int64_t number = 0;  ///< substeps since the World's start
    int in_frame = 0;         ///< substeps done in this frame
    int iteration = 0;        ///< iterations done in this substep
  };
  /// The stages of a frame in their order; the table in order.hpp describes each.
  struct Stages;
  using Action = void (Stepper::*)(World&, const Moment&, Team&);

  Subsystems subsystems_of(const World& world) const;
  void place_barriers();
  bool has(Subsystem one) const { return present_.has(one); }
  bool run_frame(World& world, double dt, Team& team);
  bool run_substep(World& world, Moment& now, Team& team);
  template <FramePart part>
  bool run_part(World& world, const Moment& now, Team& team);
  bool cancelled_at(const World& world, const Moment& now, Team& team);
  bool stopped_by_probe(World& world, const StepPoint& point, Team& team);
  void tell_watch(void (StageWatch::*told)(World&, const StageRun&), World& world, std::size_t row,
                  const Moment& now, Team& team);
  StepReport report(const World& world) const;

  // Stages, about in the order of the table: at the start and end of a frame (frame_stages.cpp), at the start
  // of a substep (predict_stages.cpp), in an iteration (iteration_stages.cpp), at the end of a substep
  // (velocity_stages.cpp).
  void wake_coupled_bodies(World& world, const Moment& now, Team& team);
  void begin_heat(World& world, const Moment& now, Team& team);
  void soften_warm(World& world, const Moment& now, Team& team);
  void lift_warm_fluids(World& world, const Moment& now, Team& team);
  void begin_moves(World& world, const Moment& now, Team& team);
  void wake_in_air(World& world, const Moment& now, Team& team);
  void pair_bodies(World& world, const Moment& now, Team& team);
  void find_colliders(World& world, const Moment& now, Team& team);
  void load_constraints(World& world, const Moment& now, Team& team);
  void search_surfaces(World& world, const Moment& now, Team& team);

  void move_volume_goals(World& world, const Moment& now, Team& team);
  void blow(World& world, const Moment& now, Team& team);
  void note_energies(World& world, const Moment& now, Team& team);
  void note_start(World& world, const Moment& now, Team& team);
  void accelerate(World& world, const Moment& now, Team& team);
  void damp_around_rigid_modes(World& world, const Moment& now, Team& team);
  void predict(World& world, const Moment& now, Team& team);
  void predict_second_order(World& world, const Moment& now, Team& team);
  void predict_turns(World& world, const Moment& now, Team& team);
  void move_attachments(World& world, const Moment& now, Team& team);
  void predict_bodies(World& world, const Moment& now, Team& team);
  void note_forces(World& world, const Moment& now, Team& team);
  void note_velocities(World& world, const Moment& now, Team& team);
  void aim_coupling(World& world, const Moment& now, Team& team);
  void aim_surfaces(World& world, const Moment& now, Team& team);
  void begin_soft_bodies(World& world, const Moment& now, Team& team);
  void project_soft_bodies(World& world, const Moment& now, Team& team);
  void flow_soft_bodies(World& world, const Moment& now, Team& team);
  void search_skins(World& world, const Moment& now, Team& team);
  void aim_skins(World& world, const Moment& now, Team& team);
  void push_skins(World& world, const Moment& now, Team& team);
  void filter_skins(World& world, const Moment& now, Team& team);
  void prepare(const World& world);
  void prepare_bodies(const World& world);
  void fit(const World& world);
  void look_for_breaks(World& world, const Moment& now, Team& team);
  void look_for_tears(World& world, const Moment& now, Team& team);
  void flow_constraints(World& world, const Moment& now, Team& team);
  void release_clusters(World& world, const Moment& now, Team& team);
  void warm_particles(World& world, const Moment& now, Team& team);
  void emit_fluids(World& world, const Moment& now, Team& team);
  void begin_fluids(World& world, const Moment& now, Team& team);
  void aim_sheets(World& world, const Moment& now, Team& team);
  void find_contacts(World& world, const Moment& now, Team& team);
  void take_cluster_contacts(World& world, const Moment& now, Team& team);
  void aim_clusters(World& world, const Moment& now, Team& team);

  void note_contacts(World& world, const Moment& now, Team& team);
  void project_constraints(World& world, const Moment& now, Team& team);
  void note_pushes(World& world, const Moment& now, Team& team);
  static double twist_way(const TurnGrab& held, double dt);
  void carry_turns(World& world, const Moment& now, Team& team);
  void project_rods(World& world, const Moment& now, Team& team);
  void solve_rods(World& world, const Moment& now, RodSolver::Pass pass, Team& team);
  void answer_rods(World& world, const Moment& now, Team& team);
  void begin_rods(World& world, const Moment& now, Team& team);
  void lend_rods(World& world, const Moment& now, Team& team);
  void take_rods(World& world, const Moment& now, Team& team);
  void note_rod_loads(World& world, const Moment& now, Team& team);
  void project_pressure(World& world, const Moment& now, Team& team);
  void balance_pushes(World& world, const Moment& now, Team& team);
  void note_solved(World& world, const Moment& now, Team& team);
  FluidSolver::Walls fluid_walls();
  void advance_spray(World& world, const Moment& now, Team& team);
  void project_fluids(World& world, const Moment& now, Team& team);
  void push_surfaces(World& world, const Moment& now, Team& team);
  void push_particles(World& world, const Moment& now, Team& team);
  void project_sheets(World& world, const Moment& now, Team& team);
  void lift_particles(World& world, const Moment& now, Team& team);
  void project_contacts(World& world, const Moment& now, Team& team);
  void project_warm_contacts(World& world, const Moment& now, Team& team);
  void project_contacts_again(World& world, const Moment& now, Team& team);
  void pass_on(World& world, const Moment& now, Team& team);
  void push_clusters(World& world, const Moment& now, Team& team);
  void support_coupling(World& world, const Moment& now, Team& team);
  void project_coupling(World& world, const Moment& now, Team& team);
  void match_shapes(World& world, const Moment& now, Team& team);
  void push_bodies(World& world, const Moment& now, Team& team);
  void pass_on_from_bodies(World& world, const Moment& now, Team& team);
  void hold_frozen(World& world, const Moment& now, Team& team);

  void restore_volumes(World& world, const Moment& now, Team& team);
  void stop_crossings(World& world, const Moment& now, Team& team);
  void move_bodies(World& world, const Moment& now, Team& team);
  void carry_ties(World& world, const Moment& now, Team& team);
  void aim_ties(World& world, const Moment& now, Team& team);
  void project_ties(World& world, const Moment& now, Team& team);
  void finish_ties(World& world, const Moment& now, Team& team);
  void end_second_order(World& world, const Moment& now, Team& team);
  void update_velocities(World& world, const Moment& now, Team& team);
  void update_turn_velocities(World& world, const Moment& now, Team& team);
  void guard_surfaces(World& world, const Moment& now, Team& team);
  void answer_walls(World& world, const Moment& now, Team& team);
  void update_second_order(World& world, const Moment& now, Team& team);
  void update_body_velocities(World& world, const Moment& now, Team& team);
  void filter_coupling(World& world, const Moment& now, Team& team);
  void filter_velocities(World& world, const Moment& now, Team& team);
  void bounce_particles(World& world, const Moment& now, Team& team);
  void bounce_surfaces(World& world, const Moment& now, Team& team);
  void end_fluids(World& world, const Moment& now, Team& team);
  void thicken_fluids(World& world, const Moment& now, Team& team);
  void drag_fluids(World& world, const Moment& now, Team& team);
  void keep_spin(World& world, const Moment& now, Team& team);
  void bound_energies(World& world, const Moment& now, Team& team);
  void tear(World& world, const Moment& now, Team& team);

  void drain_fluids(World& world, const Moment& now, Team& team);
  void exchange_heat(World& world, const Moment& now, Team& team);
  void store_multipliers(World& world, const Moment& now, Team& team);
  void store_rods(World& world, const Moment& now, Team& team);
  void end_moves(World& world, const Moment& now, Team& team);
  void end_bodies(World& world, const Moment& now, Team& team);
  void end_coupling(World& world, const Moment& now, Team& team);
  void end_surfaces(World& world, const Moment& now, Team& team);
  void end_particles(World& world, const Moment& now, Team& team);

  // Functions that stages share.
  static real plain_keep(const MotionSettings& motion, real h);
  static vec3 gravity_gain(const glm::dvec3& gravity, double h, std::int64_t number);
  static Sweep<real> sweep(const World& world, const Moment& now);
  template <class Act>
  void for_contact_blocks(const World& world, Team& team, const Act& act);
  void take_own_moves(World& world, const Team& team);
  void take_moves(World& world, Team& team);
  void show_moves(World& world, Team& team);
  void note_traits(const World& world);
  void push_cloth(World& world, std::uint8_t asked, std::uint8_t having, Team& team);
  void push_cloth_on(World& world, std::uint8_t asked, std::uint8_t having, Team& team);
  void project_contacts_of(World& world, std::uint8_t asked, std::uint8_t having, const Team& team);
  void tell_touched(const World& world, Team& team);
  void bound_block(World& world, const Moment& now, std::int32_t block);

  static constexpr std::int64_t never_ = std::numeric_limits<std::int64_t>::max();

  Pool& pool_;
  const KernelTable<real>& kernels_;
  Method method_;
  StaticContacts contacts_;
  SurfaceContacts surface_contacts_;
  std::vector<std::uint8_t>
      surface_traits_;  ///< per object; after note_traits(): 1 if its swarm has the trait beside_bodies
  BodySolver bodies_;
  Coupling coupling_;
  PointTies ties_;
  ParticleContacts particle_contacts_;
  SheetContacts sheet_contacts_;
  ShapeMatching matching_;
  SoftBodies soft_;
  SkinContacts skins_;
  Tearing tearing_;
  TetTearing tet_tearing_;
  SoftBreaking soft_breaking_;
  RodBreaking rod_breaking_;
  std::size_t triangles_ = 0;  ///< number of triangles for which caches are sized
  Pressure pressure_;
  RodSolver rods_;
  FluidSolver fluids_;
  Spray spray_;
  RigidModeDamping rigid_damping_;
  SpinKeeper spin_;
  SettlingBound settling_;
  Bdf2 bdf2_;
  HeatFlow heat_;
  FrozenChunks frozen_;
  Wind wind_{kernels_};
  AlignedVector<vec4> started_;  ///< m, per particle: `previous` before the warm start of grains moved it
  std::vector<std::int32_t> near_mouth_;  ///< particles near an emitter's opening
  Subsystems present_;                    ///< in this frame
  std::vector<char> waits_;               ///< per stage: 1 if a barrier comes before it (place_barriers())
  Subsystems waits_for_;                  ///< the subsystems for which `waits_` was computed
  StepProbe* probe_ = nullptr;
  StageWatch* watch_ = nullptr;
  VisitObserver* observer_ = nullptr;
  bool stopped_ = false;  ///< the probe ended the frame; written by thread 0 between barriers
  StageClock<clock_names.size()> clock_;
  std::array<StepReport::Stage, clock_names.size()> stages_{};
  std::atomic<std::int32_t> next_block_{0};
  std::atomic<bool> nonfinite_{false};
  const CancelFlag* cancel_ = nullptr;
  /// Number of the checkpoint at which the frame was cancelled.
  std::atomic<std::int64_t> cancelled_at_{never_};
};

/// Calls act(block) for the blocks of a thread's own particles. A block near a collider that changes its
/// shape can cost a hundred times as much as another: if there is such a collider, free threads take the next
/// block instead, between barriers.
template <class Act>
void Stepper::for_contact_blocks(const World& world, Team& team, const Act& act) {
  const std::int32_t count = world.particles.padded() / particle_block;
  if (!contacts_.uneven(world) || team.size() == 1) {
    const Share blocks = team.share(count);
    for (std::int64_t b = blocks.begin; b < blocks.end; ++b) act(std::int32_t(b));
    return;
  }
  if (team.rank() == 0) next_block_.store(0, std::memory_order_relaxed);
  team.barrier();
  for (std::int32_t b; (b = next_block_.fetch_add(1, std::memory_order_relaxed)) < count;) act(b);
  team.barrier();
}

}}  // namespace limber::LIMBER_PRECISION
