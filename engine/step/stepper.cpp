#include "engine/step/stepper.hpp"

#include <algorithm>
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/displacement.hpp"

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

bool any_expands(const World& world) {
  return std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                     [](const Material& material) { return material.expansion > 0.0; });
}

}  // namespace

// The order of a frame. Each row: the stage, its part of the frame, the threads that do it, the requirements
// on the World (all of `needs`, none of `without`), the clock to which its time counts, and the stages that
// must come before it in the table, which is checked at compile time. No other code decides whether a stage
// takes part.
//
// Every thread of the team runs through the whole table. Time goes down; a line is a barrier:
//
// clang-format off
//             thread 0                   thread 1 ... T-1
//   frame     its bodies, blocks, cloth  theirs              pairs, candidates, schedules
//             ──────────────────────────────────────────────
//   substep   its particles, bodies      theirs              lines (5)-(7): forces, prediction, what is held
//             its blocks                 theirs              line (8): contacts along x -> p
//             ──────────────────────────────────────────────
//     iteration
//             tasks of colour 1          tasks of colour 1   line (10): constraints
//             ──────────────────────────────────────────────
//             ... of colour n            ... of colour n
//             ──────────────────────────────────────────────
//             its pairs of a colour      theirs              contacts of cloth, of grains, of clusters
//             ──────────────────────────────────────────────
//             its particles              theirs              contacts with colliders: no barrier of their own
//             its groups, bodies         theirs              bodies: contacts, joints, both ways with particles
//             ──────────────────────────────────────────────
//   substep   its particles, bodies      theirs              lines (12)-(16): velocities, guard, filters
//             ──────────────────────────────────────────────
//             finds tears; splits        finds tears         in one order
// clang-format on
//
// Later projections leave smaller errors: colliders come after constraints, bodies after colliders. A stage
// that reads particles of other threads begins or ends with a barrier of its own (Who::team).
struct Stepper::Stages {
  using S = Subsystem;
  struct Row {
    std::string_view name;
    FramePart part;
    Who who;
    Action act;
    Subsystems needs, without;
    Clock clock;
    std::array<std::string_view, 3> after;
  };

  static constexpr FramePart frame_begin = FramePart::frame_begin, substep_begin = FramePart::substep_begin,
                             iteration = FramePart::iteration, substep_end = FramePart::substep_end,
                             frame_end = FramePart::frame_end;
  // clang-format off
  static constexpr auto table = std::to_array<Row>({
      // Fluids enter before any stage reads positions of particles.
      {"emit fluids", frame_begin, Who::team, &Stepper::emit_fluids, {S::fluids}, {}, Clock::predict, {}},
      {"wake bodies", frame_begin, Who::team, &Stepper::wake_coupled_bodies, {S::coupling}, {}, Clock::predict, {"emit fluids"}},
      {"wake in air", frame_begin, Who::team, &Stepper::wake_in_air, {S::wind, S::bodies}, {}, Clock::predict, {}},
      {"begin heat", frame_begin, Who::team, &Stepper::begin_heat, {S::frozen}, {}, Clock::predict, {"emit fluids"}},
      {"soften", frame_begin, Who::team, &Stepper::soften_warm, {S::heat}, {}, Clock::predict, {}},
      {"begin moves", frame_begin, Who::own, &Stepper::begin_moves, {}, {}, Clock::predict, {"emit fluids"}},
      // A body that particles wake takes part in the pairs of this frame.
      {"pair bodies", frame_begin, Who::team, &Stepper::pair_bodies, {S::bodies}, {}, Clock::predict, {"wake bodies", "wake in air"}},
      {"find colliders", frame_begin, Who::own, &Stepper::find_colliders, {S::colliders}, {}, Clock::contacts, {"emit fluids"}},
      {"load constraints", frame_begin, Who::team, &Stepper::load_constraints, {}, {}, Clock::predict, {"soften"}},
      {"begin rods", frame_begin, Who::first, &Stepper::begin_rods, {S::direct_rods}, {}, Clock::predict, {}},
      {"search surfaces", frame_begin, Who::team, &Stepper::search_surfaces, {S::surfaces}, {}, Clock::predict, {}},

      {"volume goals", substep_begin, Who::first, &Stepper::move_volume_goals, {S::pressure}, {}, Clock::predict, {}},
      // (5) v <- v + h w f_ext, (6) dampVelocities
      {"note energies", substep_begin, Who::team, &Stepper::note_energies, {S::settling}, {}, Clock::predict, {}},
      {"note history", substep_begin, Who::team, &Stepper::note_start, {S::history}, {}, Clock::predict, {}},
      {"wind", substep_begin, Who::team, &Stepper::blow, {S::wind}, {}, Clock::predict, {}},
      {"accelerate", substep_begin, Who::own, &Stepper::accelerate, {}, {}, Clock::predict, {"wind"}},
      {"warmth", substep_begin, Who::own, &Stepper::lift_warm_fluids, {S::warm}, {}, Clock::predict, {"accelerate"}},
      {"damp", substep_begin, Who::team, &Stepper::damp_around_rigid_modes, {S::rigid_damping}, {}, Clock::predict, {"accelerate"}},
      // (7) p <- x + h v; then particles with w = 0, held ones among them, follow their prescribed motion
      {"predict", substep_begin, Who::own, &Stepper::predict, {}, {}, Clock::predict, {"accelerate", "damp"}},
      {"second order", substep_begin, Who::own, &Stepper::predict_second_order, {S::history}, {}, Clock::predict, {"predict"}},
      {"predict turns", substep_begin, Who::own, &Stepper::predict_turns, {S::rods}, {}, Clock::predict, {"accelerate", "damp"}},
      {"attachments", substep_begin, Who::own, &Stepper::move_attachments, {}, {}, Clock::predict, {"predict"}},
      {"lend rods", substep_begin, Who::team, &Stepper::lend_rods, {S::direct_rods}, {}, Clock::predict, {"attachments", "predict"}},
      {"predict bodies", substep_begin, Who::team, &Stepper::predict_bodies, {S::bodies}, {}, Clock::predict, {}},
      {"carry turns", substep_begin, Who::team, &Stepper::carry_turns, {S::rods, S::bodies}, {}, Clock::predict, {"predict turns", "predict bodies"}},
      // Stores the predicted velocities before line (13) replaces them.
      {"note velocities", substep_begin, Who::own, &Stepper::note_velocities, {S::spin}, {}, Clock::predict, {"predict", "predict turns", "predict bodies"}},
      {"note forces", substep_begin, Who::team, &Stepper::note_forces, {S::settling}, {}, Clock::predict, {"note energies", "predict", "predict bodies"}},
      // (8) generateCollisionConstraints(x -> p)
      {"aim coupling", substep_begin, Who::team, &Stepper::aim_coupling, {S::coupling}, {}, Clock::contacts, {"attachments", "predict bodies"}},
      {"aim ties", substep_begin, Who::team, &Stepper::aim_ties, {S::ties}, {}, Clock::contacts, {"attachments", "predict bodies"}},
      {"aim surfaces", substep_begin, Who::team, &Stepper::aim_surfaces, {S::surfaces}, {}, Clock::contacts, {"attachments"}},
      {"begin soft bodies", substep_begin, Who::own, &Stepper::begin_soft_bodies, {S::soft}, {}, Clock::predict, {"predict"}},
      {"release clusters", substep_begin, Who::own, &Stepper::release_clusters, {S::particles}, {}, Clock::contacts, {}},
      // Finds lists of neighbours, and starts with the pressure of the last substep.
      {"fluid neighbours", substep_begin, Who::team, &Stepper::begin_fluids, {S::fluids}, {}, Clock::contacts, {"attachments"}},
      {"warm particles", substep_begin, Who::team, &Stepper::warm_particles, {S::particles}, {}, Clock::contacts, {"attachments", "release clusters"}},
      {"aim sheets", substep_begin, Who::team, &Stepper::aim_sheets, {S::sheets}, {}, Clock::contacts, {"warm particles"}},
      {"find contacts", substep_begin, Who::own, &Stepper::find_contacts, {S::colliders}, {}, Clock::contacts, {"find colliders", "attachments", "warm particles"}},
      // Clusters come after colliders and shapes have responded to the warm start; otherwise their contacts
      // would seem to be pushed apart.
      {"cluster contacts", substep_begin, Who::team, &Stepper::take_cluster_contacts, {S::rigid_clusters}, {}, Clock::contacts, {"find contacts"}},
      {"lift, warm", substep_begin, Who::own, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::contacts, {"find contacts"}},
      {"colliders, warm", substep_begin, Who::own, &Stepper::project_warm_contacts, {S::particles, S::colliders}, {}, Clock::contacts, {"lift, warm"}},
      {"shapes, warm", substep_begin, Who::team, &Stepper::match_shapes, {S::clusters}, {}, Clock::contacts, {"colliders, warm"}},
      {"aim clusters", substep_begin, Who::team, &Stepper::aim_clusters, {S::rigid_clusters}, {}, Clock::contacts, {"shapes, warm", "cluster contacts"}},

      // (9)-(11) solverIterations times: C_1 ... C_M, C_M+1 ... C_M+Mcoll
      {"note contacts", iteration, Who::team, &Stepper::note_contacts, {S::history}, {}, Clock::project, {}},
      {"note pushes", iteration, Who::team, &Stepper::note_pushes, {S::pressure, S::spin}, {}, Clock::project, {}},
      {"constraints", iteration, Who::team, &Stepper::project_constraints, {}, {}, Clock::project, {"load constraints", "note pushes"}},
      {"rods", iteration, Who::team, &Stepper::project_rods, {S::direct_rods}, {}, Clock::project, {"constraints"}},
      {"soft bodies", iteration, Who::team, &Stepper::project_soft_bodies, {S::soft}, {}, Clock::project, {"constraints", "begin soft bodies"}},
      {"pressure", iteration, Who::team, &Stepper::project_pressure, {S::pressure}, {}, Clock::project, {"constraints", "volume goals"}},
      {"balance pushes", iteration, Who::team, &Stepper::balance_pushes, {S::pressure, S::spin}, {}, Clock::project, {"pressure"}},
      // Ties come before contacts, so that contacts keep tied points out of obstacles.
      {"tied points", iteration, Who::team, &Stepper::project_ties, {S::ties}, {}, Clock::project, {"balance pushes", "aim ties"}},
      {"solved", iteration, Who::own, &Stepper::note_solved, {S::history}, {}, Clock::project, {"constraints", "pressure"}},
      {"fluids", iteration, Who::team, &Stepper::project_fluids, {S::fluids}, {}, Clock::project, {"fluid neighbours", "constraints", "pressure"}},
      {"surfaces", iteration, Who::team, &Stepper::push_surfaces, {S::surfaces}, {}, Clock::project, {"constraints", "aim surfaces"}},
      {"particles", iteration, Who::team, &Stepper::push_particles, {S::particles}, {}, Clock::project, {"warm particles"}},
      {"sheets", iteration, Who::team, &Stepper::project_sheets, {S::sheets}, {}, Clock::project, {"aim sheets", "particles"}},
      {"lift", iteration, Who::own, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::project, {"particles"}},
      {"colliders", iteration, Who::own, &Stepper::project_contacts, {S::colliders}, {}, Clock::project, {"surfaces", "sheets"}},
      // (For swarms under pressure, "volumes" does this with XPBD.)
      {"pass on", iteration, Who::team, &Stepper::pass_on, {S::colliders, S::surfaces}, {}, Clock::project, {"colliders"}},
      {"clusters", iteration, Who::team, &Stepper::push_clusters, {S::rigid_clusters}, {}, Clock::project, {"aim clusters", "colliders"}},
      {"support", iteration, Who::team, &Stepper::support_coupling, {S::coupling, S::colliders}, {}, Clock::project, {"colliders", "aim coupling"}},
      {"coupling", iteration, Who::team, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"support", "pass on"}},
      {"shapes", iteration, Who::team, &Stepper::match_shapes, {S::clusters}, {}, Clock::project, {"clusters", "coupling"}},
      {"bodies", iteration, Who::team, &Stepper::push_bodies, {S::bodies}, {}, Clock::project, {"coupling", "pair bodies"}},
      // Coupling once more: an error that remains in a contact between bodies gives no velocity, one in a row
      // of coupling does.
      {"coupling again", iteration, Who::team, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"bodies"}},
      {"colliders again", iteration, Who::own, &Stepper::project_contacts_again, {S::coupling, S::colliders}, {}, Clock::project, {"coupling again"}},
      {"pass on bodies", iteration, Who::team, &Stepper::pass_on_from_bodies, {S::coupling, S::surfaces}, {}, Clock::project, {"coupling again"}},
      // Chunks come after all other corrections, so that a chunk moves as a whole.
      {"frozen", iteration, Who::team, &Stepper::hold_frozen, {S::frozen}, {}, Clock::project, {"fluids", "colliders again", "pass on bodies"}},
      // Rods respond after all other corrections.
      {"answer of rods", iteration, Who::team, &Stepper::answer_rods, {S::direct_rods}, {}, Clock::project, {"tied points", "surfaces", "colliders again"}},

      {"take rods", substep_end, Who::team, &Stepper::take_rods, {S::direct_rods}, {}, Clock::project, {"answer of rods"}},
      {"volumes", substep_end, Who::team, &Stepper::restore_volumes, {S::pressure, S::compliance}, {}, Clock::project, {"colliders"}},
      {"stop crossings", substep_end, Who::own, &Stepper::stop_crossings, {S::colliders}, {}, Clock::project, {"volumes", "colliders again"}},
      {"thick fluids", substep_end, Who::team, &Stepper::thicken_fluids, {S::viscosity}, {}, Clock::project, {"stop crossings", "frozen"}},
      {"move bodies", substep_end, Who::team, &Stepper::move_bodies, {S::bodies}, {}, Clock::project, {"bodies"}},
      {"carry ties", substep_end, Who::team, &Stepper::carry_ties, {S::coupling}, {}, Clock::project, {"move bodies"}},
      {"end ties", substep_end, Who::team, &Stepper::finish_ties, {S::ties}, {}, Clock::project, {"tied points"}},
      {"second order end", substep_end, Who::own, &Stepper::end_second_order, {S::history}, {}, Clock::velocities, {"stop crossings", "carry ties"}},
      {"flow", substep_end, Who::team, &Stepper::flow_soft_bodies, {S::flow}, {}, Clock::project, {"stop crossings", "carry ties"}},
      {"yield", substep_end, Who::team, &Stepper::flow_constraints, {S::yield}, {}, Clock::project, {"stop crossings", "carry ties"}},
      // (12)-(15) v <- (p - x) / h, x <- p
      {"velocities", substep_end, Who::own, &Stepper::update_velocities, {}, {}, Clock::velocities, {"stop crossings", "carry ties", "thick fluids"}},
      {"turn velocities", substep_end, Who::own, &Stepper::update_turn_velocities, {S::rods}, {}, Clock::velocities, {"velocities"}},
      {"guard", substep_end, Who::team, &Stepper::guard_surfaces, {S::surfaces}, {}, Clock::guard, {"velocities"}},
      {"second order velocities", substep_end, Who::own, &Stepper::update_second_order, {S::history}, {}, Clock::velocities, {"velocities", "guard", "second order end"}},
      {"body velocities", substep_end, Who::team, &Stepper::update_body_velocities, {S::bodies}, {}, Clock::velocities, {"move bodies"}},
      {"answer walls", substep_end, Who::team, &Stepper::answer_walls, {S::surfaces, S::coupling}, {S::history}, Clock::velocities, {"guard", "body velocities"}},
      // (16) velocityUpdate; positional friction is in the iterations
      {"coupling velocities", substep_end, Who::team, &Stepper::filter_coupling, {S::coupling}, {}, Clock::velocities, {"guard", "body velocities"}},
      {"filter", substep_end, Who::own, &Stepper::filter_velocities, {S::velocity_filter}, {}, Clock::velocities, {"guard"}},
      {"bounce", substep_end, Who::team, &Stepper::bounce_particles, {S::particles}, {}, Clock::velocities, {"filter"}},
      {"bounce surfaces", substep_end, Who::team, &Stepper::bounce_surfaces, {S::surfaces}, {}, Clock::velocities, {"filter"}},
      {"fluid velocities", substep_end, Who::team, &Stepper::end_fluids, {S::fluids}, {}, Clock::velocities, {"guard", "filter", "bounce"}},
      {"fluid drag", substep_end, Who::team, &Stepper::drag_fluids, {S::viscosity}, {}, Clock::velocities, {"fluid velocities"}},
      {"keep spin", substep_end, Who::team, &Stepper::keep_spin, {S::spin}, {}, Clock::velocities, {"turn velocities", "fluid drag", "bounce surfaces"}},
      {"bound energies", substep_end, Who::team, &Stepper::bound_energies, {S::settling}, {}, Clock::velocities, {"note forces", "keep spin"}},
      {"note rod loads", substep_end, Who::team, &Stepper::note_rod_loads, {S::rod_breaks}, {}, Clock::tear, {"take rods", "guard"}},
      {"tear", substep_end, Who::team, &Stepper::tear, {S::tearing}, {}, Clock::tear, {"guard", "filter", "bounce"}},

      {"spray", frame_end, Who::team, &Stepper::advance_spray, {S::spray}, {}, Clock::velocities, {"fluid velocities"}},
      {"drain fluids", frame_end, Who::team, &Stepper::drain_fluids, {S::fluids}, {}, Clock::velocities, {"fluid velocities", "spray"}},
      {"heat", frame_end, Who::team, &Stepper::exchange_heat, {S::heat}, {}, Clock::velocities, {"drain fluids"}},
      {"look for tears", frame_end, Who::team, &Stepper::look_for_tears, {S::tet_tears}, {}, Clock::tear, {"tear"}},
      {"look for breaks", frame_end, Who::team, &Stepper::look_for_breaks, {S::breaking}, {}, Clock::tear, {"tear"}},
      {"store multipliers", frame_end, Who::own, &Stepper::store_multipliers, {}, {}, Clock::velocities, {"tear"}},
      {"store rods", frame_end, Who::team, &Stepper::store_rods, {S::direct_rods}, {}, Clock::velocities, {"store multipliers"}},
      {"end bodies", frame_end, Who::team, &Stepper::end_bodies, {S::bodies}, {}, Clock::velocities, {}},
      {"end coupling", frame_end, Who::team, &Stepper::end_coupling, {S::coupling}, {}, Clock::velocities, {}},
      {"end surfaces", frame_end, Who::team, &Stepper::end_surfaces, {S::surfaces}, {}, Clock::velocities, {"tear"}},
      {"end particles", frame_end, Who::team, &Stepper::end_particles, {S::particles}, {}, Clock::velocities, {}},
      {"end moves", frame_end, Who::own, &Stepper::end_moves, {}, {}, Clock::velocities, {"begin moves", "drain fluids", "store rods"}},
  });
  // clang-format on

  static constexpr std::size_t place_of(std::string_view name) {
    std::size_t place = 0;
    while (place < table.size() && table[place].name != name) ++place;
    return place;
  }
  /// Whether parts are in order, names are unique, and every stage comes after those in its `after`.
  static constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (i > 0 && table[i].part < table[i - 1].part) return false;
      if (place_of(table[i].name) != i) return false;
      for (std::size_t k = 0; k < table[i].after.size(); ++k)
        if (!table[i].after[k].empty() && place_of(table[i].after[k]) >= i) return false;
    }
    return true;
  }

  static constexpr std::size_t begin_of(FramePart part) {
    std::size_t place = 0;
    while (place < table.size() && table[place].part < part) ++place;
    return place;
  }
};

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
    }
  }
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
  present.add(S::coupling, Coupling::enabled(world));
  present.add(S::particles, ParticleContacts::enabled(world));
  present.add(S::clusters, ShapeMatching::enabled(world));
  present.add(S::rigid_clusters, rigid);
  present.add(S::soft, SoftBodies::enabled(world));
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
  pressure_.begin_step(world);
  bodies_.begin_step(world, real(dt), contacts_);
  if (world.settings.solver.motion->keep_spin) spin_.begin_step(world, pool_.size());
  present_ = subsystems_of(world);
  method_.meet(has(Subsystem::colliders) ? &contacts_ : nullptr);
  if (has(Subsystem::settling)) settling_.begin_frame(world);
  if (has(Subsystem::history)) Bdf2::begin_step(world, dt / world.settings.solver.step->substeps);
  if (has(Subsystem::tearing)) tearing_.begin_frame(world);
  if (!has(Subsystem::surfaces)) {  // without surface contacts anything may cross
    world.contacts.tangle_watch = ContactState::first_look;
    world.contacts.parted = false;
    world.contacts.surfaces.clear();
  }
  pool_.run([&](Team& team) { run_frame(world, dt, team); });
  if (cancelled_at_.load(std::memory_order_relaxed) != never_) return {.cancelled = true};
  if (stopped_) return {.stopped = true};
  if (has(Subsystem::tet_tears) && !nonfinite_.load(std::memory_order_relaxed) && tet_tearing_.tear(world))
    fit(world);
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
  constexpr std::size_t begin = Stages::begin_of(part), end = Stages::begin_of(FramePart(int(part) + 1));
  for (std::size_t i = begin; i < end; ++i) {
    const Stages::Row& stage = Stages::table[i];
    if (!present_.has_all(stage.needs) || present_.has_any(stage.without)) continue;
    if (stage.who != Who::first || team.rank() == 0) (this->*stage.act)(world, now, team);
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
