#include "engine/step/stepper.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/heat/tet_melting.hpp"
#include "engine/state/displacement.hpp"
#include "engine/step/order.hpp"
#include "engine/step/uses.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Kernels one lane wide, for constraints that must be visited in order.
const KernelTable<real>& one_lane() {
#if LIMBER_DOUBLE
  return *kernels_double();
#else
  return *kernels_scalar();
#endif
}

bool any_melts(const World& world) {
  return std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                     [](const Material& material) { return material.melts; });
}

bool any_bounces(const World& world) {
  const auto bounces = [](const auto& one) { return one.restitution > 0; };
  return std::any_of(world.settings.materials.begin(), world.settings.materials.end(), bounces) ||
         std::any_of(world.colliders.begin(), world.colliders.end(), bounces);
}

bool any_expands(const World& world) {
  return std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                     [](const Material& material) { return material.expansion > 0.0; });
}

}  // namespace

Stepper::Stepper(Pool& pool, const KernelTable<real>& kernels)
    : pool_(pool),
      kernels_(kernels),
      method_(kernels),
      surface_contacts_(kernels.pairs, kernels.leaves),
      bodies_(kernels, one_lane()),
      particle_contacts_(kernels.particles),
      matching_(kernels.matching),
      pressure_(kernels),
      rods_(kernels),
      fluids_(kernels.fluid),
      spin_(kernels.momentum) {}

void Stepper::follow(World& world) {
  if (world.changes.has(Change::everything)) {
    prepare(world);
  } else {
    if (world.changes.has(Change::bodies)) prepare_bodies(world);
    if (world.changes.has(Change::settings)) {
      fit(world);
      method_.prepare(world);
      bdf2_.reserve(world);
      coupling_.reserve(world);  // a collider may have become thin
    }
  }
  if (world.changes.has(Change::everything) || world.changes.has(Change::settings))
    StaticContacts::reserve_kept(world);
  world.changes.clear();
}

/// Sizes the scratch memory for another topology.
void Stepper::fit(const World& world) {
  if (world.topology->triangles.size() != triangles_ || rods_.parted(world)) prepare(world);
}

void Stepper::prepare(const World& world) {
  triangles_ = world.topology->triangles.size();
  method_.prepare(world);
  bdf2_.reserve(world);
  contacts_.reserve(world);
  surface_contacts_.reserve(world);
  surface_traits_.assign(world.topology->objects.size(), 0);
  bodies_.reserve(world, pool_.size());
  coupling_.reserve(world);
  ties_.reserve(world);
  particle_contacts_.reserve(world);
  started_.assign(ParticleContacts::enabled(world) ? world.particles.position.size() : 0, vec4(0));
  matching_.reserve(world);
  soft_.reserve(world);
  skins_.reserve(world);
  tearing_.reserve(world);
  tet_tearing_.reserve(world);
  soft_breaking_.reserve(world);
  rod_breaking_.reserve(world);
  pressure_.reserve(world);
  rods_.prepare(world, pool_.size());
  fluids_.reserve(world);
  near_mouth_.reserve(world.topology->fluid.emitters.empty() ? 0 : world.particles.position.size());
  rigid_damping_.reserve(world);
  spin_.reserve(world);
  settling_.reserve(world);
  wind_.reserve(world);
  heat_.reserve(world);
  frozen_.reserve(world);
}

void Stepper::prepare_bodies(const World& world) {
  bodies_.reserve_bodies(world);
  coupling_.reserve(world);
  ties_.reserve(world);
  settling_.reserve_bodies(world);
  wind_.reserve_bodies(world);
}

Subsystems Stepper::subsystems_of(const World& world) const {
  using S = Subsystem;
  const SolverSettings& solver = world.settings.solver;
  const bool rigid = std::any_of(world.matter.cluster_stiffness.begin(), world.matter.cluster_stiffness.end(),
                                 [](real stiffness) { return stiffness >= real(1); });
  Subsystems present;
  present.add(S::colliders, !world.colliders.empty());
  present.add(S::surfaces, surface_contacts_.enabled(world));
  present.add(S::bodies, BodySolver::enabled(world));
  present.add(S::coupling, coupling_.enabled(world));
  present.add(S::particles, ParticleContacts::enabled(world));
  present.add(S::clusters, ShapeMatching::enabled(world));
  present.add(S::rigid_clusters, rigid);
  present.add(S::soft, SoftBodies::enabled(world));
  present.add(S::skins, SkinContacts::enabled(world));
  present.add(S::flow, SoftBodies::enabled(world) && SoftBodies::flows(world));
  present.add(S::yield, PlasticFlow::enabled(world));
  present.add(S::sheets, SheetContacts::enabled(world));
  present.add(S::pressure, pressure_.enabled());
  present.add(S::fluids, FluidSolver::enabled(world));
  present.add(S::viscosity, has_viscous_fluid(world));
  present.add(S::spray, Spray::enabled(world));
  present.add(S::compliance, is_compliant(solver.method->kind));
  present.add(S::tearing, Tearing::enabled(world));
  present.add(S::tet_tears, TetTearing::enabled(world));
  present.add(S::breaking, SoftBreaking::enabled(world));
  present.add(S::rod_breaks, RodBreaking::enabled(world));
  present.add(S::wind, Wind::enabled(world));
  present.add(S::rigid_damping,
              solver.motion->damping_law == DampingLaw::rigid_modes && solver.motion->damping > 0.0);
  present.add(S::velocity_filter, contacts_.filters(world));
  present.add(S::coupling_filter, Coupling::filters(world));
  present.add(S::restitution, any_bounces(world));
  present.add(S::history,
              solver.method->integrator == Integrator::bdf2 && !world.history.step_before.empty());
  present.add(S::ties, PointTies::enabled(world));
  present.add(S::rods, !world.topology->rods.empty());
  present.add(S::direct_rods, RodSolver::enabled(world));
  present.add(S::heat, HeatFlow::enabled(world));
  present.add(S::frozen, HeatFlow::enabled(world) && any_melts(world));
  present.add(S::warm, HeatFlow::enabled(world) && any_expands(world));
  present.add(
      S::watched,
      probe_ != nullptr || present.has_any({S::colliders, S::surfaces, S::bodies, S::coupling, S::particles,
                                            S::clusters, S::sheets, S::pressure, S::fluids, S::tearing,
                                            S::wind, S::rigid_damping, S::history, S::ties, S::heat}));
  present.add(S::spin, solver.motion->keep_spin && spin_.any_free());
  present.add(S::settling, SettlingBound::enabled(world));
  return present;
}

/// Places the barriers that the uses of the present stages demand, in a frame of two substeps of two
/// iterations: this has every sequence of stages that a frame can have. The first substep and each iteration
/// begin at barriers of run_frame() and run_substep(). If the World is not watched, take_moves() and
/// show_moves() do nothing, so that no stage can count on their barriers.
void Stepper::place_barriers() {
  if (!waits_.empty() && waits_for_ == present_) return;
  waits_for_ = present_;
  waits_.assign(Stages::table.size(), 0);
  Pending pending;
  const bool watched = has(Subsystem::watched);
  const auto pass = [&](FramePart part) {
    for (std::size_t i = Stages::begin_of(part); i < Stages::table.size() && Stages::table[i].part == part;
         ++i) {
      const Stages::Row& stage = Stages::table[i];
      if (!present_.has_all(stage.needs) || present_.has_any(stage.without)) continue;
      if (pending.add(stage.uses, watched || stage.who == Who::first ? stage.who : Who::all)) waits_[i] = 1;
    }
  };
  pass(FramePart::frame_begin);
  pending.barrier();
  for (int substep = 0; substep < 2; ++substep) {
    pass(FramePart::substep_begin);
    for (int iteration = 0; iteration < 2; ++iteration) {
      pending.barrier();
      pass(FramePart::iteration);
    }
    pass(FramePart::substep_end);
  }
  pass(FramePart::frame_end);
}

StepReport Stepper::step(World& world, double dt, const CancelFlag* cancel) {
  const auto start = std::chrono::steady_clock::now();
  follow(world);
  fit(world);
  cancel_ = cancel;
  cancelled_at_.store(never_, std::memory_order_relaxed);
  nonfinite_.store(false, std::memory_order_relaxed);
  stopped_ = false;
  clock_.restart();
  contacts_.begin_step(world, dt);
  coupling_.begin_step(world, contacts_);
  pressure_.begin_step(world);
  bodies_.begin_step(world, real(dt), contacts_);
  if (world.settings.solver.motion->keep_spin) spin_.begin_step(world, pool_.size());
  present_ = subsystems_of(world);
  place_barriers();
  method_.meet(has(Subsystem::colliders) ? &contacts_ : nullptr);
  if (has(Subsystem::settling)) settling_.begin_frame(world);
  if (has(Subsystem::history)) Bdf2::begin_step(world, dt / world.settings.solver.step->substeps);
  if (has(Subsystem::tearing)) tearing_.begin_frame(world);
  if (!has(Subsystem::surfaces)) {  // without surface contacts anything may cross
    world.contacts.tangle_watch = ContactState::first_look;
    world.contacts.parted = false;
    world.contacts.surfaces.clear();
  }
  pool_.run([&](Team& team) {
    VisitObserver* const before = std::exchange(visit_observer, observer_);
    run_frame(world, dt, team);
    visit_observer = before;
  });
  if (cancelled_at_.load(std::memory_order_relaxed) != never_) return {.cancelled = true};
  if (stopped_) return {.stopped = true};
  if (has(Subsystem::tet_tears) && !nonfinite_.load(std::memory_order_relaxed) && tet_tearing_.tear(world))
    fit(world);
  if (has(Subsystem::frozen) && !nonfinite_.load(std::memory_order_relaxed) && melt_tets(world))
    prepare(world);
  if (has(Subsystem::breaking) && !nonfinite_.load(std::memory_order_relaxed)) soft_breaking_.part(world);
  if (has(Subsystem::rod_breaks) && !nonfinite_.load(std::memory_order_relaxed) && rod_breaking_.part(world))
    fit(world);
  if (world.user.turn_grab) world.user.turn_grab->angle += twist_way(*world.user.turn_grab, dt);
  world.time += dt;
  ++world.frame;
  for (Collider& collider : world.colliders) place(collider, world.time);
  for (std::size_t s = 0; s < stages_.size(); ++s) stages_[s] = {clock_names[s], clock_.ms(s)};
  StepReport done = report(world);
  done.solver_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return done;
}

StepReport Stepper::report(const World& world) const {
  StepReport report;
  report.stages = stages_;
  report.contacts = double(contacts_.total()) + double(particle_contacts_.touching(world));
  if (has(Subsystem::bodies)) report.contacts += double(bodies_.contacts().touching(world));
  if (has(Subsystem::coupling)) report.contacts += double(coupling_.touching());
  if (has(Subsystem::viscosity) && fluids_.thick()) {
    report.viscosity_residual = fluids_.viscosity_residual();
    report.viscosity_sweeps = fluids_.viscosity_sweeps();
  }
  if (has(Subsystem::sheets)) report.contacts += double(sheet_contacts_.touching());
  if (has(Subsystem::surfaces)) {
    report.surface_contacts = double(surface_contacts_.contacts());
    report.surface_watched = double(surface_contacts_.watched());
    report.surface_searches = surface_contacts_.searches();
    report.tangled = double(surface_contacts_.tangled());
    report.in_zones = double(surface_contacts_.in_zones());
  }
  report.nonfinite = nonfinite_.load(std::memory_order_relaxed) || bodies_.nonfinite();
  return report;
}

void Stepper::read_contacts(const World& world, std::vector<ContactMark>& out) {
  const Subsystems present = subsystems_of(world);
  contacts_.read_contacts(world, out);
  if (present.has(Subsystem::bodies)) bodies_.contacts().read_contacts(world, out);
  if (present.has(Subsystem::coupling)) coupling_.read_contacts(world, out);
  ParticleContacts::read_contacts(world, out);
  if (present.has(Subsystem::surfaces)) surface_contacts_.read_contacts(world, out);
}

std::span<const std::int32_t> Stepper::zone_members(const World& world) const {
  if (!subsystems_of(world).has(Subsystem::surfaces)) return {};
  return surface_contacts_.zone_members();
}

/// Runs a frame. Must be called by every thread of the team. Returns false if the frame was cancelled or the
/// probe stopped it.
bool Stepper::run_frame(World& world, double dt, Team& team) {
  const int substeps = world.settings.solver.step->substeps;
  Moment now{.dt = real(dt), .h = real(dt / substeps)};
  run_part<FramePart::frame_begin>(world, now, team);
  team.barrier();  // one here is cheaper than those that it spares the stages of every substep
  for (int s = 0; s < substeps; ++s) {
    now.end_time = world.time + dt * (double(s + 1) / substeps);
    now.remaining = substeps - s;
    now.number = world.frame * substeps + s;
    now.in_frame = s;
    if (!run_substep(world, now, team)) return false;
  }
  return run_part<FramePart::frame_end>(world, now, team);
}

/// Runs lines (5)-(16) of Mueller et al. 2006 for one substep.
bool Stepper::run_substep(World& world, Moment& now, Team& team) {
  now.iteration = 0;
  run_part<FramePart::substep_begin>(world, now, team);
  for (; now.iteration < world.settings.solver.step->iterations; ++now.iteration) {
    if (cancelled_at(world, now, team)) return false;
    if (probe_ && stopped_by_probe(world, {{}, now.in_frame, now.iteration}, team)) return false;
    if (!run_part<FramePart::iteration>(world, now, team)) return false;
  }
  if (probe_ && stopped_by_probe(world, {{}, now.in_frame, now.iteration}, team)) return false;
  return run_part<FramePart::substep_end>(world, now, team);
}

template <FramePart part>
bool Stepper::run_part(World& world, const Moment& now, Team& team) {
  static_assert(Stages::in_order());
  static_assert(Stages::first_unordered() == Stages::table.size(),
                "stages conflict: one must name the other in `after`");
  constexpr std::size_t begin = Stages::begin_of(part), end = Stages::begin_of(FramePart(int(part) + 1));
  for (std::size_t i = begin; i < end; ++i) {
    const Stages::Row& stage = Stages::table[i];
    if (!present_.has_all(stage.needs) || present_.has_any(stage.without)) continue;
    if (waits_[i]) team.barrier();
    if (watch_) tell_watch(&StageWatch::before, world, i, now, team);
    if (stage.who != Who::first || team.rank() == 0) (this->*stage.act)(world, now, team);
    if (watch_) tell_watch(&StageWatch::after, world, i, now, team);
    if (team.rank() == 0) clock_.lap(std::size_t(stage.clock));
    if (part != FramePart::iteration || !probe_) continue;
    if (stopped_by_probe(world, {stage.name, now.in_frame, now.iteration}, team)) return false;
  }
  return true;
}

/// Returns whether the frame is cancelled, the same on every thread. Ends at a barrier. Only thread 0 reads
/// the flag, and stores the number of the checkpoint: a thread that reads this number late, when thread 0 has
/// reached the next checkpoint, can still see that the number is not its own checkpoint's.
bool Stepper::cancelled_at(const World& world, const Moment& now, Team& team) {
  const std::int64_t checkpoint =
      std::int64_t(now.in_frame) * (world.settings.solver.step->iterations + 1) + now.iteration;
  if (team.rank() == 0 && cancel_ && cancel_->load(std::memory_order_relaxed))
    cancelled_at_.store(checkpoint, std::memory_order_relaxed);
  team.barrier();
  return cancelled_at_.load(std::memory_order_relaxed) <= checkpoint;
}

/// Tells the watch of the stage in row `row` of the table, while all other threads wait.
void Stepper::tell_watch(void (StageWatch::*told)(World&, const StageRun&), World& world, std::size_t row,
                         const Moment& now, Team& team) {
  team.barrier();
  const Stages::Row& stage = Stages::table[row];
  if (team.rank() == 0) (watch_->*told)(world, {stage.name, row, stage.uses, now.in_frame, now.iteration});
  team.barrier();
}

/// Like cancelled_at(), for the probe, which is called while all other threads wait.
bool Stepper::stopped_by_probe(World& world, const StepPoint& point, Team& team) {
  team.barrier();
  if (team.rank() == 0) {
    limber::take_moves(world.particles, 0, world.particles.padded());
    stopped_ = !probe_->look(world, point);
  }
  team.barrier();
  return stopped_;
}

}}  // namespace limber::LIMBER_PRECISION
