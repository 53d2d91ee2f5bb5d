// Stages at the end of a substep: last corrections, velocities, tears. order.hpp has their order.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/turns.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Stepper::take_rods(World& world, const Moment&, Team& team) {
  const bool friction = RodFriction::enabled(world), met = has(Subsystem::watched);
  if (!friction && !met) return;
  take_moves(world, team);
  if (friction) RodFriction::end(world, team);
  if (!met) return;
  if (friction) team.barrier();
  rods_.take_weights(world, team);
}

/// Projects volumes once more after the contacts of the last iteration; otherwise an object that hits
/// something would keep less volume than its goal. Not for PBD's stiffness, whose effect depends on the
/// number of iterations. An object that touches a body is left out, because it has already pushed the body.
void Stepper::restore_volumes(World& world, const Moment& now, Team& team) {
  if (!has(Subsystem::colliders) && !has(Subsystem::surfaces)) return;
  take_moves(world, team);
  Sweep<real> again{true, false, real(1) / (now.h * now.h)};
  again.origin = flat(world.particles.origin);
  const bool balanced = has(Subsystem::spin);
  if (balanced) spin_.note_pushes(world, team);
  if (has(Subsystem::coupling))
    pressure_.leave_out(
        world, [&](std::int32_t i) { return coupling_.moves(world, i); }, team);
  team.barrier();
  pressure_.project(world, again, team);
  if (balanced) {
    team.barrier();
    spin_.balance_pushes(world, team);
  }
  show_moves(world, team);
  if (has(Subsystem::surfaces)) {  // including objects on a skin
    push_cloth_on(world, SurfaceContacts::pressed, SurfaceContacts::pressed, team);
  } else {
    const Share blocks = team.share(world.particles.padded() / particle_block);
    for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
      contacts_.project(world, std::int32_t(b), [&](std::int32_t i) { return pressure_.takes(world, i); });
  }
  if (!has(Subsystem::coupling)) return;
  team.barrier();
  pressure_.leave_out(
      world, [](std::int32_t) { return false; }, team);
}

void Stepper::stop_crossings(World& world, const Moment& now, Team& team) {
  TouchedParts* const touched = has(Subsystem::spin) ? &spin_.touched() : nullptr;
  for_contact_blocks(world, team, [&](std::int32_t b) {
    contacts_.keep_rods(world, b);
    contacts_.keep_forces(world, b);
    contacts_.stop_crossings(world, b, now.in_frame, touched);
  });
}

/// Solves implicit viscosity, with the drag of colliders on the fluid.
void Stepper::thicken_fluids(World& world, const Moment& now, Team& team) {
  if (!fluids_.thick()) return;
  take_moves(world, team);
  fluids_.thicken(world, fluid_walls(), now.h, team);
  if (has(Subsystem::frozen)) {  // chunks stay rigid
    team.barrier();
    frozen_.project(world, has(Subsystem::colliders) ? &contacts_ : nullptr, team);
  }
  show_moves(world, team);
}

void Stepper::move_bodies(World& world, const Moment& now, Team& team) {
  bodies_.move(world, now.h, contacts_, now.in_frame, team);
}

void Stepper::carry_ties(World& world, const Moment&, Team& team) { coupling_.carry(world, bodies_, team); }

void Stepper::finish_ties(World& world, const Moment& now, Team& team) {
  ties_.finish(world, now.h, now.in_frame, team);
}

void Stepper::end_second_order(World& world, const Moment&, Team& team) {
  take_own_moves(world, team);
  bdf2_.end_solve(world, team);
}

void Stepper::flow_soft_bodies(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  soft_.flow(world, now.h, team);
}

void Stepper::flow_constraints(World& world, const Moment& now, Team& team) {
  take_moves(world, team);
  PlasticFlow::run(world, double(now.h), team);
}

/// Handles the rare particles that are too fast or not finite: a particle faster than max_speed keeps its
/// direction and loses the excess in velocity and position, so that no input makes the state diverge; a
/// non-finite one sets the flag.
void Stepper::bound_block(World& world, const Moment& now, std::int32_t block) {
  Particles& particles = world.particles;
  const real limit = real(world.settings.solver.motion->max_speed);
  for (std::int32_t i = block * particle_block; i < (block + 1) * particle_block; ++i) {
    vec4& v = particles.velocity[std::size_t(i)];
    const real speed = std::sqrt(glm::dot(v, v));
    if (!std::isfinite(speed)) nonfinite_.store(true, std::memory_order_relaxed);
    if (!(speed > limit)) continue;
    if (has(Subsystem::spin)) spin_.touched().touch_particle(i);
    v *= limit / speed;
    vec4& moved = particles.moved[std::size_t(i)];
    moved = vec4(vec3(particles.moved_before[std::size_t(i)]) + now.h * vec3(v), moved.w);
  }
}

void Stepper::update_velocities(World& world, const Moment& now, Team& team) {
  Particles& particles = world.particles;
  if (particles.count == 0) return;  // padding stays at rest
  const Share blocks = team.share(particles.padded() / particle_block);
  // |v_i| < limit / sqrt(3) in every component implies |v| < limit, so the bound costs one comparison
  const real limit = real(world.settings.solver.motion->max_speed * 0.57735);
  // A block stays in the cache for all of these steps.
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b) {
    const std::int64_t begin = b * particle_block, end = begin + particle_block;
    if (has(Subsystem::watched)) limber::take_moves(particles, begin, end);
    if (has(Subsystem::particles)) take_moves_before(particles, started_, begin, end);
    if (!kernels_.update_velocities(flat(particles.moved), flat(particles.predicted),
                                    flat(particles.velocity), 4 * begin, 4 * end, now.h, limit))
      bound_block(world, now, std::int32_t(b));
    if (has(Subsystem::watched)) show_moved(particles, begin, end);
    if (has(Subsystem::surfaces))  // the guard's displacements are then added to the present velocity
      std::copy(particles.moved.begin() + begin, particles.moved.begin() + end,
                particles.predicted.begin() + begin);
  }
}

void Stepper::update_turn_velocities(World& world, const Moment& now, Team& team) {
  constexpr real limit = real(1e9);  // rad/s; predict_turns() bounds the rotation
  Particles& particles = world.particles;
  const Share mine = team.share(turn_rows(particles.turns), particle_block);
  const std::int64_t first = particles.padded();
  for (std::int64_t i = first + mine.begin; i < first + mine.end; ++i)  // it had a twist: state/turns.hpp
    particles.predicted[std::size_t(i)].w = particles.moved[std::size_t(i)].w;
  if (!kernels_.update_velocities(flat(particles.moved), flat(particles.predicted), flat(particles.velocity),
                                  4 * (first + mine.begin), 4 * (first + mine.end), now.h, limit))
    nonfinite_.store(true, std::memory_order_relaxed);
}

/// Guards surfaces after velocities were computed, because that step bounds speeds and thereby positions.
void Stepper::guard_surfaces(World& world, const Moment& now, Team& team) {
  const SurfaceContacts::Moment moment{now.h,
                                       now.h * real(world.settings.solver.step->substeps - now.remaining + 1),
                                       now.h * real(now.remaining - 1), now.in_frame};
  std::span<BodyWall> walls;
  if (has(Subsystem::coupling) && team.rank() == 0) walls = coupling_.list_walls(bodies_);
  TouchedParts* const touched = has(Subsystem::spin) ? &spin_.touched() : nullptr;
  if (surface_contacts_.guard(world, has(Subsystem::colliders) ? &contacts_ : nullptr, walls, moment, touched,
                              team))
    update_velocities(world, now, team);
}

void Stepper::update_second_order(World& world, const Moment& now, Team& team) {
  bdf2_.finish(world, has(Subsystem::colliders) ? &contacts_ : nullptr, now.h, team);
}

void Stepper::update_body_velocities(World& world, const Moment& now, Team& team) {
  bodies_.update_velocities(world, now.h, team);
}

/// Not for BDF2 (see `without` in the table), whose velocities come from more than the substep's
/// displacement.
void Stepper::answer_walls(World& world, const Moment& now, Team& team) {
  surface_contacts_.answer_walls(world, coupling_.walls(), now.h,
                                 has(Subsystem::spin) ? &spin_.touched() : nullptr, team);
}

void Stepper::filter_coupling(World& world, const Moment& now, Team& team) {
  coupling_.filter_velocities(world, bodies_, particle_contacts_.clusters(), now.h, team);
}

void Stepper::filter_velocities(World& world, const Moment& now, Team& team) {
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end; ++b)
    contacts_.filter_velocities(world, std::int32_t(b), now.h);
}

void Stepper::bounce_particles(World& world, const Moment& now, Team& team) {
  particle_contacts_.bounce(world, now.h, team);
  if (has(Subsystem::sheets)) sheet_contacts_.bounce(world, particle_contacts_.clusters(), now.h, team);
}

void Stepper::filter_skins(World& world, const Moment& now, Team& team) {
  skins_.filter_velocities(world, bodies_, now.h, team);
}

void Stepper::bounce_surfaces(World& world, const Moment& now, Team& team) {
  surface_contacts_.bounce(world, now.h, team);
}

void Stepper::end_fluids(World& world, const Moment& now, Team& team) {
  fluids_.end_substep(world, fluid_walls(), now.h, team);
}

/// Explicit drag between fluids and colliders (on fluids), and between fluids and bodies (on both).
void Stepper::drag_fluids(World& world, const Moment& now, Team& team) {
  if (has(Subsystem::colliders) && !fluids_.thick()) drag_at_colliders(world, contacts_, now.h, team);
  if (!has(Subsystem::coupling)) return;
  team.barrier();
  coupling_.drag(world, bodies_, now.h, team);
}

/// Reports the particles and bodies that each subsystem has pushed. Every subsystem that pushes particles or
/// bodies must be listed here, because keep_spin() reverses impulses that are not reported.
void Stepper::tell_touched(const World& world, Team& team) {
  TouchedParts& touched = spin_.touched();
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; b < blocks.end && has(Subsystem::colliders); ++b)
    contacts_.tell_touched(world, std::int32_t(b), touched);
  if (has(Subsystem::surfaces)) surface_contacts_.tell_touched(world, touched, team);
  if (has(Subsystem::particles)) particle_contacts_.tell_touched(touched, team);
  if (has(Subsystem::sheets)) sheet_contacts_.tell_touched(touched, team);
  if (has(Subsystem::skins)) skins_.tell_touched(world, touched, team);
  if (has(Subsystem::bodies)) bodies_.tell_touched(world, touched, team);
  if (has(Subsystem::coupling)) coupling_.tell_touched(world, touched, team);
}

void Stepper::keep_spin(World& world, const Moment& now, Team& team) {
  tell_touched(world, team);
  spin_.give_back(world, has(Subsystem::colliders) ? &contacts_ : nullptr, now.h, team);
}

void Stepper::bound_energies(World& world, const Moment& now, Team& team) {
  settling_.bound(world, now.h, team);
}

void Stepper::note_rod_loads(World& world, const Moment& now, Team& team) {
  rod_breaking_.note(world, now.in_frame, team);
}

/// Tears cloth in every other substep, but not in the last of several: crossings of the copies would be
/// visible, because only the next substep removes them.
void Stepper::tear(World& world, const Moment& now, Team& team) {
  if (now.remaining % 2 != 0 && world.settings.solver.step->substeps > 1) return;
  if (!tearing_.run(world, team)) return;
  method_.load(world, team);
  if (has(Subsystem::spin)) spin_.follow_tears(world, team);
  // Vertices have other neighbours after a tear.
  if (now.remaining > 1 && has(Subsystem::surfaces))
    surface_contacts_.follow_tears(world,
                                   now.h * real(world.settings.solver.step->substeps - now.remaining + 1),
                                   now.h * real(now.remaining - 1), team);
}

}}  // namespace limber::LIMBER_PRECISION
