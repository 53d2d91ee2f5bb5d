// Stages of an iteration, and what they share with other stages; order.hpp has their order.
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/displacement.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Applies to `moved` the changes that contacts made to positions of the thread's own particles.
void Stepper::take_own_moves(World& world, const Team& team) {
  if (!has(Subsystem::watched)) return;
  const Share mine = team.share(world.particles.count > 0 ? world.particles.padded() : 0, particle_block);
  limber::take_moves(world.particles, mine.begin, mine.end);
}

/// Begins work on `moved`: applies to it the changes that contacts made to positions. Ends at a barrier,
/// behind which the work may use anybody's particles. Does nothing, as show_moves(), if the World is not
/// watched.
void Stepper::take_moves(World& world, Team& team) {
  if (!has(Subsystem::watched)) return;
  take_own_moves(world, team);
  team.barrier();
}

/// Ends work on `moved`: waits for the other threads' work, and updates the positions of the thread's own
/// particles.
void Stepper::show_moves(World& world, Team& team) {
  if (!has(Subsystem::watched)) return;
  team.barrier();
  const Share mine = team.share(world.particles.count > 0 ? world.particles.padded() : 0, particle_block);
  show_moved(world.particles, mine.begin, mine.end);
}

void Stepper::lift_particles(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.lift(world, std::int32_t(b));
}

/// Projects the contacts of grains and clusters only; no other particle has been moved yet.
void Stepper::project_warm_contacts(World& world, const Moment&, Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return matter.takes_part(i); });
}

/// Matches the shapes of clusters, between the barriers of take_moves() and show_moves(), because clusters
/// contain other threads' particles.
void Stepper::match_shapes(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && has(Subsystem::colliders); ++b)
    contacts_.for_pushed(std::int32_t(b), [&](std::int32_t i) { matching_.add_support_mass(i); });
  take_moves(world, team);
  matching_.project(world, team);
  show_moves(world, team);
}

/// Parameters of a sweep. If the order alternates, every other sweep since the start runs backwards.
Sweep<real> Stepper::sweep(const World& world, const Moment& now) {
  const SolverSettings& solver = world.settings.solver;
  const bool odd = (now.number * solver.step->iterations + now.iteration) % 2 == 1;
  Sweep<real> sweep{is_compliant(solver.method->kind), now.iteration == 0, real(1) / (now.h * now.h)};
  sweep.backward = solver.method->order == Order::alternating && odd;
  if (is_damped(world)) sweep.previous = flat(world.particles.moved_before);
  sweep.origin = flat(world.particles.origin);
  sweep.turns = !RodSolver::enabled(world);
  sweep.inverse_h = real(1) / now.h;
  return sweep;
}

void Stepper::note_contacts(World& world, const Moment&, Team& team) {
  take_own_moves(world, team);
  bdf2_.note_contacts(world, team);
}

void Stepper::note_pushes(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  spin_.note_pushes(world, team);
}

void Stepper::project_constraints(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  method_.iterate(world, sweep(world, now), team);
  show_moves(world, team);
}

/// Solves rods before contacts and ties, which need the motion that the rod's own forces cause.
void Stepper::project_rods(World& world, const Moment& now, Team& team) {
  if (now.iteration > 0) return;
  const int steps = std::max(rods_.first_steps(world.settings.solver.step->iterations),
                             RodFriction::enabled(world) ? RodFriction::steps : 1);
  solve_rods(world, now, RodSolver::Pass::first, team);
  for (int step = 1; step < steps; ++step) {
    team.barrier();
    solve_rods(world, now, RodSolver::Pass::all, team);
  }
  show_moves(world, team);
}

/// A Newton step of all rods, for internal friction at their present curvatures.
void Stepper::solve_rods(World& world, const Moment& now, RodSolver::Pass pass, Team& team) {
  if (RodFriction::enabled(world)) {
    RodFriction::aim(world, team);
    team.barrier();
  }
  rods_.solve(world, now.h, pass, has(Subsystem::watched), team);
}

void Stepper::project_soft_bodies(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  soft_.project(world, now.h, team);
  show_moves(world, team);
}

/// Projects the pressure of closed objects, each by one constraint over the whole object.
void Stepper::project_pressure(World& world, const Moment& now, Team& team) {
  pressure_.project(world, sweep(world, now), team);
  show_moves(world, team);
}

void Stepper::balance_pushes(World& world, const Moment&, Team& team) {
  spin_.balance_pushes(world, team);
  show_moves(world, team);
}

void Stepper::project_ties(World& world, const Moment&, Team& team) {
  ties_.project(world, bodies_, rods_, team);
}

void Stepper::note_solved(World& world, const Moment&, Team& team) { bdf2_.note_solved(world, team); }

FluidSolver::Walls Stepper::fluid_walls() {
  return {has(Subsystem::colliders) ? &contacts_ : nullptr, has(Subsystem::coupling) ? &coupling_ : nullptr,
          has(Subsystem::coupling) ? &bodies_ : nullptr, has(Subsystem::spin) ? &spin_.touched() : nullptr};
}

void Stepper::project_fluids(World& world, const Moment& now, Team& team) {
  fluids_.project(world, fluid_walls(), now.h, team);
}

/// Projects contacts between surfaces, which read positions and add to `moved`.
void Stepper::push_cloth(World& world, std::uint8_t asked, std::uint8_t having, Team& team) {
  take_moves(world, team);
  surface_contacts_.push(world, asked, having, team);
  show_moves(world, team);
}

/// Projects contacts between surfaces, then those with colliders, of the swarms that have exactly the traits
/// `having` among those `asked`.
void Stepper::push_cloth_on(World& world, std::uint8_t asked, std::uint8_t having, Team& team) {
  push_cloth(world, asked, having, team);
  if (has(Subsystem::colliders)) project_contacts_of(world, asked, having, team);
}

/// Projects contacts with colliders of the particles of swarms that have exactly the traits `having` among
/// those `asked`.
void Stepper::project_contacts_of(World& world, std::uint8_t asked, std::uint8_t having, const Team& team) {
  const auto takes = [&](std::int32_t i) {
    return surface_contacts_.has(world.particles.object[std::size_t(i)], asked, having);
  };
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.project(world, std::int32_t(b), takes);
}

void Stepper::push_surfaces(World& world, const Moment&, Team& team) { push_cloth(world, 0, 0, team); }

void Stepper::push_particles(World& world, const Moment& now, Team& team) {
  particle_contacts_.push(world, now.h, team);
}

void Stepper::project_sheets(World& world, const Moment&, Team& team) {
  sheet_contacts_.project(world, team);
}

void Stepper::project_contacts(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) contacts_.project(world, std::int32_t(b));
}

/// Projects contacts between surfaces and with colliders once more, so that layers that a collider pushed
/// push the layers on them. Otherwise the lowest layers of a stack would approach until impact zones hold
/// them apart, which would keep the stack moving. Also lets light layers carry heavy ones with the collider's
/// support.
void Stepper::pass_on(World& world, const Moment&, Team& team) {
  constexpr std::uint8_t uneven = SurfaceContacts::uneven;
  if (surface_contacts_.any(SurfaceContacts::pressed, 0))
    push_cloth_on(world, SurfaceContacts::pressed, 0, team);
  if (!surface_contacts_.any(uneven, uneven)) return;
  take_moves(world, team);
  surface_contacts_.push_supported(world, contacts_, team);
  show_moves(world, team);
  project_contacts_of(world, uneven, uneven, team);
}

/// Solves the contacts of rigid clusters, which contain other threads' particles.
void Stepper::push_clusters(World& world, const Moment& now, Team& team) {
  ClusterContacts& clusters = particle_contacts_.clusters();
  clusters.solve(world, now.iteration == 0, team);
  if (has(Subsystem::sheets)) sheet_contacts_.project_clusters(world, clusters, team);
}

/// Finds the colliders that support particles; they are known once they have pushed in this substep.
void Stepper::support_coupling(World& world, const Moment& now, Team& team) {
  if (now.iteration > 0) return;
  team.barrier();  // here, not before the stage, which most iterations leave out
  coupling_.support(world, bodies_, contacts_, team);
}

void Stepper::project_coupling(World& world, const Moment&, Team& team) {
  coupling_.project(world, bodies_, particle_contacts_.clusters(), team);
}

void Stepper::push_bodies(World& world, const Moment& now, Team& team) { bodies_.push(world, now.h, team); }

/// Projects the contacts of the particles that bodies may have moved since the first projection.
void Stepper::project_contacts_again(World& world, const Moment&, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return coupling_.moves(world, i); });
}

/// Like pass_on(), for layers on a layer that a body pushed.
void Stepper::pass_on_from_bodies(World& world, const Moment&, Team& team) {
  if (!surface_contacts_.any(SurfaceContacts::beside_bodies, SurfaceContacts::beside_bodies)) return;
  push_cloth(world, SurfaceContacts::beside_bodies, SurfaceContacts::beside_bodies, team);
  team.barrier();
  coupling_.project(world, bodies_, particle_contacts_.clusters(), surface_traits_, team);
}

/// Projects the contacts of skins, whose vertices move other threads' particles.
void Stepper::push_skins(World& world, const Moment&, Team& team) { skins_.project(world, bodies_, team); }

/// Projects frozen chunks, which contain other threads' particles.
void Stepper::hold_frozen(World& world, const Moment&, Team& team) {
  take_moves(world, team);
  frozen_.project(world, has(Subsystem::colliders) ? &contacts_ : nullptr, team);
  show_moves(world, team);
}

void Stepper::answer_rods(World& world, const Moment& now, Team& team) {
  const bool last = now.iteration + 1 == world.settings.solver.step->iterations,
             met = has(Subsystem::watched);
  if (last && !met) return;
  take_moves(world, team);
  solve_rods(world, now, last ? RodSolver::Pass::pushed : RodSolver::Pass::all, team);
  show_moves(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
