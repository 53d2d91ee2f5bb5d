// The order of a frame on one page: the table of stages, with what each needs, uses and comes after.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/step/stages.hpp"
#include "engine/step/stepper.hpp"
#include "engine/step/uses.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

// The order of a frame. Each row: the stage, its part of the frame, the threads that do it and when they keep
// to their own shares (Who), the requirements on the World (all of `needs`, none of `without`), the clock to
// which its time counts, and the stages that must come before it in the table, which is checked at compile
// time. No other code decides whether a stage takes part.
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
      {"wake bodies", frame_begin, Who::all, &Stepper::wake_coupled_bodies, {S::coupling}, {}, Clock::predict, {"emit fluids"}, {{}, {}, {R::places, R::speeds}, {R::bodies, R::coupling}}},
      {"wake in air", frame_begin, Who::first, &Stepper::wake_in_air, {S::wind, S::bodies}, {}, Clock::predict, {"wake bodies"}, {{}, {}, {}, {R::bodies}}},
      {"begin heat", frame_begin, Who::all, &Stepper::begin_heat, {S::frozen}, {}, Clock::predict, {"emit fluids", "wake bodies"}, {{}, {}, {R::places}, {R::warmth, R::places}}},
      {"soften", frame_begin, Who::all, &Stepper::soften_warm, {S::heat}, {}, Clock::predict, {"begin heat"}, {{}, {}, {R::warmth}, {R::links}}},
      {"begin moves", frame_begin, Who::all, &Stepper::begin_moves, {}, {}, Clock::predict, {"emit fluids", "begin heat"}, {{}, {R::places, R::speeds}, {}, {}}},
      // A body that particles wake takes part in the pairs of this frame.
      {"pair bodies", frame_begin, Who::own_end, &Stepper::pair_bodies, {S::bodies}, {}, Clock::predict, {"wake bodies", "wake in air"}, {{}, {R::bodies}, {}, {R::bodies}}},
      {"find colliders", frame_begin, Who::all, &Stepper::find_colliders, {S::colliders}, {}, Clock::contacts, {"emit fluids", "begin heat"}, {{R::places, R::speeds}, {R::walls}, {}, {}}},
      {"load constraints", frame_begin, Who::all, &Stepper::load_constraints, {}, {}, Clock::predict, {"soften", "begin moves"}, {{}, {}, {R::places}, {R::links}}},
      {"begin rods", frame_begin, Who::first, &Stepper::begin_rods, {S::direct_rods}, {}, Clock::predict, {"load constraints"}, {{}, {}, {}, {R::links}}},
      {"search surfaces", frame_begin, Who::all, &Stepper::search_surfaces, {S::surfaces}, {}, Clock::predict, {"begin moves"}, {{}, {}, {R::places, R::speeds}, {R::surfaces}}},
      {"search skins", frame_begin, Who::all, &Stepper::search_skins, {S::skins}, {}, Clock::contacts, {"begin moves", "find colliders", "pair bodies"}, {{}, {R::skins}, {R::places, R::speeds, R::walls, R::bodies}, {}}},

      {"volume goals", substep_begin, Who::first, &Stepper::move_volume_goals, {S::pressure}, {}, Clock::predict, {}, {{}, {}, {}, {R::pressure}}},
      // (5) v <- v + h w f_ext, (6) dampVelocities
      {"note energies", substep_begin, Who::all, &Stepper::note_energies, {S::settling}, {}, Clock::predict, {}, {{R::speeds}, {R::notes}, {R::bodies}, {}}},
      {"note history", substep_begin, Who::all, &Stepper::note_start, {S::history}, {}, Clock::predict, {}, {{R::speeds}, {R::notes}, {}, {}}},
      {"wind", substep_begin, Who::own_ends, &Stepper::blow, {S::wind}, {}, Clock::predict, {"note history", "note energies"}, {{}, {R::speeds, R::bodies, R::notes}, {R::places, R::turns}, {R::speeds, R::bodies, R::turns, R::notes}}},
      {"accelerate", substep_begin, Who::all, &Stepper::accelerate, {}, {}, Clock::predict, {"wind"}, {{}, {R::speeds}, {}, {}}},
      {"warmth", substep_begin, Who::all, &Stepper::lift_warm_fluids, {S::warm}, {}, Clock::predict, {"accelerate"}, {{R::places, R::warmth}, {R::speeds}, {}, {}}},
      {"damp", substep_begin, Who::all, &Stepper::damp_around_rigid_modes, {S::rigid_damping}, {}, Clock::predict, {"accelerate", "warmth"}, {{}, {}, {R::places}, {R::speeds, R::turns}}},
      // (7) p <- x + h v; then particles with w = 0, held ones among them, follow their prescribed motion
      {"predict", substep_begin, Who::all, &Stepper::predict, {}, {}, Clock::predict, {"accelerate", "damp"}, {{R::speeds}, {R::places, R::grains}, {}, {}}},
      {"second order", substep_begin, Who::all, &Stepper::predict_second_order, {S::history}, {}, Clock::predict, {"predict"}, {{R::speeds}, {R::places, R::notes}, {}, {}}},
      {"predict turns", substep_begin, Who::all, &Stepper::predict_turns, {S::rods}, {}, Clock::predict, {"accelerate", "damp"}, {{}, {R::turns}, {}, {}}},
      {"attachments", substep_begin, Who::all, &Stepper::move_attachments, {}, {}, Clock::predict, {"predict"}, {{}, {R::places}, {}, {}}},
      {"lend rods", substep_begin, Who::all, &Stepper::lend_rods, {S::direct_rods, S::watched}, {}, Clock::predict, {"attachments", "predict", "predict turns", "second order"}, {{}, {}, {R::turns}, {R::places, R::links}}},
      {"predict bodies", substep_begin, Who::own_start, &Stepper::predict_bodies, {S::bodies}, {}, Clock::predict, {"wind"}, {{}, {R::bodies}, {}, {R::bodies}}},
      {"carry turns", substep_begin, Who::all, &Stepper::carry_turns, {S::rods, S::bodies}, {}, Clock::predict, {"predict turns", "predict bodies", "lend rods"}, {{}, {}, {R::bodies}, {R::turns}}},
      // Stores the predicted velocities before line (13) replaces them.
      {"note velocities", substep_begin, Who::all, &Stepper::note_velocities, {S::spin}, {}, Clock::predict, {"predict", "predict turns", "predict bodies", "carry turns"}, {{R::speeds, R::turns}, {R::notes}, {R::bodies}, {}}},
      {"note forces", substep_begin, Who::all, &Stepper::note_forces, {S::settling}, {}, Clock::predict, {"note energies", "predict", "predict bodies"}, {{R::speeds}, {R::notes}, {}, {}}},
      // (8) generateCollisionConstraints(x -> p)
      {"aim coupling", substep_begin, Who::all, &Stepper::aim_coupling, {S::coupling}, {}, Clock::contacts, {"attachments", "predict bodies", "lend rods", "note velocities"}, {{}, {}, {R::bodies, R::walls, R::speeds}, {R::places, R::coupling, R::turns}}},
      {"aim ties", substep_begin, Who::all, &Stepper::aim_ties, {S::ties}, {}, Clock::contacts, {"attachments", "predict bodies", "aim coupling", "carry turns"}, {{}, {}, {R::bodies, R::turns}, {R::coupling, R::places}}},
      {"aim surfaces", substep_begin, Who::own_ends, &Stepper::aim_surfaces, {S::surfaces}, {}, Clock::contacts, {"volume goals", "attachments", "aim ties"}, {{}, {R::places}, {R::pressure, R::coupling}, {R::places, R::surfaces}}},
      {"begin soft bodies", substep_begin, Who::all, &Stepper::begin_soft_bodies, {S::soft}, {}, Clock::predict, {"predict"}, {{}, {R::clusters}, {}, {}}},
      {"release clusters", substep_begin, Who::all, &Stepper::release_clusters, {S::particles}, {}, Clock::contacts, {}, {{}, {R::clusters}, {}, {}}},
      // Finds lists of neighbours, and starts with the pressure of the last substep.
      {"fluid neighbours", substep_begin, Who::own_start, &Stepper::begin_fluids, {S::fluids}, {}, Clock::contacts, {"attachments", "aim surfaces"}, {{}, {R::fluids}, {R::warmth}, {R::places, R::fluids}}},
      {"warm particles", substep_begin, Who::all, &Stepper::warm_particles, {S::particles}, {}, Clock::contacts, {"attachments", "release clusters", "fluid neighbours"}, {{}, {}, {}, {R::places, R::grains}}},
      {"aim sheets", substep_begin, Who::all, &Stepper::aim_sheets, {S::sheets}, {}, Clock::contacts, {"warm particles"}, {{}, {}, {R::fluids}, {R::places, R::grains}}},
      {"find contacts", substep_begin, Who::all, &Stepper::find_contacts, {S::colliders}, {}, Clock::contacts, {"find colliders", "attachments", "warm particles", "aim sheets"}, {{}, {R::places, R::walls, R::turns}, {R::turns}, {}}},
      // Clusters come after colliders and shapes have responded to the warm start; otherwise their contacts
      // would seem to be pushed apart.
      {"cluster contacts", substep_begin, Who::all, &Stepper::take_cluster_contacts, {S::rigid_clusters}, {}, Clock::contacts, {"find contacts", "begin soft bodies"}, {{}, {}, {R::places, R::clusters}, {R::walls, R::grains}}},
      {"lift, warm", substep_begin, Who::all, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::contacts, {"find contacts", "cluster contacts"}, {{R::walls}, {R::places}, {}, {}}},
      {"colliders, warm", substep_begin, Who::all, &Stepper::project_warm_contacts, {S::particles, S::colliders}, {}, Clock::contacts, {"lift, warm"}, {{}, {R::places, R::walls, R::grains, R::turns}, {}, {}}},
      {"shapes, warm", substep_begin, Who::own_ends, &Stepper::match_shapes, {S::clusters}, {}, Clock::contacts, {"colliders, warm", "begin soft bodies"}, {{R::walls}, {R::places, R::clusters}, {}, {R::clusters, R::places}}},
      {"aim clusters", substep_begin, Who::all, &Stepper::aim_clusters, {S::rigid_clusters}, {}, Clock::contacts, {"shapes, warm", "cluster contacts"}, {{}, {}, {R::clusters}, {R::places, R::grains}}},
      {"aim skins", substep_begin, Who::all, &Stepper::aim_skins, {S::skins}, {}, Clock::contacts, {"shapes, warm", "colliders, warm", "aim clusters", "aim coupling"}, {{}, {R::skins}, {R::places, R::walls, R::bodies}, {}}},

      // (9)-(11) solverIterations times: C_1 ... C_M, C_M+1 ... C_M+Mcoll
      {"note contacts", iteration, Who::all, &Stepper::note_contacts, {S::history}, {}, Clock::project, {}, {{}, {R::places, R::notes}, {}, {}}},
      {"note pushes", iteration, Who::own_start, &Stepper::note_pushes, {S::pressure, S::spin}, {}, Clock::project, {"note contacts"}, {{}, {R::places}, {R::places}, {R::notes}}},
      {"constraints", iteration, Who::own_ends, &Stepper::project_constraints, {}, {}, Clock::project, {"load constraints", "note pushes"}, {{}, {R::places, R::walls}, {R::pressure}, {R::places, R::links, R::turns}}},
      {"rods", iteration, Who::own_end, &Stepper::project_rods, {S::direct_rods}, {}, Clock::project, {"constraints"}, {{}, {R::places}, {}, {R::places, R::turns, R::links, R::notes}}},
      {"soft bodies", iteration, Who::own_ends, &Stepper::project_soft_bodies, {S::soft}, {}, Clock::project, {"constraints", "begin soft bodies", "rods"}, {{}, {R::places}, {}, {R::places, R::clusters}}},
      {"pressure", iteration, Who::own_end, &Stepper::project_pressure, {S::pressure}, {}, Clock::project, {"constraints", "volume goals", "soft bodies"}, {{}, {R::places}, {}, {R::places, R::pressure}}},
      {"balance pushes", iteration, Who::own_end, &Stepper::balance_pushes, {S::pressure, S::spin}, {}, Clock::project, {"pressure"}, {{}, {R::places}, {}, {R::places, R::notes}}},
      // Ties come before contacts, so that contacts keep tied points out of obstacles.
      {"tied points", iteration, Who::all, &Stepper::project_ties, {S::ties}, {}, Clock::project, {"balance pushes", "aim ties"}, {{}, {}, {}, {R::places, R::bodies, R::turns, R::coupling, R::links}}},
      {"solved", iteration, Who::all, &Stepper::note_solved, {S::history}, {}, Clock::project, {"constraints", "pressure", "tied points"}, {{R::places}, {R::notes}, {}, {}}},
      {"fluids", iteration, Who::own_start, &Stepper::project_fluids, {S::fluids}, {}, Clock::project, {"fluid neighbours", "constraints", "pressure", "solved"}, {{R::places, R::walls}, {R::fluids}, {}, {R::places, R::fluids, R::bodies, R::coupling, R::notes}}},
      {"surfaces", iteration, Who::own_ends, &Stepper::push_surfaces, {S::surfaces}, {}, Clock::project, {"constraints", "aim surfaces", "fluids"}, {{}, {R::places}, {}, {R::places, R::surfaces}}},
      {"particles", iteration, Who::all, &Stepper::push_particles, {S::particles}, {}, Clock::project, {"warm particles", "surfaces"}, {{}, {}, {}, {R::places, R::grains}}},
      {"sheets", iteration, Who::all, &Stepper::project_sheets, {S::sheets}, {}, Clock::project, {"aim sheets", "particles"}, {{}, {}, {}, {R::places, R::grains}}},
      {"lift", iteration, Who::all, &Stepper::lift_particles, {S::particles, S::colliders}, {}, Clock::project, {"particles", "sheets"}, {{R::walls}, {R::places}, {}, {}}},
      {"colliders", iteration, Who::all, &Stepper::project_contacts, {S::colliders}, {}, Clock::project, {"surfaces", "sheets"}, {{}, {R::places, R::walls, R::grains, R::turns}, {}, {}}},
      // (For swarms under pressure, "volumes" does this with XPBD.)
      {"pass on", iteration, Who::own_ends, &Stepper::pass_on, {S::colliders, S::surfaces}, {}, Clock::project, {"colliders", "lift"}, {{R::surfaces}, {R::places, R::walls, R::grains, R::turns}, {}, {R::places, R::surfaces, R::walls}}},
      {"clusters", iteration, Who::all, &Stepper::push_clusters, {S::rigid_clusters}, {}, Clock::project, {"aim clusters", "colliders", "pass on"}, {{}, {}, {}, {R::places, R::clusters, R::grains, R::walls}}},
      {"support", iteration, Who::own_start, &Stepper::support_coupling, {S::coupling, S::colliders}, {}, Clock::project, {"colliders", "aim coupling", "pass on", "clusters"}, {{}, {}, {R::places}, {R::coupling, R::walls}}},
      {"coupling", iteration, Who::all, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"support", "pass on", "clusters"}, {{}, {}, {R::turns}, {R::places, R::bodies, R::coupling, R::clusters, R::walls}}},
      {"shapes", iteration, Who::own_ends, &Stepper::match_shapes, {S::clusters}, {}, Clock::project, {"clusters", "coupling"}, {{R::walls}, {R::places, R::clusters}, {}, {R::places, R::clusters}}},
      {"bodies", iteration, Who::all, &Stepper::push_bodies, {S::bodies}, {}, Clock::project, {"coupling", "pair bodies"}, {{}, {}, {}, {R::bodies}}},
      // Coupling once more: an error that remains in a contact between bodies gives no velocity, one in a row
      // of coupling does.
      {"coupling again", iteration, Who::all, &Stepper::project_coupling, {S::coupling}, {}, Clock::project, {"bodies", "shapes"}, {{}, {}, {R::turns}, {R::places, R::bodies, R::coupling, R::clusters, R::walls}}},
      {"colliders again", iteration, Who::all, &Stepper::project_contacts_again, {S::coupling, S::colliders}, {}, Clock::project, {"coupling again"}, {{}, {R::places, R::walls, R::grains, R::turns}, {R::coupling}, {}}},
      {"pass on bodies", iteration, Who::own_start, &Stepper::pass_on_from_bodies, {S::coupling, S::surfaces}, {}, Clock::project, {"coupling again", "colliders again"}, {{R::surfaces}, {R::places}, {}, {R::places, R::bodies, R::coupling, R::surfaces, R::walls}}},
      // Skins come after balls, which lie inside them.
      {"skins", iteration, Who::all, &Stepper::push_skins, {S::skins}, {}, Clock::project, {"aim skins", "soft bodies", "colliders again", "pass on bodies"}, {{}, {}, {}, {R::places, R::bodies, R::skins}}},
      // Chunks come after all other corrections, so that a chunk moves as a whole.
      {"frozen", iteration, Who::own_ends, &Stepper::hold_frozen, {S::frozen}, {}, Clock::project, {"fluids", "colliders again", "pass on bodies", "skins"}, {{}, {R::places}, {R::walls}, {R::places, R::warmth}}},
      // Rods respond after all other corrections.
      {"answer of rods", iteration, Who::own_ends, &Stepper::answer_rods, {S::direct_rods}, {}, Clock::project, {"tied points", "surfaces", "colliders again", "frozen"}, {{}, {R::places}, {}, {R::places, R::turns, R::links}}},

      {"take rods", substep_end, Who::own_start, &Stepper::take_rods, {S::direct_rods}, {}, Clock::project, {"answer of rods"}, {{}, {R::places}, {R::turns}, {R::places, R::links}}},
      {"volumes", substep_end, Who::own_ends, &Stepper::restore_volumes, {S::pressure, S::compliance}, {}, Clock::project, {"colliders", "take rods"}, {{}, {R::places, R::walls, R::grains, R::turns, R::pressure}, {R::coupling}, {R::places, R::pressure, R::surfaces, R::notes}}},
      {"stop crossings", substep_end, Who::all, &Stepper::stop_crossings, {S::colliders}, {}, Clock::project, {"volumes", "colliders again"}, {{}, {R::places, R::walls, R::notes}, {R::turns}, {}}},
      {"thick fluids", substep_end, Who::own_ends, &Stepper::thicken_fluids, {S::viscosity}, {}, Clock::project, {"stop crossings", "frozen"}, {{R::fluids}, {R::places}, {R::walls, R::speeds}, {R::places, R::fluids, R::warmth}}},
      {"move bodies", substep_end, Who::own_end, &Stepper::move_bodies, {S::bodies}, {}, Clock::project, {"bodies"}, {{}, {R::bodies}, {}, {R::bodies}}},
      {"carry ties", substep_end, Who::all, &Stepper::carry_ties, {S::coupling}, {}, Clock::project, {"move bodies", "thick fluids"}, {{}, {}, {R::bodies, R::turns}, {R::places, R::walls, R::coupling}}},
      {"end ties", substep_end, Who::all, &Stepper::finish_ties, {S::ties}, {}, Clock::project, {"tied points", "carry ties"}, {{}, {}, {R::bodies}, {R::coupling, R::places}}},
      {"second order end", substep_end, Who::all, &Stepper::end_second_order, {S::history}, {}, Clock::velocities, {"stop crossings", "carry ties", "end ties"}, {{}, {R::places, R::notes}, {}, {}}},
      {"flow", substep_end, Who::own_start, &Stepper::flow_soft_bodies, {S::flow}, {}, Clock::project, {"stop crossings", "carry ties", "end ties", "second order end"}, {{}, {R::places}, {R::places}, {R::clusters}}},
      {"yield", substep_end, Who::own_start, &Stepper::flow_constraints, {S::yield}, {}, Clock::project, {"flow"}, {{}, {R::places}, {R::places, R::turns}, {R::links}}},
      // (12)-(15) v <- (p - x) / h, x <- p
      {"velocities", substep_end, Who::all, &Stepper::update_velocities, {}, {}, Clock::velocities, {"thick fluids", "flow", "yield"}, {{}, {R::places, R::speeds, R::notes}, {}, {}}},
      {"turn velocities", substep_end, Who::all, &Stepper::update_turn_velocities, {S::rods}, {}, Clock::velocities, {"velocities", "yield"}, {{}, {R::turns}, {}, {}}},
      {"guard", substep_end, Who::own_end, &Stepper::guard_surfaces, {S::surfaces}, {}, Clock::guard, {"velocities", "yield", "flow", "second order end"}, {{}, {R::places, R::speeds}, {R::walls, R::bodies}, {R::places, R::speeds, R::surfaces, R::coupling, R::notes}}},
      {"second order velocities", substep_end, Who::all, &Stepper::update_second_order, {S::history}, {}, Clock::velocities, {"velocities", "guard", "second order end"}, {{R::places, R::walls}, {R::speeds, R::notes}, {}, {}}},
      {"body velocities", substep_end, Who::own_end, &Stepper::update_body_velocities, {S::bodies}, {}, Clock::velocities, {"move bodies", "guard"}, {{}, {R::bodies}, {}, {R::bodies}}},
      {"answer walls", substep_end, Who::own_start, &Stepper::answer_walls, {S::surfaces, S::coupling}, {S::history}, Clock::velocities, {"guard", "body velocities", "second order velocities"}, {{R::surfaces}, {}, {}, {R::speeds, R::bodies, R::coupling, R::surfaces}}},
      // (16) velocityUpdate; positional friction is in the iterations
      {"coupling velocities", substep_end, Who::all, &Stepper::filter_coupling, {S::coupling, S::coupling_filter}, {}, Clock::velocities, {"guard", "body velocities", "answer walls"}, {{}, {}, {}, {R::speeds, R::bodies, R::coupling, R::clusters}}},
      {"filter", substep_end, Who::all, &Stepper::filter_velocities, {S::velocity_filter}, {}, Clock::velocities, {"guard", "coupling velocities"}, {{R::walls}, {R::speeds}, {}, {}}},
      {"bounce", substep_end, Who::all, &Stepper::bounce_particles, {S::particles, S::restitution}, {}, Clock::velocities, {"filter"}, {{}, {}, {}, {R::speeds, R::grains}}},
      {"skin velocities", substep_end, Who::all, &Stepper::filter_skins, {S::skins}, {}, Clock::velocities, {"filter", "bounce", "body velocities", "coupling velocities"}, {{}, {}, {R::places}, {R::speeds, R::bodies, R::skins}}},
      {"bounce surfaces", substep_end, Who::all, &Stepper::bounce_surfaces, {S::surfaces, S::restitution}, {}, Clock::velocities, {"filter", "bounce", "skin velocities"}, {{}, {}, {}, {R::speeds, R::surfaces}}},
      {"fluid velocities", substep_end, Who::all, &Stepper::end_fluids, {S::fluids}, {}, Clock::velocities, {"guard", "filter", "bounce", "bounce surfaces"}, {{}, {}, {R::places}, {R::speeds, R::fluids, R::bodies, R::notes}}},
      {"fluid drag", substep_end, Who::own_start, &Stepper::drag_fluids, {S::viscosity}, {}, Clock::velocities, {"fluid velocities"}, {{R::places, R::walls, R::fluids}, {R::speeds}, {}, {R::speeds, R::bodies}}},
      {"keep spin", substep_end, Who::all, &Stepper::keep_spin, {S::spin}, {}, Clock::velocities, {"turn velocities", "fluid drag", "bounce surfaces"}, {{}, {}, {R::places, R::walls, R::surfaces, R::grains, R::coupling, R::skins}, {R::speeds, R::turns, R::bodies, R::notes}}},
      {"bound energies", substep_end, Who::all, &Stepper::bound_energies, {S::settling}, {}, Clock::velocities, {"note forces", "keep spin"}, {{}, {}, {R::places, R::notes}, {R::speeds, R::bodies}}},
      {"note rod loads", substep_end, Who::own_start, &Stepper::note_rod_loads, {S::rod_breaks}, {}, Clock::tear, {"take rods", "guard", "bound energies"}, {{}, {R::notes}, {R::places, R::turns, R::links}, {R::notes}}},
      {"tear", substep_end, Who::own_start, &Stepper::tear, {S::tearing}, {}, Clock::tear, {"guard", "filter", "bounce", "note rod loads"}, {{}, {}, {}, {R::places, R::speeds, R::links, R::surfaces, R::notes, R::mesh}}},

      {"spray", frame_end, Who::all, &Stepper::advance_spray, {S::spray}, {}, Clock::velocities, {"fluid velocities"}, {{}, {}, {R::places, R::speeds, R::fluids}, {R::fluids}}},
      {"drain fluids", frame_end, Who::first, &Stepper::drain_fluids, {S::fluids}, {}, Clock::velocities, {"fluid velocities", "spray"}, {{}, {}, {}, {R::places, R::speeds, R::fluids}}},
      {"heat", frame_end, Who::all, &Stepper::exchange_heat, {S::heat}, {}, Clock::velocities, {"drain fluids"}, {{}, {}, {R::places, R::walls, R::bodies}, {R::warmth}}},
      {"look for tears", frame_end, Who::own_start, &Stepper::look_for_tears, {S::tet_tears}, {}, Clock::tear, {"tear", "heat"}, {{}, {R::places}, {R::places, R::links}, {R::notes}}},
      {"look for breaks", frame_end, Who::own_start, &Stepper::look_for_breaks, {S::breaking}, {}, Clock::tear, {"tear", "look for tears"}, {{}, {R::places}, {R::clusters}, {R::notes}}},
      {"store multipliers", frame_end, Who::all, &Stepper::store_multipliers, {}, {}, Clock::velocities, {"tear", "look for breaks"}, {{}, {}, {R::places, R::turns}, {R::links}}},
      {"store rods", frame_end, Who::all, &Stepper::store_rods, {S::direct_rods}, {}, Clock::velocities, {"store multipliers"}, {{}, {}, {R::places, R::turns, R::walls}, {R::links}}},
      {"end bodies", frame_end, Who::all, &Stepper::end_bodies, {S::bodies}, {}, Clock::velocities, {"heat"}, {{}, {}, {}, {R::bodies}}},
      {"end coupling", frame_end, Who::all, &Stepper::end_coupling, {S::coupling}, {}, Clock::velocities, {"end bodies"}, {{}, {}, {}, {R::coupling, R::bodies}}},
      {"end surfaces", frame_end, Who::all, &Stepper::end_surfaces, {S::surfaces}, {}, Clock::velocities, {"tear"}, {{}, {}, {}, {R::surfaces}}},
      {"end particles", frame_end, Who::all, &Stepper::end_particles, {S::particles}, {}, Clock::velocities, {}, {{}, {}, {}, {R::grains}}},
      {"end moves", frame_end, Who::all, &Stepper::end_moves, {}, {}, Clock::velocities, {"begin moves", "drain fluids", "store rods"}, {{}, {R::places}, {}, {}}},
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

}}  // namespace limber::LIMBER_PRECISION
