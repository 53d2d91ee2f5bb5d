#include "engine/step/stepper.hpp"

#include <algorithm>
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/displacement.hpp"
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
// Later projections leave smaller errors: colliders come after constraints, bodies after colliders. The last
// column lists what a stage uses (uses.hpp). Two stages of one part of the frame with conflicting uses must
// be ordered by `after`, or the table does not compile. Barriers between stages are placed where the uses of
// the present stages demand it (place_barriers()); those inside a stage are the stage's own (Who).
struct Stepper::Stages {
  using S = Subsystem;
  using R = Resource;
  struct Row {
    std::string_view name;
    FramePart part;
    Who who;
    Action act;
    Subsystems needs, without;
    Clock clock;
    std::array<std::string_view, 4> after;
    Uses uses;  ///< reads own, writes own, reads any, writes any
  };

  static constexpr FramePart frame_begin = FramePart::frame_begin, substep_begin = FramePart::substep_begin,
                             iteration = FramePart::iteration, substep_end = FramePart::substep_end,
                             frame_end = FramePart::frame_end;
  // clang-format off
  static constexpr auto table = std::to_array<Row>({
      // Fluids enter before any stage reads positions of particles.
      {"emit fluids", frame_begin, Who::first, &Stepper::emit_fluids, {S::fluids}, {}, Clock::predict, {}, {{}, {}, {}, {R::places, R::speeds, R::fluids}}},
      {"wake bodies", frame_begin, Who::after, &Stepper::wake_coupled_bodies, {S::coupling}, {}, Clock::predict, {"emit fluids"}, {{}, {}, {R::places, R::speeds}, {R::bodies, R::coupling}}},
      {"wake in air", frame_begin, Who::first, &Stepper::wake_in_air, {S::wind, S::bodies}, {}, Clock::predict, {"wake bodies"}, {{}, {}, {}, {R::bodies}}},
      {"begin heat", frame_begin, Who::after, &Stepper::begin_heat, {S::frozen}, {}, Clock::predict, {"emit fluids", "wake bodies"}, {{}, {}, {R::places}, {R::warmth, R::places}}},
      {"soften", frame_begin, Who::own, &Stepper::soften_warm, {S::heat}, {}, Clock::predict, {"begin heat"}, {{}, {}, {R::warmth}, {R::links}}},
      {"begin moves", frame_begin, Who::own, &Stepper::begin_moves, {}, {}, Clock::predict, {"emit fluids", "begin heat"}, {{}, {R::places, R::speeds}, {}, {}}},
      // A body that particles wake takes part in the pairs of this frame.
      {"pair bodies", frame_begin, Who::after, &Stepper::pair_bodies, {S::bodies}, {}, Clock::predict, {"wake bodies", "wake in air"}, {{}, {}, {}, {R::bodies}}},
      {"find colliders", frame_begin, Who::own, &Stepper::find_colliders, {S::colliders}, {}, Clock::contacts, {"emit fluids", "begin heat"}, {{R::places, R::speeds}, {R::walls}, {}, {}}},
      {"load constraints", frame_begin, Who::after, &Stepper::load_constraints, {}, {}, Clock::predict, {"soften", "begin moves"}, {{}, {}, {R::places}, {R::links}}},
      {"begin rods", frame_begin, Who::first, &Stepper::begin_rods, {S::direct_rods}, {}, Clock::predict, {"load constraints"}, {{}, {}, {}, {R::links}}},
      {"search surfaces", frame_begin, Who::after, &Stepper::search_surfaces, {S::surfaces}, {}, Clock::predict, {"begin moves"}, {{}, {}, {R::places, R::speeds}, {R::surfaces}}},

      {"volume goals", substep_begin, Who::first, &Stepper::move_volume_goals, {S::pressure}, {}, Clock::predict, {}, {{}, {}, {}, {R::pressure}}},
      // (5) v <- v + h w f_ext, (6) dampVelocities
      {"note energies", substep_begin, Who::team, &Stepper::note_energies, {S::settling}, {}, Clock::predict, {}, {{R::speeds}, {R::notes}, {R::bodies}, {}}},
      {"note history", substep_begin, Who::own, &Stepper::note_start, {S::history}, {}, Clock::predict, {}, {{R::speeds}, {R::notes}, {}, {}}},
      {"wind", substep_begin, Who::team, &Stepper::blow, {S::wind}, {}, Clock::predict, {"note history", "note energies"}, {{}, {}, {R::places, R::turns}, {R::speeds, R::bodies, R::turns}}},
      {"accelerate", substep_begin, Who::own, &Stepper::accelerate, {}, {}, Clock::predict, {"wind"}, {{}, {R::speeds}, {}, {}}},
      {"warmth", substep_begin, Who::own, &Stepper::lift_warm_fluids, {S::warm}, {}, Clock::predict, {"accelerate"}, {{R::places, R::warmth}, {R::speeds}, {}, {}}},
      {"damp", substep_begin, Who::after, &Stepper::damp_around_rigid_modes, {S::rigid_damping}, {}, Clock::predict, {"accelerate", "warmth"}, {{}, {}, {R::places}, {R::speeds}}},
      // (7) p <- x + h v; then particles with w = 0, held ones among them, follow their prescribed motion
      {"predict", substep_begin, Who::own, &Stepper::predict, {}, {}, Clock::predict, {"accelerate", "damp"}, {{R::speeds}, {R::places, R::grains}, {}, {}}},
      {"second order", substep_begin, Who::own, &Stepper::predict_second_order, {S::history}, {}, Clock::predict, {"predict"}, {{R::speeds}, {R::places, R::notes}, {}, {}}},
      {"predict turns", substep_begin, Who::own, &Stepper::predict_turns, {S::rods}, {}, Clock::predict, {"accelerate", "damp"}, {{}, {R::turns}, {}, {}}},
      {"attachments", substep_begin, Who::own, &Stepper::move_attachments, {}, {}, Clock::predict, {"predict"}, {{}, {R::places}, {}, {}}},
      {"lend rods", substep_begin, Who::after, &Stepper::lend_rods, {S::direct_rods, S::watched}, {}, Clock::predict, {"attachments", "predict", "predict turns", "second order"}, {{}, {}, {R::turns, R::links}, {R::places}}},
      {"predict bodies", substep_begin, Who::closed, &Stepper::predict_bodies, {S::bodies}, {}, Clock::predict, {"wind"}, {{}, {}, {}, {R::bodies}}},
      {"carry turns", substep_begin, Who::own, &Stepper::carry_turns, {S::rods, S::bodies}, {}, Clock::predict, {"predict turns", "predict bodies", "lend rods"}, {{}, {}, {R::bodies}, {R::turns}}},
      // Stores the predicted velocities before line (13) replaces them.
      {"note velocities", substep_begin, Who::own, &Stepper::note_velocities, {S::spin}, {}, Clock::predict, {"predict", "predict turns", "predict bodies", "carry turns"}, {{R::speeds, R::turns}, {R::notes}, {R::bodies}, {}}},
      {"note forces", substep_begin, Who::team, &Stepper::note_forces, {S::settling}, {}, Clock::predict, {"note energies", "predict", "predict bodies"}, {{R::speeds}, {R::notes}, {}, {}}},
      // (8) generateCollisionConstraints(x -> p)
      {"aim coupling", substep_begin, Who::closed, &Stepper::aim_coupling, {S::coupling}, {}, Clock::contacts, {"attachments", "predict bodies", "lend rods"}, {{}, {}, {R::bodies}, {R::places, R::coupling}}},
      {"aim ties", substep_begin, Who::team, &Stepper::aim_ties, {S::ties}, {}, Clock::contacts, {"attachments", "predict bodies", "aim coupling", "carry turns"}, {{}, {}, {R::bodies, R::turns}, {R::coupling, R::places}}},
      {"aim surfaces", substep_begin, Who::closed, &Stepper::aim_surfaces, {S::surfaces}, {}, Clock::contacts, {"attachments", "aim ties"}, {{}, {R::places}, {}, {R::surfaces}}},
      {"begin soft bodies", substep_begin, Who::own, &Stepper::begin_soft_bodies, {S::soft}, {}, Clock::predict, {"predict"}, {{}, {R::clusters}, {}, {}}},
      {"release clusters", substep_begin, Who::own, &Stepper::release_clusters, {S::particles}, {}, Clock::contacts, {}, {{}, {R::clusters}, {}, {}}},
      // Finds lists of neighbours, and starts with the pressure of the last substep.
      {"fluid neighbours", substep_begin, Who::team, &Stepper::begin_fluids, {S::fluids}, {}, Clock::contacts, {"attachments", "aim surfaces"}, {{}, {}, {}, {R::places, R::fluids}}},
      {"warm particles", substep_begin, Who::after, &Stepper::warm_particles, {S::particles}, {}, Clock::contacts, {"attachments", "release clusters", "fluid neighbours"}, {{}, {}, {}, {R::places, R::grains}}},
      {"aim sheets", substep_begin, Who::team, &Stepper::aim_sheets, {S::sheets}, {}, Clock::contacts, {"warm particles"}, {{}, {}, {R::fluids}, {R::places, R::grains}}},
      {"find contacts", substep_begin, Who::own, &Stepper::find_contacts, {S::colliders}, {}, Clock::contacts, {"find colliders", "attachments", "warm particles", "aim sheets"}, {{}, {R::places, R::walls}, {}, {}}},
      // Clusters come after colliders and shapes have responded to the warm start; otherwise their contacts
      // would seem to be pushed apart.
      {"cluster contacts", substep_begin, Who::after, &Stepper::take_cluster_contacts, {S::rigid_clusters}, {}, Clock::contacts, {"find contacts"}, {{}, {}, {R::places}, {R::walls, R::grains}}},
      {"lift, warm", substep_begin, Who::own, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::contacts, {"find contacts", "cluster contacts"}, {{R::walls}, {R::places}, {}, {}}},
      {"colliders, warm", substep_begin, Who::own, &Stepper::project_warm_contacts, {S::particles, S::colliders}, {}, Clock::contacts, {"lift, warm"}, {{}, {R::places, R::walls, R::grains}, {}, {}}},
      {"shapes, warm", substep_begin, Who::closed, &Stepper::match_shapes, {S::clusters}, {}, Clock::contacts, {"colliders, warm", "begin soft bodies"}, {{R::walls}, {R::places}, {}, {R::clusters, R::places}}},
      {"aim clusters", substep_begin, Who::after, &Stepper::aim_clusters, {S::rigid_clusters}, {}, Clock::contacts, {"shapes, warm", "cluster contacts"}, {{}, {}, {R::clusters}, {R::places, R::grains}}},

      // (9)-(11) solverIterations times: C_1 ... C_M, C_M+1 ... C_M+Mcoll
      {"note contacts", iteration, Who::own, &Stepper::note_contacts, {S::history}, {}, Clock::project, {}, {{}, {R::places, R::notes}, {}, {}}},
      {"note pushes", iteration, Who::team, &Stepper::note_pushes, {S::pressure, S::spin}, {}, Clock::project, {"note contacts"}, {{}, {R::places}, {R::places}, {R::notes}}},
      {"constraints", iteration, Who::team, &Stepper::project_constraints, {}, {}, Clock::project, {"load constraints", "note pushes"}, {{}, {R::places}, {}, {R::places, R::links, R::turns}}},
      {"rods", iteration, Who::team, &Stepper::project_rods, {S::direct_rods}, {}, Clock::project, {"constraints"}, {{}, {}, {}, {R::places, R::turns, R::links, R::notes}}},
      {"soft bodies", iteration, Who::team, &Stepper::project_soft_bodies, {S::soft}, {}, Clock::project, {"constraints", "begin soft bodies", "rods"}, {{}, {R::places}, {}, {R::places, R::clusters}}},
      {"pressure", iteration, Who::team, &Stepper::project_pressure, {S::pressure}, {}, Clock::project, {"constraints", "volume goals", "soft bodies"}, {{}, {}, {}, {R::places, R::pressure}}},
      {"balance pushes", iteration, Who::team, &Stepper::balance_pushes, {S::pressure, S::spin}, {}, Clock::project, {"pressure"}, {{}, {}, {}, {R::places, R::notes}}},
      // Ties come before contacts, so that contacts keep tied points out of obstacles.
      {"tied points", iteration, Who::team, &Stepper::project_ties, {S::ties}, {}, Clock::project, {"balance pushes", "aim ties"}, {{}, {}, {}, {R::places, R::bodies, R::turns, R::coupling}}},
      {"solved", iteration, Who::own, &Stepper::note_solved, {S::history}, {}, Clock::project, {"constraints", "pressure", "tied points"}, {{R::places}, {R::notes}, {}, {}}},
      {"fluids", iteration, Who::team, &Stepper::project_fluids, {S::fluids}, {}, Clock::project, {"fluid neighbours", "constraints", "pressure", "solved"}, {{}, {}, {}, {R::places, R::fluids, R::bodies}}},
      {"surfaces", iteration, Who::team, &Stepper::push_surfaces, {S::surfaces}, {}, Clock::project, {"constraints", "aim surfaces", "fluids"}, {{}, {R::places}, {}, {R::places, R::surfaces}}},
      {"particles", iteration, Who::team, &Stepper::push_particles, {S::particles}, {}, Clock::project, {"warm particles", "surfaces"}, {{}, {}, {}, {R::places, R::grains}}},
      {"sheets", iteration, Who::team, &Stepper::project_sheets, {S::sheets}, {}, Clock::project, {"aim sheets", "particles"}, {{}, {}, {}, {R::places, R::grains}}},
      {"lift", iteration, Who::own, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::project, {"particles", "sheets"}, {{R::walls}, {R::places}, {}, {}}},
      {"colliders", iteration, Who::own, &Stepper::project_contacts, {S::colliders}, {}, Clock::project, {"surfaces", "sheets"}, {{}, {R::places, R::walls, R::grains}, {}, {}}},
      // (For swarms under pressure, "volumes" does this with XPBD.)
      {"pass on", iteration, Who::team, &Stepper::pass_on, {S::colliders, S::surfaces}, {}, Clock::project, {"colliders", "lift"}, {{}, {R::places, R::walls, R::grains}, {}, {R::places, R::surfaces}}},
      {"clusters", iteration, Who::after, &Stepper::push_clusters, {S::rigid_clusters}, {}, Clock::project, {"aim clusters", "colliders", "pass on"}, {{}, {}, {R::walls}, {R::places, R::clusters, R::grains}}},
      {"support", iteration, Who::team, &Stepper::support_coupling, {S::coupling, S::colliders}, {}, Clock::project, {"colliders", "aim coupling", "pass on", "clusters"}, {{}, {}, {}, {R::coupling, R::walls}}},
      {"coupling", iteration, Who::team, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"support", "pass on", "clusters"}, {{}, {}, {}, {R::places, R::bodies, R::coupling, R::clusters, R::walls}}},
      {"shapes", iteration, Who::closed, &Stepper::match_shapes, {S::clusters}, {}, Clock::project, {"clusters", "coupling"}, {{R::walls}, {R::places}, {}, {R::places, R::clusters}}},
      {"bodies", iteration, Who::team, &Stepper::push_bodies, {S::bodies}, {}, Clock::project, {"coupling", "pair bodies"}, {{}, {}, {}, {R::bodies}}},
      // Coupling once more: an error that remains in a contact between bodies gives no velocity, one in a row
      // of coupling does.
      {"coupling again", iteration, Who::team, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"bodies", "shapes"}, {{}, {}, {}, {R::places, R::bodies, R::coupling, R::clusters, R::walls}}},
      {"colliders again", iteration, Who::own, &Stepper::project_contacts_again, {S::coupling, S::colliders}, {}, Clock::project, {"coupling again"}, {{}, {R::places, R::walls, R::grains}, {R::coupling}, {}}},
      {"pass on bodies", iteration, Who::team, &Stepper::pass_on_from_bodies, {S::coupling, S::surfaces}, {}, Clock::project, {"coupling again", "colliders again"}, {{}, {}, {}, {R::places, R::bodies, R::coupling, R::surfaces}}},
      // Chunks come after all other corrections, so that a chunk moves as a whole.
      {"frozen", iteration, Who::after, &Stepper::hold_frozen, {S::frozen}, {}, Clock::project, {"fluids", "colliders again", "pass on bodies"}, {{}, {}, {R::walls}, {R::places, R::warmth}}},
      // Rods respond after all other corrections.
      {"answer of rods", iteration, Who::team, &Stepper::answer_rods, {S::direct_rods}, {}, Clock::project, {"tied points", "surfaces", "colliders again", "frozen"}, {{}, {R::places}, {}, {R::places, R::turns, R::links}}},

      {"take rods", substep_end, Who::team, &Stepper::take_rods, {S::direct_rods}, {}, Clock::project, {"answer of rods"}, {{}, {R::places}, {}, {R::places}}},
      {"volumes", substep_end, Who::team, &Stepper::restore_volumes, {S::pressure, S::compliance}, {}, Clock::project, {"colliders", "take rods"}, {{}, {R::places, R::walls, R::grains}, {}, {R::places, R::pressure, R::surfaces}}},
      {"stop crossings", substep_end, Who::own, &Stepper::stop_crossings, {S::colliders}, {}, Clock::project, {"volumes", "colliders again"}, {{}, {R::places, R::walls, R::notes}, {}, {}}},
      {"thick fluids", substep_end, Who::team, &Stepper::thicken_fluids, {S::viscosity}, {}, Clock::project, {"stop crossings", "frozen"}, {{}, {R::places}, {}, {R::places, R::fluids}}},
      {"move bodies", substep_end, Who::team, &Stepper::move_bodies, {S::bodies}, {}, Clock::project, {"bodies"}, {{}, {}, {}, {R::bodies}}},
      {"carry ties", substep_end, Who::team, &Stepper::carry_ties, {S::coupling}, {}, Clock::project, {"move bodies", "thick fluids"}, {{}, {}, {R::bodies}, {R::places}}},
      {"end ties", substep_end, Who::team, &Stepper::finish_ties, {S::ties}, {}, Clock::project, {"tied points", "carry ties"}, {{}, {}, {R::bodies}, {R::coupling, R::places}}},
      {"second order end", substep_end, Who::own, &Stepper::end_second_order, {S::history}, {}, Clock::velocities, {"stop crossings", "carry ties", "end ties"}, {{}, {R::places, R::notes}, {}, {}}},
      {"flow", substep_end, Who::team, &Stepper::flow_soft_bodies, {S::flow}, {}, Clock::project, {"stop crossings", "carry ties", "end ties"}, {{}, {R::places}, {}, {R::clusters}}},
      {"yield", substep_end, Who::team, &Stepper::flow_constraints, {S::yield}, {}, Clock::project, {"stop crossings", "carry ties", "end ties"}, {{}, {R::places}, {R::turns}, {R::links}}},
      // (12)-(15) v <- (p - x) / h, x <- p
      {"velocities", substep_end, Who::own, &Stepper::update_velocities, {}, {}, Clock::velocities, {"stop crossings", "carry ties", "thick fluids", "end ties"}, {{}, {R::places, R::speeds}, {}, {}}},
      {"turn velocities", substep_end, Who::own, &Stepper::update_turn_velocities, {S::rods}, {}, Clock::velocities, {"velocities", "yield"}, {{}, {R::turns}, {}, {}}},
      {"guard", substep_end, Who::after, &Stepper::guard_surfaces, {S::surfaces}, {}, Clock::guard, {"velocities", "yield", "flow", "second order end"}, {{}, {R::places, R::speeds}, {R::walls, R::bodies}, {R::places, R::speeds, R::surfaces}}},
      {"second order velocities", substep_end, Who::own, &Stepper::update_second_order, {S::history}, {}, Clock::velocities, {"velocities", "guard", "second order end"}, {{R::places, R::walls}, {R::speeds, R::notes}, {}, {}}},
      {"body velocities", substep_end, Who::team, &Stepper::update_body_velocities, {S::bodies}, {}, Clock::velocities, {"move bodies", "guard"}, {{}, {}, {}, {R::bodies}}},
      {"answer walls", substep_end, Who::team, &Stepper::answer_walls, {S::surfaces, S::coupling}, {S::history}, Clock::velocities, {"guard", "body velocities", "second order velocities"}, {{}, {}, {}, {R::speeds, R::bodies, R::coupling}}},
      // (16) velocityUpdate; positional friction is in the iterations
      {"coupling velocities", substep_end, Who::team, &Stepper::filter_coupling, {S::coupling}, {}, Clock::velocities, {"guard", "body velocities", "answer walls"}, {{}, {}, {}, {R::speeds, R::bodies, R::coupling, R::clusters}}},
      {"filter", substep_end, Who::own, &Stepper::filter_velocities, {S::velocity_filter}, {}, Clock::velocities, {"guard", "coupling velocities"}, {{R::walls}, {R::speeds}, {}, {}}},
      {"bounce", substep_end, Who::team, &Stepper::bounce_particles, {S::particles}, {}, Clock::velocities, {"filter"}, {{}, {}, {}, {R::speeds, R::grains}}},
      {"bounce surfaces", substep_end, Who::team, &Stepper::bounce_surfaces, {S::surfaces}, {}, Clock::velocities, {"filter", "bounce"}, {{}, {}, {}, {R::speeds, R::surfaces}}},
      {"fluid velocities", substep_end, Who::team, &Stepper::end_fluids, {S::fluids}, {}, Clock::velocities, {"guard", "filter", "bounce", "bounce surfaces"}, {{}, {}, {}, {R::speeds, R::fluids, R::bodies}}},
      {"fluid drag", substep_end, Who::team, &Stepper::drag_fluids, {S::viscosity}, {}, Clock::velocities, {"fluid velocities"}, {{}, {R::speeds}, {}, {R::speeds, R::bodies}}},
      {"keep spin", substep_end, Who::after, &Stepper::keep_spin, {S::spin}, {}, Clock::velocities, {"turn velocities", "fluid drag", "bounce surfaces"}, {{}, {}, {R::places, R::walls, R::surfaces, R::grains, R::coupling}, {R::speeds, R::turns, R::bodies, R::notes}}},
      {"bound energies", substep_end, Who::team, &Stepper::bound_energies, {S::settling}, {}, Clock::velocities, {"note forces", "keep spin"}, {{}, {}, {R::places, R::notes}, {R::speeds, R::bodies}}},
      {"note rod loads", substep_end, Who::closed, &Stepper::note_rod_loads, {S::rod_breaks}, {}, Clock::tear, {"take rods", "guard", "bound energies"}, {{}, {R::notes}, {R::places, R::turns, R::links}, {R::notes}}},
      {"tear", substep_end, Who::team, &Stepper::tear, {S::tearing}, {}, Clock::tear, {"guard", "filter", "bounce", "note rod loads"}, {{}, {}, {}, {R::places, R::speeds, R::links, R::surfaces, R::notes}}},

      {"spray", frame_end, Who::team, &Stepper::advance_spray, {S::spray}, {}, Clock::velocities, {"fluid velocities"}, {{}, {}, {R::places, R::speeds, R::fluids}, {R::fluids}}},
      {"drain fluids", frame_end, Who::first, &Stepper::drain_fluids, {S::fluids}, {}, Clock::velocities, {"fluid velocities", "spray"}, {{}, {}, {}, {R::places, R::speeds, R::fluids}}},
      {"heat", frame_end, Who::after, &Stepper::exchange_heat, {S::heat}, {}, Clock::velocities, {"drain fluids"}, {{}, {}, {R::places, R::walls, R::bodies}, {R::warmth}}},
      {"look for tears", frame_end, Who::team, &Stepper::look_for_tears, {S::tet_tears}, {}, Clock::tear, {"tear", "heat"}, {{}, {R::places}, {R::places, R::links}, {R::notes}}},
      {"look for breaks", frame_end, Who::team, &Stepper::look_for_breaks, {S::breaking}, {}, Clock::tear, {"tear", "look for tears"}, {{}, {R::places}, {R::clusters}, {R::notes}}},
      {"store multipliers", frame_end, Who::own, &Stepper::store_multipliers, {}, {}, Clock::velocities, {"tear", "look for breaks"}, {{}, {}, {R::places, R::turns}, {R::links}}},
      {"store rods", frame_end, Who::own, &Stepper::store_rods, {S::direct_rods}, {}, Clock::velocities, {"store multipliers"}, {{}, {}, {R::places, R::turns, R::walls}, {R::links}}},
      {"end bodies", frame_end, Who::team, &Stepper::end_bodies, {S::bodies}, {}, Clock::velocities, {"heat"}, {{}, {}, {}, {R::bodies}}},
      {"end coupling", frame_end, Who::team, &Stepper::end_coupling, {S::coupling}, {}, Clock::velocities, {}, {{}, {}, {}, {R::coupling}}},
      {"end surfaces", frame_end, Who::team, &Stepper::end_surfaces, {S::surfaces}, {}, Clock::velocities, {"tear"}, {{}, {}, {}, {R::surfaces}}},
      {"end particles", frame_end, Who::team, &Stepper::end_particles, {S::particles}, {}, Clock::velocities, {}, {{}, {}, {}, {R::grains}}},
      {"end moves", frame_end, Who::own, &Stepper::end_moves, {}, {}, Clock::velocities, {"begin moves", "drain fluids", "store rods"}, {{}, {R::places}, {}, {}}},
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
  /// The first stage that shares a use with an earlier one of its part of the frame, one of the two writing,
  /// without naming it in `after`, directly or through others; table.size() if there is none. Without such a
  /// check a new row could be put on the wrong side of an old one.
  static constexpr std::size_t first_unordered() {
    std::uint64_t before[table.size()][2] = {};
    static_assert(table.size() <= 128);
    for (std::size_t i = 0; i < table.size(); ++i) {
      for (std::size_t a = 0; a < table[i].after.size(); ++a) {
        if (table[i].after[a].empty()) continue;
        const std::size_t k = place_of(table[i].after[a]);
        before[i][0] |= before[k][0], before[i][1] |= before[k][1];
        before[i][k / 64] |= std::uint64_t(1) << k % 64;
      }
      for (std::size_t j = 0; j < i; ++j)
        if (table[j].part == table[i].part && (before[i][j / 64] >> j % 64 & 1u) == 0 &&
            conflict(table[j].uses, table[i].uses))
          return i;
    }
    return table.size();
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

/// Places the barriers that the uses of the present stages demand, in a frame of two substeps of two
/// iterations: this has every sequence of stages that a frame can have.
void Stepper::place_barriers() {
  if (!waits_.empty() && waits_for_ == present_) return;
  waits_for_ = present_;
  waits_.assign(Stages::table.size(), 0);
  Pending pending;
  const auto pass = [&](FramePart part) {
    for (std::size_t i = Stages::begin_of(part); i < Stages::table.size() && Stages::table[i].part == part;
         ++i) {
      const Stages::Row& stage = Stages::table[i];
      if (!present_.has_all(stage.needs) || present_.has_any(stage.without)) continue;
      if (pending.add(stage.uses, stage.who)) waits_[i] = 1;
    }
  };
  pass(FramePart::frame_begin);
  for (int substep = 0; substep < 2; ++substep) {
    pass(FramePart::substep_begin);
    for (int iteration = 0; iteration < 2; ++iteration) pass(FramePart::iteration);
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
  static_assert(Stages::first_unordered() == Stages::table.size(),
                "stages conflict: one must name the other in `after`");
  constexpr std::size_t begin = Stages::begin_of(part), end = Stages::begin_of(FramePart(int(part) + 1));
  for (std::size_t i = begin; i < end; ++i) {
    const Stages::Row& stage = Stages::table[i];
    if (!present_.has_all(stage.needs) || present_.has_any(stage.without)) continue;
    if (waits_[i]) team.barrier();
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
